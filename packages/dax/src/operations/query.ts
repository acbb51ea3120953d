import type { AttributeValue, Item } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { setAttribute } from '@hashrange/core'
import { answerMember, capacityBytes, success, type ConsumedCapacity } from '../protocol/answers.ts'
import { readOptions, type RequestOptions } from '../protocol/request-options.ts'
import type { DaxTable } from '../dax-backend.ts'
import { readAttributeValue, writeAttributeValue } from '../wire/attribute-values.ts'
import { CborReader } from '../wire/cbor-reader.ts'
import { CborWriter } from '../wire/cbor-writer.ts'
import { RequestExpressions } from '../wire/expressions.ts'
import { writeValues } from '../wire/items.ts'
import { readKey, writeKey } from '../wire/keys.ts'
import { writeProjected, type DocumentPath } from '../wire/projections.ts'
import type { DaxNode } from './dax-node.ts'
import { projectionOf } from './projection-of.ts'

interface Output {
  readonly Items?: readonly Item[]
  readonly Count: number
  readonly ScannedCount: number
  readonly LastEvaluatedKey?: Item
  readonly ConsumedCapacity?: ConsumedCapacity
}

export function query(node: DaxNode, scope: Scope, reader: CborReader): Promise<Buffer> {
  const TableName = reader.textOrBytes()
  const keyCondition = reader.takeNull() ? undefined : reader.bytes()
  return search(node, scope, { operation: 'Query', TableName, keyCondition, options: readOptions(reader) })
}

export function scan(node: DaxNode, scope: Scope, reader: CborReader): Promise<Buffer> {
  const TableName = reader.textOrBytes()
  return search(node, scope, { operation: 'Scan', TableName, options: readOptions(reader) })
}

interface Search {
  readonly operation: 'Query' | 'Scan'
  readonly TableName: string
  readonly keyCondition?: Buffer | undefined
  readonly options: RequestOptions
}

/** Eventually consistent results are kept by the whole request, apart from items: no write changes them. */
async function search(node: DaxNode, scope: Scope, asked: Search): Promise<Buffer> {
  const { operation, options, TableName } = asked
  const table = await node.tableOf(scope, TableName)
  const { body, paths } = bodyOf(asked, table)
  const isKept = node.keepsQueries && options.consistent !== true
  const owner = node.admit(scope, operation, body)
  const { ReturnConsumedCapacity: _, ...wanted } = body
  const key = isKept ? JSON.stringify([owner.accountId, owner.region, operation, table.name, paths, wanted]) : ''
  const cached = isKept ? node.queries.get(key) : undefined
  if (cached !== undefined) return success().beginMap().raw(cached).end().take()
  const output = await node.execute<Output>(scope, operation, body)
  const result = resultBytes(node, table, output, paths, options)
  if (isKept) node.queries.set(key, result, result.length)
  const writer = success().beginMap().raw(result)
  if (output.ConsumedCapacity !== undefined)
    writer.integer(answerMember.consumedCapacity).raw(capacityBytes(output.ConsumedCapacity))
  return writer.end().take()
}

interface SearchBody {
  readonly body: Readonly<Record<string, unknown>>
  readonly paths: readonly DocumentPath[] | undefined
}

function bodyOf({ TableName, keyCondition, options }: Search, table: DaxTable): SearchBody {
  const {
    projection,
    consistent,
    condition: _,
    update: _update,
    filter,
    startKey,
    ReturnValues: _values,
    ...others
  } = options
  const expressions = new RequestExpressions()
  const texts = {
    ...(keyCondition !== undefined && { KeyConditionExpression: expressions.condition(keyCondition) }),
    ...(filter !== undefined && { FilterExpression: expressions.condition(filter) }),
  }
  const { paths, members } = projectionOf(projection, expressions)
  const start = startKey && (options.IndexName === undefined ? readKey(startKey, table.keys) : readNamed(startKey))
  const body = {
    TableName,
    ...others,
    ...texts,
    ...members,
    ConsistentRead: consistent,
    ExclusiveStartKey: start,
  }
  return { body, paths }
}

function resultBytes(
  node: DaxNode,
  table: DaxTable,
  { Items, Count, ScannedCount, LastEvaluatedKey: last }: Output,
  paths: readonly DocumentPath[] | undefined,
  { IndexName }: RequestOptions,
): Buffer {
  const writer = new CborWriter()
  if (Items !== undefined) {
    writer.integer(answerMember.items).list(Items.length)
    for (const item of Items) {
      if (paths !== undefined) writeProjected(writer, item, paths)
      else
        writer
          .list(2)
          .bytes(writeKey(item, table.keys))
          .bytes(writeValues(item, table.keys, node.lists))
    }
  }
  writer.integer(answerMember.count).integer(Count).integer(answerMember.scannedCount).integer(ScannedCount)
  if (last !== undefined) {
    const bytes = IndexName === undefined ? writeKey(last, table.keys) : writeNamed(last)
    writer.integer(answerMember.lastEvaluatedKey).bytes(bytes)
  }
  return Buffer.from(writer.take())
}

/** The key of an index contains that of the table: its attributes are sent with their names. */
function readNamed(bytes: Buffer): Item {
  const reader = new CborReader(bytes)
  const key: Record<string, AttributeValue> = {}
  reader.map(() => setAttribute(key, reader.text(), readAttributeValue(reader)))
  return key
}

function writeNamed(key: Item): Buffer {
  const writer = new CborWriter().beginMap()
  for (const [name, value] of Object.entries(key)) writeAttributeValue(writer.text(name), value)
  return writer.end().take()
}
