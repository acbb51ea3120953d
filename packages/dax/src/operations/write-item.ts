import type { Item } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { DaxTable } from '../dax-backend.ts'
import {
  answerMember,
  capacityBytes,
  memberAnswer,
  metricsBytes,
  type ConsumedCapacity,
  type ItemCollectionMetrics,
} from '../protocol/answers.ts'
import { readOptions, type RequestOptions } from '../protocol/request-options.ts'
import type { CachedItem } from '../caches/item-cache.ts'
import type { CborReader } from '../wire/cbor-reader.ts'
import { CborWriter } from '../wire/cbor-writer.ts'
import { RequestExpressions } from '../wire/expressions.ts'
import { readSentValues, writeNamedValues, writeValues } from '../wire/items.ts'
import { readKey } from '../wire/keys.ts'
import type { DaxNode } from './dax-node.ts'

interface Output {
  readonly Attributes?: Item
  readonly ConsumedCapacity?: ConsumedCapacity
  readonly ItemCollectionMetrics?: ItemCollectionMetrics
}

export async function putItem(node: DaxNode, scope: Scope, reader: CborReader): Promise<Buffer> {
  const { TableName, keyBytes, values, options } = readWrite(reader, true)
  const table = await node.tableOf(scope, TableName)
  const Key = readKey(keyBytes, table.keys)
  const Item = { ...(await readSentValues(values, node.lists)), ...Key }
  const body = { TableName, Item, ...membersOf(options) }
  return write(node, scope, { operation: 'PutItem', table, Key, body, options }, () =>
    writeValues(Item, table.keys, node.lists),
  )
}

export async function deleteItem(node: DaxNode, scope: Scope, reader: CborReader): Promise<Buffer> {
  const { TableName, keyBytes, options } = readWrite(reader, false)
  const table = await node.tableOf(scope, TableName)
  const Key = readKey(keyBytes, table.keys)
  const body = { TableName, Key, ...membersOf(options) }
  return write(node, scope, { operation: 'DeleteItem', table, Key, body, options }, () => 'none')
}

/** What the item is after an update is known if it is asked for. A caller that asks for something else leaves the next read to
 *  fetch it. */
export async function updateItem(node: DaxNode, scope: Scope, reader: CborReader): Promise<Buffer> {
  const { TableName, keyBytes, options } = readWrite(reader, false)
  const table = await node.tableOf(scope, TableName)
  const Key = readKey(keyBytes, table.keys)
  const { ReturnValues = 'NONE' } = options
  const asked = { TableName, Key, ...membersOf(options) }
  const body = ReturnValues === 'NONE' ? { ...asked, ReturnValues: 'ALL_NEW' } : asked
  return write(node, scope, { operation: 'UpdateItem', table, Key, body, asked, options }, ({ Attributes }) =>
    (ReturnValues === 'NONE' || ReturnValues === 'ALL_NEW') && Attributes !== undefined
      ? writeValues(Attributes, table.keys, node.lists)
      : undefined,
  )
}

interface ReadWrite {
  readonly TableName: string
  readonly keyBytes: Buffer
  readonly values: Buffer
  readonly options: RequestOptions
}

function readWrite(reader: CborReader, hasValues: boolean): ReadWrite {
  const TableName = reader.textOrBytes()
  const keyBytes = reader.bytes()
  const values = hasValues ? reader.bytes() : Buffer.alloc(0)
  return { TableName, keyBytes, values, options: readOptions(reader) }
}

function membersOf(options: RequestOptions): object {
  const expressions = new RequestExpressions()
  const { condition, update, ReturnValues, ReturnConsumedCapacity, ReturnItemCollectionMetrics } = options
  return {
    ...(condition !== undefined && { ConditionExpression: expressions.condition(condition) }),
    ...(update !== undefined && { UpdateExpression: expressions.update(update) }),
    ReturnValues,
    ReturnConsumedCapacity,
    ReturnItemCollectionMetrics,
    ...expressions.members(),
  }
}

interface Write {
  readonly operation: string
  readonly table: DaxTable
  readonly Key: Item
  readonly body: object
  readonly asked?: object
  readonly options: RequestOptions
}

/** Writes to the table first, and then to the cache what the item is now. */
async function write(
  node: DaxNode,
  scope: Scope,
  { operation, table, Key, body, asked = body, options }: Write,
  itemNow: (output: Output) => CachedItem | undefined,
): Promise<Buffer> {
  const key = node.cacheKey(node.admit(scope, operation, asked), table, Key)
  node.items.beginWrite(key)
  // Without an answer, it is not known whether it was written.
  let item: CachedItem | 'unchanged' | undefined
  try {
    const output = await node.execute<Output>(scope, operation, body, asked)
    item = itemNow(output)
    return answer(node, table, output, options)
  } catch (error) {
    if (isRefusal(error)) item = 'unchanged'
    throw error
  } finally {
    node.items.endWrite(key, item)
  }
}

const refusals: ReadonlySet<unknown> = new Set([
  'ConditionalCheckFailedException',
  'ValidationException',
  'ResourceNotFoundException',
  'AccessDeniedException',
])

function isRefusal(error: unknown): boolean {
  return error instanceof Error && refusals.has(error.name)
}

function answer(node: DaxNode, table: DaxTable, output: Output, { ReturnValues = 'NONE' }: RequestOptions): Buffer {
  const members: (readonly [number, Buffer])[] = []
  const { Attributes, ConsumedCapacity, ItemCollectionMetrics: metrics } = output
  if (Attributes !== undefined && ReturnValues !== 'NONE') {
    const bytes = ReturnValues.startsWith('UPDATED')
      ? writeNamedValues(Attributes, node.lists)
      : writeValues(Attributes, table.keys, node.lists)
    members.push([answerMember.attributes, new CborWriter().bytes(bytes).take()])
  }
  if (ConsumedCapacity !== undefined) members.push([answerMember.consumedCapacity, capacityBytes(ConsumedCapacity)])
  if (metrics !== undefined) members.push([answerMember.itemCollectionMetrics, metricsBytes(metrics)])
  return memberAnswer(members)
}
