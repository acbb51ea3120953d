import type { KeyDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { templatesOf, type KeyedKind } from './keyed-kinds.ts'
import { shapeOf } from './resolve-template.ts'

/** Refuses two kinds whose keys have the same shape. */
export function checkCollisions(kinds: readonly KeyedKind[]): void {
  const owners = new Map<string, KeyedKind>()
  for (const kind of kinds) {
    const { name, table, key, sharesKeys } = kind
    const shape = JSON.stringify([table, ...templatesOf(key).map((template) => shapeOf([template]))])
    const other = owners.get(shape)
    if (other !== undefined && !(sharesKeys === true && other.sharesKeys === true)) {
      throw new ModelError(
        'KEY_COLLISION',
        `${name} and ${other.name} can have the same key: ${templatesText(key)}. Give one of them a different literal part, or declare both keys as shared.`,
        { entity: name },
      )
    }
    owners.set(shape, kind)
  }
}

function templatesText(key: KeyDescription): string {
  return templatesOf(key)
    .map(({ text }) => `'${text}'`)
    .join(', ')
}
