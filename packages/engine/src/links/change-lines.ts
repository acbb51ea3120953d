import { readItem, ServiceError, type Item } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { checkKeyOf, keyOfItem } from '../items/check-schema.ts'
import { checkedSizeBytes } from '../items/new-item.ts'
import { jsonStart, StoredItem } from '../items/stored-item.ts'
import { itemKey } from '../layout/item-keys.ts'
import type { ReplicatedChange } from '../replication/replicated-change.ts'
import type { ItemStamp } from '../stamps/item-stamp.ts'
import { LinkRefusal } from './link-messages.ts'
import { entries, malformed, number, readStamp, record, region } from './read-message.ts'

/** A change as a line of JSON: its stamp, and the item or the key of what was deleted. It is in the format of the API, so
 *  that servers of different versions understand each other, and the receiver can check it as it checks a request. */
export function changeLine({ stamp: { stamp, seen, tombstone }, item }: ReplicatedChange): Buffer {
  const hasSeen = Object.keys(seen).length > 0
  const stamped = JSON.stringify({ ...stamp, ...(hasSeen && { seen }) })
  return item === undefined
    ? Buffer.concat([Buffer.from(`{"stamp":${stamped},"key":`), tombstone?.keys ?? Buffer.from('{}'), end])
    : Buffer.concat([Buffer.from(`{"stamp":${stamped},"item":`), item.subarray(jsonStart(item)), end])
}

const end = Buffer.from('}\n')

/** A stamp may be so far ahead of this store's clock. A later one would be a mistake that no write could correct: whoever
 *  sends it must have its clock set first. */
const mostAheadMs = 24 * 3_600_000
const mostSeen = 64

/** Reads a line for a replica. Throws LinkRefusal if it is not a change of one of its items. */
export function readChangeLine(line: Buffer, { definition, ...table }: ReadingTable): ReplicatedChange {
  try {
    const { stamp: rawStamp, item: rawItem, key: rawKey } = record(JSON.parse(line.toString('utf8')))
    const stamp = stampIn(rawStamp, table.nowMs)
    const { tableId, keySchema, attributeTypes } = definition
    const keyIn = (one: Item): Uint8Array => itemKey(tableId, keySchema, attributeTypes, one)
    if (rawItem === undefined) {
      const key = readItem(record(rawKey))
      checkKeyOf(keySchema, attributeTypes, key)
      const keys = Buffer.from(JSON.stringify(key))
      return { itemKey: keyIn(key), item: undefined, stamp: { ...stamp, tombstone: { keys, atSteadyMs: 0 } } }
    }
    const item = readItem(record(rawItem))
    checkKeyOf(keySchema, attributeTypes, keyOfItem(keySchema, item))
    return { itemKey: keyIn(item), item: StoredItem.of(item, checkedSizeBytes(item)).value, stamp }
  } catch (error) {
    if (error instanceof ServiceError) throw malformed(error.message)
    if (error instanceof SyntaxError) throw malformed('a change is not JSON')
    throw error
  }
}

interface ReadingTable {
  readonly definition: Table['definition']
  readonly nowMs: number
}

function stampIn(raw: unknown, nowMs: number): Pick<ItemStamp, 'stamp' | 'seen'> {
  const stamp = readStamp(raw)
  if (stamp.micros > (nowMs + mostAheadMs) * 1000) {
    const hours = Math.floor((stamp.micros / 1000 - nowMs) / 3_600_000)
    throw new LinkRefusal(
      400,
      `A write of ${stamp.region} is dated ${hours} hours ahead of this server's time. Set the clock of the server there, and delete and create its replica again.`,
    )
  }
  const { seen: rawSeen = {} } = record(raw)
  const found = entries(rawSeen)
  if (found.length > mostSeen) throw malformed('a write has seen too many regions')
  const seen = found.map(([name, micros]) => [region(name), number(micros, Number.MAX_SAFE_INTEGER)] as const)
  return { stamp, seen: Object.fromEntries(seen) }
}

/** The lines of a message: the first is the message itself. */
export class MessageLines {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The first line, as JSON. */
  head(): unknown {
    try {
      return JSON.parse(this.next().toString('utf8'))
    } catch (error) {
      if (error instanceof SyntaxError) throw malformed('it is not JSON')
      throw error
    }
  }

  next(): Buffer {
    const newline = this.#bytes.indexOf(0x0a, this.#at)
    if (newline < 0) throw malformed('it is incomplete')
    const line = this.#bytes.subarray(this.#at, newline)
    this.#at = newline + 1
    return line
  }
}

export function messageOf(head: object, lines: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...lines])
}
