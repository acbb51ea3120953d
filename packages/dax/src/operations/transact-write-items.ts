import { type Item } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { DaxTable } from '../dax-backend.ts'
import {
  success,
  writeCapacities,
  writeMetricsByTable,
  type ConsumedCapacity,
  type ItemCollectionMetrics,
} from '../protocol/answers.ts'
import { readOptions } from '../protocol/request-options.ts'
import type { CborReader } from '../wire/cbor-reader.ts'
import { RequestExpressions } from '../wire/expressions.ts'
import { readSentValues, writeValues } from '../wire/items.ts'
import { readKey } from '../wire/keys.ts'
import { malformed } from '../wire/malformed.ts'
import { withReasons } from './cancellation-reasons.ts'
import type { DaxNode } from './dax-node.ts'

const kinds: Readonly<Record<number, 'Put' | 'Delete' | 'Update' | 'ConditionCheck'>> = {
  2: 'Put',
  7: 'Delete',
  9: 'Update',
  12: 'ConditionCheck',
}
const allOld = 2

interface Output {
  readonly ConsumedCapacity?: readonly ConsumedCapacity[]
  readonly ItemCollectionMetrics?: Readonly<Record<string, readonly ItemCollectionMetrics[]>>
}

interface Part {
  readonly table: DaxTable
  readonly tableName: string
  readonly key: Item
  readonly isWrite: boolean
  readonly request: object
}

/** Writes through. What was written is then read again in the background, in one transaction, and kept. */
export async function transactWriteItems(node: DaxNode, scope: Scope, reader: CborReader): Promise<Buffer> {
  const sent = readColumns(reader)
  const options = readOptions(reader)
  const { ReturnConsumedCapacity, ReturnItemCollectionMetrics, ClientRequestToken } = options
  const parts = await Promise.all(sent.kinds.map((_, position) => partAt(node, scope, sent, position)))
  const body = {
    TransactItems: parts.map(({ request }) => request),
    ReturnConsumedCapacity,
    ReturnItemCollectionMetrics,
    ClientRequestToken,
  }
  const owner = node.admit(scope, 'TransactWriteItems', body)
  const written = parts.filter(({ isWrite }) => isWrite)
  const keys = written.map(({ table, key }) => node.cacheKey(owner, table, key))
  for (const key of keys) node.items.beginWrite(key)
  let isRefused = false
  const answer = withReasons(
    node,
    parts.map(({ table }) => table),
    async () => {
      try {
        const output = await node.execute<Output>(scope, 'TransactWriteItems', body)
        const writer = success().list(3).list(0)
        writeCapacities(writer, output.ConsumedCapacity)
        writeMetricsByTable(writer, output.ItemCollectionMetrics)
        return writer.take()
      } catch (error) {
        isRefused = true
        throw error
      }
    },
  )
  try {
    return await answer
  } finally {
    for (const key of keys) node.items.endWrite(key, undefined)
    if (!isRefused) void refresh(node, owner, written, keys)
  }
}

async function refresh(
  node: DaxNode,
  owner: Scope,
  parts: readonly Part[],
  keys: readonly string[],
): Promise<void> {
  if (parts.length === 0) return
  const tickets = keys.map((key) => node.items.beginRead(key))
  let items: readonly { readonly Item?: Item }[] | undefined
  try {
    const TransactItems = parts.map(({ tableName, key }) => ({ Get: { TableName: tableName, Key: key } }))
    const output = await node.executeAsNode<{ readonly Responses?: typeof items }>(owner, 'TransactGetItems', {
      TransactItems,
    })
    items = output.Responses
  } catch {
    // The next read of each fetches it.
  }
  for (const [position, { table }] of parts.entries()) {
    const ticket = tickets[position]
    const item = items?.[position]?.Item
    const values = item === undefined ? 'none' : writeValues(item, table.keys, node.lists)
    if (ticket !== undefined) node.items.endRead(keys[position] ?? '', ticket, items && values)
  }
}

interface Columns {
  readonly kinds: readonly number[]
  readonly names: readonly string[]
  readonly keys: readonly Buffer[]
  readonly values: readonly (Buffer | undefined)[]
  readonly onFailure: readonly number[]
  readonly conditions: readonly (Buffer | undefined)[]
  readonly updates: readonly (Buffer | undefined)[]
}

/** Each argument is a list with a place for every item. */
function readColumns(reader: CborReader): Columns {
  const column = <T>(read: () => T): T[] => {
    const values: T[] = []
    if (!reader.takeNull()) reader.list(() => values.push(read()))
    return values
  }
  const bytesOrNull = (): Buffer | undefined => (reader.takeNull() ? undefined : reader.bytes())
  const operations = column(() => reader.integer())
  const names = column(() => reader.textOrBytes())
  const keys = column(() => reader.bytes())
  const values = column(bytesOrNull)
  column(() => (reader.takeNull() ? 0 : reader.integer()))
  const onFailure = column(() => (reader.takeNull() ? 0 : reader.integer()))
  const conditions = column(bytesOrNull)
  const updates = column(bytesOrNull)
  return { kinds: operations, names, keys, values, onFailure, conditions, updates }
}

async function partAt(node: DaxNode, scope: Scope, sent: Columns, position: number): Promise<Part> {
  const kind = kinds[sent.kinds[position] ?? 0]
  const tableName = sent.names[position]
  const keyBytes = sent.keys[position]
  if (kind === undefined || tableName === undefined || keyBytes === undefined)
    throw malformed('a transaction has an item without its parts')
  const table = await node.tableOf(scope, tableName)
  const key = readKey(keyBytes, table.keys)
  const expressions = new RequestExpressions()
  const condition = sent.conditions[position]
  const update = sent.updates[position]
  const values = sent.values[position]
  const item =
    kind === 'Put' && values !== undefined ? { ...(await readSentValues(values, node.lists)), ...key } : undefined
  const part = {
    TableName: tableName,
    ...(item === undefined ? { Key: key } : { Item: item }),
    ...(condition !== undefined && { ConditionExpression: expressions.condition(condition) }),
    ...(update !== undefined && { UpdateExpression: expressions.update(update) }),
    ...(sent.onFailure[position] === allOld && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    ...expressions.members(),
  }
  return { table, tableName, key, isWrite: kind !== 'ConditionCheck', request: { [kind]: part } }
}
