import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import type { Operation } from '../../client/request-types.ts'
import type { StoredItem } from '../item-size.ts'

/** What one request did. */
export interface Sent {
  readonly operation: Operation
  readonly milliseconds: number
  readonly items: readonly StoredItem[]
  /** Items evaluated, before filters. */
  readonly scannedCount: number
  readonly hasMore: boolean
  /** By the name of the table or index. */
  readonly units: ReadonlyMap<string, number>
}

const reads: readonly Operation[] = ['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems']

export function isRead(operation: Operation): boolean {
  return reads.includes(operation)
}

/** What a response says about its request. */
export function sentFrom(operation: Operation, answer: Answer, milliseconds: number): Sent {
  const items = itemsIn(answer)
  return {
    operation,
    milliseconds,
    items,
    scannedCount: answer.ScannedCount ?? items.length,
    hasMore: answer.LastEvaluatedKey !== undefined,
    units: unitsIn(answer.ConsumedCapacity),
  }
}

/** The parts of the various responses that say what happened. */
export interface Answer {
  readonly Item?: StoredItem | undefined
  readonly Items?: StoredItem[] | undefined
  readonly Responses?: Record<string, StoredItem[]> | { Item?: StoredItem | undefined }[] | undefined
  readonly ScannedCount?: number | undefined
  readonly LastEvaluatedKey?: StoredItem | undefined
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined
}

function itemsIn({ Item, Items, Responses }: Answer): readonly StoredItem[] {
  if (Item !== undefined) return [Item]
  if (Items !== undefined) return Items
  if (Array.isArray(Responses)) return Responses.flatMap(({ Item: found }) => (found === undefined ? [] : [found]))
  return Object.values(Responses ?? {}).flat()
}

function unitsIn(consumed: Answer['ConsumedCapacity']): ReadonlyMap<string, number> {
  const units = new Map<string, number>()
  const add = (name: string, amount: number | undefined): void => {
    if (amount !== undefined && amount > 0) units.set(name, (units.get(name) ?? 0) + amount)
  }
  for (const entry of Array.isArray(consumed) ? consumed : consumed === undefined ? [] : [consumed]) {
    add(entry.TableName ?? '', entry.Table?.CapacityUnits)
    for (const indexes of [entry.GlobalSecondaryIndexes, entry.LocalSecondaryIndexes]) {
      for (const [name, { CapacityUnits }] of Object.entries(indexes ?? {})) add(name, CapacityUnits)
    }
  }
  return units
}
