import { limits, readItemIn, validationException, type Item } from '@hashrange/core'
import type { BatchWriteItemInput, WriteRequestInput } from '../api/item-inputs.ts'
import type { ConsumedCapacity } from '../capacity/consumed-capacity.ts'
import { ThrottledError } from '../capacity/throttled.ts'
import { writeUnits } from '../capacity/units.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineParts } from './engine-parts.ts'
import { changeItem } from '../items/change-item.ts'
import { keyInTable } from '../catalog/key-in-table.ts'
import type { ChangeOutcome } from '../items/change-plan.ts'
import { checkKey, checkKeyInBatch } from '../items/check-schema.ts'
import { itemCollectionMetrics, type ItemCollectionMetrics } from '../items/item-collection-metrics.ts'
import type { StoredItem } from '../items/stored-item.ts'
import { keyText } from '../store/key-text.ts'
import type { Scope } from '../scope.ts'
import { UnitsByTable } from '../transactions/units-by-table.ts'
import { checkNewItem, readNewItem } from '../items/new-item.ts'

export interface BatchWriteItemOutput {
  readonly UnprocessedItems: Readonly<Record<string, readonly WriteRequestInput[]>>
  readonly ItemCollectionMetrics?: Readonly<Record<string, readonly ItemCollectionMetrics[]>> | undefined
  readonly ConsumedCapacity?: readonly ConsumedCapacity[] | undefined
}

interface BatchWrite {
  readonly tableName: string
  readonly request: WriteRequestInput
  readonly item: Item
  /** What is put; undefined to delete. */
  readonly next: StoredItem | undefined
}

export async function batchWriteItem(
  engine: EngineParts,
  scope: Scope,
  input: BatchWriteItemInput,
): Promise<BatchWriteItemOutput> {
  const writes = Object.entries(input.RequestItems).flatMap(([tableName, requests]) =>
    requests.map((request) => readWrite(tableName, request)),
  )
  if (writes.length > limits.batchWriteRequests)
    throw validationException('Too many items requested for the BatchWriteItem call')
  const tables = new Map(Object.keys(input.RequestItems).map((name) => [name, engine.requireTable(scope, name)]))
  const checked = checkAll(writes, tables)

  // Each write is independent; they share a commit because they were requested together.
  const outcomes = await Promise.all(
    checked.map(({ table, item, next }) =>
      changeItem(
        engine,
        table,
        item,
        () => ({ next, answer: (outcome): ChangeOutcome => outcome }),
        writeUnits(next?.sizeBytes ?? 0),
      ).catch(asThrottled),
    ),
  )
  const units = new UnitsByTable()
  const metrics = new Map<string, ItemCollectionMetrics[]>()
  const unprocessed = new Map<string, WriteRequestInput[]>()
  let throttled: ThrottledError | undefined
  outcomes.forEach((outcome, position) => {
    const write = checked[position]
    if (write === undefined) return
    if (outcome instanceof ThrottledError) {
      throttled ??= outcome
      unprocessed.set(write.tableName, [...(unprocessed.get(write.tableName) ?? []), write.request])
      return
    }
    units.add(write.table.name, outcome.units, write.tableName)
    const metric = itemCollectionMetrics(
      input.ReturnItemCollectionMetrics,
      write.table,
      write.item,
      outcome.collectionBytes,
    )
    if (metric !== undefined) metrics.set(write.tableName, [...(metrics.get(write.tableName) ?? []), metric])
  })
  if (throttled !== undefined && units.isEmpty) throw throttled
  return {
    UnprocessedItems: Object.fromEntries(unprocessed),
    ItemCollectionMetrics: metrics.size === 0 ? undefined : Object.fromEntries(metrics),
    ConsumedCapacity: units.consumed(input.ReturnConsumedCapacity),
  }
}

/** The client may send a throttled write again; any other error concerns the whole request. */
function asThrottled(error: unknown): ThrottledError {
  if (error instanceof ThrottledError) return error
  throw error
}

function readWrite(tableName: string, request: WriteRequestInput): BatchWrite {
  const { PutRequest, DeleteRequest } = request
  if (PutRequest !== undefined && DeleteRequest === undefined) {
    const next = readNewItem(PutRequest.Item)
    return { tableName, request, item: next.item, next }
  }
  if (DeleteRequest !== undefined && PutRequest === undefined) {
    return { tableName, request, item: readItemIn('older', DeleteRequest.Key), next: undefined }
  }
  throw validationException(
    'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
  )
}

function checkAll(
  writes: readonly BatchWrite[],
  tables: ReadonlyMap<string, Table>,
): readonly (BatchWrite & { readonly table: Table })[] {
  const seen = new Set<string>()
  return writes.map((write) => {
    const table = tables.get(write.tableName)
    if (table === undefined) throw new Error('every write has its table')
    if (write.next === undefined) {
      checkKey(table, write.item)
    } else {
      checkKeyInBatch(table, write.item)
      checkNewItem(table, write.next)
    }
    const key = keyText(keyInTable(table, write.item))
    if (seen.has(key)) throw validationException('Provided list of item keys contains duplicates')
    seen.add(key)
    const { tableName, request, item, next } = write
    return { tableName, request, item, next, table }
  })
}
