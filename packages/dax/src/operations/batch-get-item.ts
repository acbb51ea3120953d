import type { Item } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { DaxTable } from '../dax-backend.ts'
import type { CachedItem, Ticket } from '../caches/item-cache.ts'
import { capacityBytes, success, type ConsumedCapacity } from '../protocol/answers.ts'
import { readOptions } from '../protocol/request-options.ts'
import type { CborReader } from '../wire/cbor-reader.ts'
import { writeValues } from '../wire/items.ts'
import { keyOf, readKey, writeKey } from '../wire/keys.ts'
import type { DocumentPath } from '../wire/projections.ts'
import type { DaxNode } from './dax-node.ts'
import { itemBytes } from './get-item.ts'
import { projectionOf } from './projection-of.ts'

interface TableRequest {
  readonly name: string
  readonly table: DaxTable
  readonly consistent: boolean
  readonly paths: readonly DocumentPath[] | undefined
  readonly members: object
  readonly keys: readonly Item[]
}

interface Output {
  readonly Responses?: Readonly<Record<string, readonly Item[]>>
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys: readonly Item[] }>>
  readonly ConsumedCapacity?: readonly ConsumedCapacity[]
}

interface Found {
  readonly key: Item
  readonly item: Buffer
}

/** Each item comes from the cache if it can; the rest is read together, and kept. */
export async function batchGetItem(node: DaxNode, scope: Scope, reader: CborReader): Promise<Buffer> {
  const sent = readTables(reader)
  const { ReturnConsumedCapacity } = readOptions(reader)
  const requests: TableRequest[] = []
  for (const { name, consistent, projection, keys } of sent) {
    const table = await node.tableOf(scope, name)
    const { paths, members } = projectionOf(projection)
    requests.push({ name, table, consistent, paths, members, keys: keys.map((key) => readKey(key, table.keys)) })
  }
  const asked = { RequestItems: itemsOf(requests, true), ReturnConsumedCapacity }
  const owner = node.admit(scope, 'BatchGetItem', asked)
  const found = new Map<string, Found[]>(requests.map(({ name }) => [name, []]))
  const reads = new Map<string, Ticket>()
  const missing = requests.map((request) => ({
    ...request,
    keys: request.keys.filter((key) => {
      if (request.consistent) return true
      const cacheKey = node.cacheKey(owner, request.table, key)
      const cached = node.items.get(cacheKey)
      if (cached === undefined) reads.set(cacheKey, node.items.beginRead(cacheKey))
      else if (cached !== 'none') found.get(request.name)?.push({ key, item: cached })
      return cached === undefined
    }),
  }))
  const filled = new Map<string, CachedItem>()
  try {
    const left = missing.filter(({ keys }) => keys.length > 0)
    const isAll = requests.every(({ keys }) => keys.length === 0)
    const body = { RequestItems: itemsOf(isAll ? requests : left, false), ReturnConsumedCapacity }
    const output: Output = left.length > 0 || isAll ? await node.execute(scope, 'BatchGetItem', body, asked) : {}
    for (const { name, table, keys } of left) {
      const unprocessed = output.UnprocessedKeys?.[name]?.Keys ?? []
      const passed = new Set(unprocessed.map((key) => node.cacheKey(owner, table, keyOf(key, table.keys))))
      for (const key of keys) {
        const cacheKey = node.cacheKey(owner, table, key)
        if (!passed.has(cacheKey)) filled.set(cacheKey, 'none')
      }
      for (const item of output.Responses?.[name] ?? []) {
        const key = keyOf(item, table.keys)
        const values = writeValues(item, table.keys, node.lists)
        filled.set(node.cacheKey(owner, table, key), values)
        found.get(name)?.push({ key, item: values })
      }
    }
    return answer(node, requests, found, output)
  } finally {
    for (const [key, ticket] of reads) node.items.endRead(key, ticket, filled.get(key))
  }
}

interface SentTable {
  readonly name: string
  readonly consistent: boolean
  readonly projection: Buffer | undefined
  readonly keys: readonly Buffer[]
}

function readTables(reader: CborReader): readonly SentTable[] {
  const tables: SentTable[] = []
  reader.map(() => {
    const name = reader.textOrBytes()
    let consistent = false
    let projection: Buffer | undefined
    const keys: Buffer[] = []
    reader.list((position) => {
      if (position === 0) consistent = reader.takeNull() ? false : reader.boolean()
      else if (position === 1) projection = reader.takeNull() ? undefined : reader.bytes()
      else reader.list(() => keys.push(reader.bytes()))
    })
    tables.push({ name, consistent, projection, keys })
  })
  return tables
}

function itemsOf(requests: readonly TableRequest[], isAsked: boolean): object {
  return Object.fromEntries(
    requests.map(({ name, consistent, members, keys }) => [
      name,
      { Keys: keys, ConsistentRead: consistent, ...(isAsked && members) },
    ]),
  )
}

/** The list before the answer says two, and three follow: the last is the consumed capacity. Clients expect that. */
function answer(
  node: DaxNode,
  requests: readonly TableRequest[],
  found: ReadonlyMap<string, readonly Found[]>,
  { UnprocessedKeys = {}, ConsumedCapacity = [] }: Output,
): Buffer {
  const writer = success().list(2).map(requests.length)
  for (const { name, table, paths } of requests) {
    const items = found.get(name) ?? []
    writer.text(name).list(items.length * (paths === undefined ? 2 : 1))
    for (const { key, item } of items) {
      if (paths === undefined) writer.bytes(writeKey(key, table.keys))
      writer.raw(itemBytes(node, item, key, paths))
    }
  }
  const unprocessed = requests.filter(({ name }) => Object.hasOwn(UnprocessedKeys, name))
  writer.map(unprocessed.length)
  for (const { name, table } of unprocessed) {
    const keys = UnprocessedKeys[name]?.Keys ?? []
    writer.text(name).list(keys.length)
    for (const key of keys) writer.bytes(writeKey(key, table.keys))
  }
  writer.list(ConsumedCapacity.length)
  for (const capacity of ConsumedCapacity) writer.raw(capacityBytes(capacity))
  return writer.take()
}
