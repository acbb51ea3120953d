import type { CSSProperties } from 'react'

/** Hues that are told apart, neighbours in the list most of all. */
const hues = [264, 150, 35, 330, 200, 85, 295, 15, 175, 60, 230, 120]

/** The colours of an entity, the same wherever it is shown: pass all names of the model in their order, or a name alone.
 *  Classes `entity-chip`, `entity-row` and `entity-dot` use them. */
export function entityStyle(name: string, names?: readonly string[]): CSSProperties {
  const position = names?.indexOf(name) ?? -1
  const hue = hues[(position >= 0 ? position : hash(name)) % hues.length] ?? 0
  return { '--entity-hue': hue } as CSSProperties
}

/** The attributes by which single-table designs say what an item is, the most usual first. */
export const kindAttributes = [
  'EntityType',
  'entityType',
  '_et',
  '__edb_e__',
  'entity',
  '_type',
  'type',
  'Type',
  '__typename',
]

/** What an item is, where it says so itself: models of ours write `EntityType`. */
export function entityOf(item: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of kindAttributes) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined
    if (
      typeof value === 'object' &&
      value !== null &&
      'S' in value &&
      typeof value.S === 'string' &&
      value.S !== ''
    ) {
      return value.S.slice(0, 60)
    }
  }
  return undefined
}

function hash(name: string): number {
  let state = 2_166_136_261
  for (let position = 0; position < name.length; position++) {
    state = Math.imul(state ^ name.charCodeAt(position), 16_777_619) >>> 0
  }
  return state
}
