import { compareStored } from '../keys/compare-stored.ts'
import type { KeyAttributeDescription } from '../description.ts'
import type { Position } from './cursor.ts'
import type { StoredItem } from './entity-runtime.ts'
import type { PageRequest, StoredPage } from './read-page.ts'
import { sendPart } from './read-page.ts'

export interface MergeOrder {
  readonly sortAttributes: readonly KeyAttributeDescription[]
  /** What a position consists of, besides the partition. */
  readonly positionAttributes: readonly KeyAttributeDescription[]
  readonly isDescending: boolean
}

/** Reads all shards at once and merges them in order. The page ends at the limit, or where a shard has more that was not
 *  read yet: what comes next is then not known. */
export async function readShards(request: PageRequest, order: MergeOrder): Promise<StoredPage> {
  const shards = request.positions.map((position, shard) => new Shard(shard, position))
  const share = shareOf(request.limit, shards.filter(({ isOver }) => !isOver).length)
  await Promise.all(shards.filter(({ isOver }) => !isOver).map((shard) => shard.fetch(request, share)))
  const items: StoredItem[] = []
  while (request.limit === undefined || items.length < request.limit) {
    const dry = shards.filter((shard) => shard.isDry)
    if (dry.length > 0) {
      if (request.limit === undefined) break
      await Promise.all(dry.map((shard) => shard.fetch(request, share)))
      continue
    }
    const next = least(shards, order)
    if (next === undefined) break
    items.push(next.take(order))
  }
  const positions = shards.map((shard) => shard.reached)
  const isOver = shards.every((shard) => shard.isOver)
  return { items, next: isOver ? undefined : positions }
}

/** Shards get about the same number of items, so a little more than an equal share of each is usually enough; a shard
 *  that runs out is asked again. */
function shareOf(limit: number | undefined, shards: number): number | undefined {
  if (limit === undefined || shards === 0) return undefined
  const mean = limit / shards
  return Math.min(limit, Math.ceil(mean + Math.sqrt(mean)) + 1)
}

function least(shards: readonly Shard[], { sortAttributes, isDescending }: MergeOrder): Shard | undefined {
  let best: Shard | undefined
  for (const shard of shards) {
    if (shard.head === undefined) continue
    if (best?.head === undefined) best = shard
    else {
      const difference = compareKeys(shard.head, best.head, sortAttributes)
      if (isDescending ? difference > 0 : difference < 0) best = shard
    }
  }
  return best
}

function compareKeys(a: StoredItem, b: StoredItem, attributes: readonly KeyAttributeDescription[]): number {
  for (const { name } of attributes) {
    const difference = compareStored(a[name], b[name])
    if (difference !== 0) return difference
  }
  return 0
}

/** One shard's part of the merge. */
class Shard {
  /** After the last item that was taken. */
  reached: Position
  readonly #number: number
  #waiting: StoredItem[] = []
  #taken = 0
  #fetched: Position

  constructor(number: number, position: Position) {
    this.#number = number
    this.reached = position
    this.#fetched = position
  }

  get head(): StoredItem | undefined {
    return this.#waiting[this.#taken]
  }

  get isOver(): boolean {
    return this.head === undefined && this.#fetched === 'end'
  }

  /** Nothing waits, but there may be more. */
  get isDry(): boolean {
    return this.head === undefined && this.#fetched !== 'end'
  }

  async fetch(request: PageRequest, limit: number | undefined): Promise<void> {
    const positions = [...request.positions]
    positions[this.#number] = this.#fetched
    const { Items = [], LastEvaluatedKey } = await sendPart({ ...request, positions }, this.#number, limit)
    this.#waiting = Items
    this.#taken = 0
    this.#fetched = LastEvaluatedKey ?? 'end'
    // Nothing came: whatever was evaluated need not be evaluated again.
    if (Items.length === 0) this.reached = this.#fetched
  }

  take({ positionAttributes }: MergeOrder): StoredItem {
    const item = this.head
    if (item === undefined) throw new Error('a shard without a head cannot be taken from')
    this.#taken++
    this.reached =
      this.head === undefined && this.#fetched === 'end'
        ? 'end'
        : Object.fromEntries(
            positionAttributes.flatMap(({ name }) => (item[name] === undefined ? [] : [[name, item[name]]])),
          )
    return item
  }
}
