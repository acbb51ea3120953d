import type { Item } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { answerMember, capacityBytes, memberAnswer, type ConsumedCapacity } from '../protocol/answers.ts'
import { readOptions } from '../protocol/request-options.ts'
import { CborWriter } from '../wire/cbor-writer.ts'
import type { CborReader } from '../wire/cbor-reader.ts'
import { readKey } from '../wire/keys.ts'
import { readValues, writeValues } from '../wire/items.ts'
import { writeProjected, type DocumentPath } from '../wire/projections.ts'
import type { CachedItem } from '../caches/item-cache.ts'
import type { DaxNode } from './dax-node.ts'
import { projectionOf } from './projection-of.ts'

interface Output {
  readonly Item?: Item
  readonly ConsumedCapacity?: ConsumedCapacity
}

/** Eventually consistent reads come from the cache if the item is in it, or known not to exist. */
export async function getItem(node: DaxNode, scope: Scope, reader: CborReader): Promise<Buffer> {
  const TableName = reader.textOrBytes()
  const keyBytes = reader.bytes()
  const options = readOptions(reader)
  const table = await node.tableOf(scope, TableName)
  const Key = readKey(keyBytes, table.keys)
  const { paths, members } = projectionOf(options.projection)
  const { ReturnConsumedCapacity, consistent: ConsistentRead = false } = options
  // The whole item is read, whatever is asked for: that is what is kept.
  const body = { TableName, Key, ConsistentRead, ReturnConsumedCapacity }
  const asked = { ...body, ...members }
  if (ConsistentRead) {
    const output = await node.execute<Output>(scope, 'GetItem', body, asked)
    const item = output.Item && writeValues(output.Item, table.keys, node.lists)
    return answer(node, item ?? 'none', Key, paths, output.ConsumedCapacity)
  }
  const key = node.cacheKey(node.admit(scope, 'GetItem', asked), table, Key)
  const cached = node.items.get(key)
  if (cached !== undefined) return answer(node, cached, Key, paths, undefined)
  const ticket = node.items.beginRead(key)
  let item: CachedItem | undefined
  try {
    const output = await node.execute<Output>(scope, 'GetItem', body, asked)
    item = output.Item === undefined ? 'none' : writeValues(output.Item, table.keys, node.lists)
    return answer(node, item, Key, paths, output.ConsumedCapacity)
  } finally {
    node.items.endRead(key, ticket, item)
  }
}

function answer(
  node: DaxNode,
  item: CachedItem,
  key: Item,
  paths: readonly DocumentPath[] | undefined,
  capacity: ConsumedCapacity | undefined,
): Buffer {
  const members: (readonly [number, Buffer])[] = []
  if (item !== 'none') members.push([answerMember.item, itemBytes(node, item, key, paths)])
  if (capacity !== undefined) members.push([answerMember.consumedCapacity, capacityBytes(capacity)])
  return memberAnswer(members)
}

/** An item as answers contain it: its values besides the key, or what was asked for. */
export function itemBytes(
  node: DaxNode,
  item: Buffer,
  key: Item,
  paths: readonly DocumentPath[] | undefined,
): Buffer {
  const writer = new CborWriter()
  if (paths === undefined) writer.bytes(item)
  else writeProjected(writer, { ...readValues(item, node.lists), ...key }, paths)
  return writer.take()
}
