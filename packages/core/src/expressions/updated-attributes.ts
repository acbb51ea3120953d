import { validationException } from '../errors.ts'
import type { Item } from '../values/attribute-value.ts'
import { project, projectionOf } from './project.ts'
import type { Update } from './syntax.ts'
import { pathHead } from './syntax.ts'

/** What UPDATED_OLD shows of the old item, and UPDATED_NEW of the new item: the parts at the paths that the update
 *  names. The service looks up these paths as they are written. So an element that was set beyond the end of a list
 *  is not shown, and in place of a removed element its successor is shown. */
export function updatedAttributes(update: Update, item: Item): Item {
  return project(projectionOf(update.actions.map(({ path }) => path)), item)
}

/** Rejects an update that would change the key of its item. */
export function assertNoKeyUpdate(update: Update, keyNames: readonly string[]): void {
  for (const name of keyNames) {
    if (!update.actions.some(({ path }) => pathHead(path) === name)) continue
    throw validationException(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    )
  }
}
