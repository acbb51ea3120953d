import type { Item } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { DaxTable } from '../dax-backend.ts'
import type { CachedItem } from '../caches/item-cache.ts'
import {
  capacityBytes,
  success,
  writeMetricsByTable,
  type ConsumedCapacity,
  type ItemCollectionMetrics,
} from '../protocol/answers.ts'
import { readOptions } from '../protocol/request-options.ts'
import type { CborReader } from '../wire/cbor-reader.ts'
import { readSentValues, writeValues } from '../wire/items.ts'
import { keyOf, readKey, writeKey } from '../wire/keys.ts'
import type { DaxNode } from './dax-node.ts'

interface Write {
  readonly cacheKey: string
  readonly request: WriteRequest
  readonly item: CachedItem
}

interface WriteRequest {
  readonly PutRequest?: { readonly Item: Item }
  readonly DeleteRequest?: { readonly Key: Item }
}

interface Output {
  readonly UnprocessedItems?: Readonly<Record<string, readonly WriteRequest[]>>
  readonly ConsumedCapacity?: readonly ConsumedCapacity[]
  readonly ItemCollectionMetrics?: Readonly<Record<string, readonly ItemCollectionMetrics[]>>
}

export async function batchWriteItem(node: DaxNode, scope: Scope, reader: CborReader): Promise<Buffer> {
  const sent = readTables(reader)
  const { ReturnConsumedCapacity, ReturnItemCollectionMetrics } = readOptions(reader)
  const tables = new Map<string, DaxTable>()
  const RequestItems: Record<string, readonly WriteRequest[]> = Object.create(null)
  for (const { name, writes } of sent) {
    const table = await node.tableOf(scope, name)
    tables.set(name, table)
    RequestItems[name] = await Promise.all(
      writes.map(async ({ key, values }) => {
        const Key = readKey(key, table.keys)
        if (values === undefined) return { DeleteRequest: { Key } }
        return { PutRequest: { Item: { ...(await readSentValues(values, node.lists)), ...Key } } }
      }),
    )
  }
  const body = { RequestItems: { ...RequestItems }, ReturnConsumedCapacity, ReturnItemCollectionMetrics }
  const owner = node.admit(scope, 'BatchWriteItem', body)
  const writes = sent.flatMap(({ name }): Write[] => {
    const table = tables.get(name)
    if (table === undefined) return []
    return (RequestItems[name] ?? []).map((request) => ({
      cacheKey: node.cacheKey(owner, table, keyOfRequest(request, table)),
      request,
      item: request.PutRequest ? writeValues(request.PutRequest.Item, table.keys, node.lists) : 'none',
    }))
  })
  for (const { cacheKey } of writes) node.items.beginWrite(cacheKey)
  const written = new Map<string, CachedItem>()
  try {
    const output = await node.execute<Output>(scope, 'BatchWriteItem', body)
    for (const { cacheKey, item } of writes) written.set(cacheKey, item)
    for (const [name, requests] of Object.entries(output.UnprocessedItems ?? {})) {
      const table = tables.get(name)
      if (table === undefined) continue
      for (const request of requests) written.delete(node.cacheKey(owner, table, keyOfRequest(request, table)))
    }
    return answer(node, tables, output)
  } finally {
    for (const { cacheKey } of writes) node.items.endWrite(cacheKey, written.get(cacheKey))
  }
}

function keyOfRequest({ PutRequest, DeleteRequest }: WriteRequest, table: DaxTable): Item {
  return keyOf(PutRequest?.Item ?? DeleteRequest?.Key ?? {}, table.keys)
}

interface SentWrites {
  readonly name: string
  readonly writes: readonly { readonly key: Buffer; readonly values: Buffer | undefined }[]
}

/** Keys and values alternate; a key without values is to be deleted. */
function readTables(reader: CborReader): readonly SentWrites[] {
  const tables: SentWrites[] = []
  reader.map(() => {
    const name = reader.textOrBytes()
    const writes: { key: Buffer; values: Buffer | undefined }[] = []
    let key: Buffer | undefined
    reader.list(() => {
      if (key === undefined) key = reader.bytes()
      else {
        writes.push({ key, values: reader.takeNull() ? undefined : reader.bytes() })
        key = undefined
      }
    })
    tables.push({ name, writes })
  })
  return tables
}

function answer(node: DaxNode, tables: ReadonlyMap<string, DaxTable>, output: Output): Buffer {
  const unprocessed = Object.entries(output.UnprocessedItems ?? {})
  const writer = success().map(unprocessed.length)
  for (const [name, requests] of unprocessed) {
    const table = tables.get(name)
    if (table === undefined) throw new Error('a table was not asked for')
    writer.text(name).list(requests.length * 2)
    for (const request of requests) {
      writer.bytes(writeKey(keyOfRequest(request, table), table.keys))
      if (request.PutRequest === undefined) writer.null()
      else writer.bytes(writeValues(request.PutRequest.Item, table.keys, node.lists))
    }
  }
  const { ConsumedCapacity = [] } = output
  writer.list(ConsumedCapacity.length)
  for (const capacity of ConsumedCapacity) writer.raw(capacityBytes(capacity))
  writeMetricsByTable(writer, output.ItemCollectionMetrics)
  return writer.take()
}
