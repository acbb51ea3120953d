import { holds, type Condition, type Item } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import type { VectorIndexDefinition } from '../definitions/table-definition.ts'
import { parseStored, storedSizeBytes } from '../items/stored-item.ts'
import { indexedVector } from '../items/vector-entry.ts'
import { keySpace, segmentRange } from '../layout/key-space.ts'
import type { Key, Range } from '../store/store.ts'
import type { Reading } from './reading.ts'
import { rangeAfter } from './start-key.ts'
import { isCloser, scoreOf } from './vector-distance.ts'

export interface VectorSearch {
  readonly table: Table
  readonly index: VectorIndexDefinition
  readonly vector: Float32Array
  readonly condition: Condition | undefined
  readonly topK: number
}

export interface NearItem {
  readonly item: Item
  readonly score: number
  readonly sizeBytes: number
}

export interface NearestItems {
  /** The most similar first. */
  readonly near: readonly NearItem[]
  /** How many vectors were compared. */
  readonly compared: number
}

/** How much is read before others get their turn. */
const turnItems = 200
const turnBytes = 1024 * 1024

/** Compares a vector with those of all items that meet the condition. The search is exact: it reads the table, in short
 *  turns, and remembers the keys of the nearest items only. They are read again at the end, so an item that was
 *  changed meanwhile has its new score, and one that was deleted is left out. */
export async function nearestItems(engine: Reading, search: VectorSearch): Promise<NearestItems> {
  const { table, index, topK } = search
  const nearest = new Nearest(index.distanceFunction, topK)
  let left: Range | undefined = segmentRange(keySpace.item, table.id, 0, 1)
  let compared = 0
  while (left !== undefined) {
    const range: Range = left
    let last: Key | undefined
    let items = 0
    let bytes = 0
    await engine.view(false, (snapshot) =>
      engine.seen(snapshot, false).range({ from: range.from, to: range.to, limit: turnItems }, (key, value) => {
        last = key
        const found = scoreIn(search, parseStored(value))
        if (found !== undefined) {
          compared++
          nearest.add(Buffer.from(key), found)
        }
        bytes += storedSizeBytes(value)
        return ++items < turnItems && bytes < turnBytes
      }),
    )
    left =
      last === undefined || (items < turnItems && bytes < turnBytes) ? undefined : rangeAfter(range, last, false)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { near: await readAgain(engine, search, nearest), compared }
}

async function readAgain(engine: Reading, search: VectorSearch, nearest: Nearest): Promise<readonly NearItem[]> {
  const near: NearItem[] = []
  for (const { key } of nearest.found) {
    const value = await engine.view(false, (snapshot) => engine.seen(snapshot, false).get(key))
    if (value === undefined) continue
    const item = parseStored(value)
    const score = scoreIn(search, item)
    if (score !== undefined) near.push({ item, score, sizeBytes: storedSizeBytes(value) })
  }
  const { distanceFunction } = search.index
  return near.toSorted((one, other) =>
    isCloser(distanceFunction, one.score, other.score) ? -1 : one.score === other.score ? 0 : 1,
  )
}

/** Undefined if the item is not in the index, or does not meet the condition. */
function scoreIn({ table, index, vector, condition }: VectorSearch, item: Item): number | undefined {
  if (condition !== undefined && !holds(condition, item)) return undefined
  const own = indexedVector(table.definition, index, item)
  if (own === undefined) return undefined
  return scoreOf(index.distanceFunction, vector, own)
}

/** The keys of the nearest items so far. */
class Nearest {
  readonly found: { readonly key: Key; readonly score: number }[] = []
  readonly #distance: VectorIndexDefinition['distanceFunction']
  readonly #most: number

  constructor(distance: VectorIndexDefinition['distanceFunction'], most: number) {
    this.#distance = distance
    this.#most = most
  }

  /** Of two that are equally near, the one that was found first stays first. */
  add(key: Key, score: number): void {
    const last = this.found.at(-1)
    const isFull = this.found.length >= this.#most
    if (isFull && last !== undefined && !isCloser(this.#distance, score, last.score)) return
    let from = 0
    let to = this.found.length
    while (from < to) {
      const middle = (from + to) >> 1
      if (isCloser(this.#distance, score, this.found[middle]?.score ?? 0)) to = middle
      else from = middle + 1
    }
    this.found.splice(from, 0, { key, score })
    if (isFull) this.found.pop()
  }
}
