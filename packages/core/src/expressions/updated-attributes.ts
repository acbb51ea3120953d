import { validationException } from '../errors.ts'
import type { Item } from '../values/attribute-value.ts'
import { project, projectionOf } from './project.ts'
import type { Update } from './syntax.ts'
import { pathHead } from './syntax.ts'

/** What UPDATED_OLD shows of the item before, and UPDATED_NEW of the item after: the parts at the paths that the update
 *  names. The service looks those paths up as they are written, so that an element set beyond the end of a list
 *  is not shown, and a removed one shows its successor. */
export function updatedAttributes(update: Update, item: Item): Item {
  return project(projectionOf(update.actions.map(({ path }) => path)), item)
}

/** Refuses an update that would change its item's key. */
export function assertNoKeyUpdate(update: Update, keyNames: readonly string[]): void {
  for (const name of keyNames) {
    if (!update.actions.some(({ path }) => pathHead(path) === name)) continue
    throw validationException(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    )
  }
}
