import type { CSSProperties } from 'react'
import { recallJson, rememberJson } from '../state/memory.ts'

/** Colours that can be distinguished, especially neighbours in the list. */
const hues = [264, 150, 35, 330, 200, 85, 295, 15, 175, 60, 230, 120]

/** The colours of an entity. They follow from its name, so it has the same ones in every view. If the names of two
 *  entities lead to the same hue, the one that is seen later gets the next hue that is least used, and the browser
 *  remembers it. Classes `entity-chip`, `entity-row` and `entity-dot` use them. */
export function entityStyle(name: string): CSSProperties {
  return { '--entity-hue': hues[hueOf(name)] ?? 0 } as CSSProperties
}

/** The same hue as a number of degrees, for pictures that are files. */
export function entityHue(name: string): number {
  return hues[hueOf(name)] ?? 0
}

const memoryName = 'entity-colours'
/** Names come from items, of which there may be any number. */
const mostNames = 300
let known: Map<string, number> | undefined

function hueOf(name: string): number {
  known ??= recallJson(memoryName, new Map(), readHues)
  const before = known.get(name)
  if (before !== undefined) return before
  const wished = hash(name) % hues.length
  if (known.size >= mostNames) return wished
  const uses = hues.map(() => 0)
  for (const hue of known.values()) uses[hue] = (uses[hue] ?? 0) + 1
  const fewest = Math.min(...uses)
  const free = hues.map((_, step) => (wished + step) % hues.length).find((hue) => uses[hue] === fewest) ?? wished
  known.set(name, free)
  rememberJson(memoryName, [...known])
  return free
}

function readHues(value: unknown): Map<string, number> {
  if (!Array.isArray(value)) throw new TypeError('This is no list of colours.')
  const found = new Map<string, number>()
  for (const entry of value.slice(0, mostNames) as unknown[]) {
    if (!Array.isArray(entry)) continue
    const [name, hue] = entry as unknown[]
    if (typeof name === 'string' && typeof hue === 'number' && hue in hues) found.set(name, hue)
  }
  return found
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
