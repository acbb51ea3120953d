import { equalItems } from '@hashrange/core'
import type { Entry } from '../backups/stored-pages.ts'
import type { ShardDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { changeRecordParts, decodeChangeRecord } from '../changes/change-record.ts'
import { keyHeaderBytes } from '../layout/item-keys.ts'
import { keyText } from '../store/key-text.ts'
import { partitionHash } from '../layout/partition-hash.ts'
import { crc32 } from '../store/crc32.ts'
import type { Key, Value } from '../store/store.ts'
import type { Change } from './read-change.ts'
import { readItemJson } from './read-stored-item.ts'

/** The latest state of an item according to the log. */
export interface LastChange {
  readonly shardId: number
  readonly logKey: Key
  /** Whether the item existed afterwards. */
  readonly isThere: boolean
  /** A hash of the item afterwards; absent if images are not kept. */
  readonly imageHash: string | undefined
}

/** Two changes of one item that do not seem to follow each other. */
export interface Break {
  readonly entry: Entry
  readonly change: Change
  readonly before: LastChange
}

/** Follows what the log says about each item: what one change says was there before must be what the previous change
 *  left. As many items are followed at a time as fit into memory, by the checksums of their keys; the others are left
 *  for another pass. */
export class LogChain {
  readonly from: number
  #to: number
  readonly #most: number
  readonly #last = new Map<string, LastChange>()

  constructor(from: number, to: number, mostItems: number) {
    this.from = from
    this.#to = to
    this.#most = mostItems
  }

  /** Where the items begin that were left for another pass. */
  get to(): number {
    return this.#to
  }

  get names(): readonly string[] {
    return [...this.#last.keys()]
  }

  lastOf(name: string): LastChange | undefined {
    return this.#last.get(name)
  }

  /** Adds the next change; returns what does not seem to follow. `ancestors` are the shards from which the change's
   *  own shard came. */
  add(shard: ShardDefinition, ancestors: ReadonlySet<number>, entry: Entry, change: Change): Break | undefined {
    const suffix = change.itemKey.subarray(keyHeaderBytes)
    const slot = crc32(suffix)
    if (slot < this.from || slot >= this.#to) return undefined
    const name = keyText(suffix)
    const known = this.#last.get(name)
    // What was written while the log was off is in no shard.
    const before =
      known !== undefined && (known.shardId === shard.shardId || ancestors.has(known.shardId)) ? known : undefined
    this.#last.set(name, {
      shardId: shard.shardId,
      logKey: entry.key,
      isThere: change.event !== 'REMOVE',
      imageHash: change.newImage && partitionHash(change.newImage),
    })
    if (this.#last.size > this.#most) this.#leaveHalf()
    return before === undefined || follows(change, before) ? undefined : { entry, change, before }
  }

  #leaveHalf(): void {
    this.#to = this.from + Math.max(1, Math.floor((this.#to - this.from) / 2))
    for (const name of this.#last.keys()) {
      const slot = crc32(Buffer.from(name, 'latin1'))
      if (slot >= this.#to) this.#last.delete(name)
    }
  }
}

function follows({ event, oldImage }: Change, before: LastChange): boolean {
  if ((event !== 'INSERT') !== before.isThere) return false
  return oldImage === undefined || before.imageHash === undefined || partitionHash(oldImage) === before.imageHash
}

/** Why a change does not follow the previous one, whose record is `beforeValue`; undefined if it does. */
export function breakProblem({ change }: Break, beforeValue: Value): string | undefined {
  const isThere = decodeChangeRecord(beforeValue).event !== 'REMOVE'
  if (change.event === 'INSERT' && isThere)
    return 'An item was inserted that already existed after the change before.'
  if (change.event !== 'INSERT' && !isThere) return 'An item was changed that the change before had removed.'
  const { newImage } = changeRecordParts(beforeValue)
  if (change.oldImage === undefined || newImage === undefined || isSameImage(change.oldImage, newImage))
    return undefined
  return 'The old image differs from the new image of the change before.'
}

/** A write that only changes the order of attributes is not a change. */
export function isSameImage(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true
  const a = readItemJson(one).item
  const b = readItemJson(other).item
  return a !== undefined && b !== undefined && equalItems(a, b)
}

/** For each shard, those from which it came. */
export function ancestorsOf({ shards = [] }: TableDefinition): ReadonlyMap<number, ReadonlySet<number>> {
  const ancestors = new Map<number, Set<number>>()
  for (const { shardId, parentShardId } of shards.toSorted((a, b) => a.shardId - b.shardId)) {
    const own = new Set<number>()
    if (parentShardId !== undefined) {
      own.add(parentShardId)
      for (const older of ancestors.get(parentShardId) ?? []) own.add(older)
    }
    ancestors.set(shardId, own)
  }
  return ancestors
}
