import type { Scope } from '@hashrange/engine'
import type { MethodName } from '../protocol/methods.ts'
import { success } from '../protocol/answers.ts'
import type { CborReader } from '../wire/cbor-reader.ts'
import { batchGetItem } from '../operations/batch-get-item.ts'
import { batchWriteItem } from '../operations/batch-write-item.ts'
import type { DaxNode } from '../operations/dax-node.ts'
import { getItem } from '../operations/get-item.ts'
import { query, scan } from '../operations/query.ts'
import { transactGetItems } from '../operations/transact-get-items.ts'
import { transactWriteItems } from '../operations/transact-write-items.ts'
import { deleteItem, putItem, updateItem } from '../operations/write-item.ts'

type Answer = (node: DaxNode, scope: Scope, reader: CborReader) => Promise<Buffer>

/** What the connection itself does not answer. */
export const answers: Readonly<Record<Exclude<MethodName, 'authorizeConnection' | 'endpoints'>, Answer>> = {
  GetItem: getItem,
  PutItem: putItem,
  UpdateItem: updateItem,
  DeleteItem: deleteItem,
  Query: query,
  Scan: scan,
  BatchGetItem: batchGetItem,
  BatchWriteItem: batchWriteItem,
  TransactGetItems: transactGetItems,
  TransactWriteItems: transactWriteItems,
  defineKeySchema,
  defineAttributeList: async (node, _, reader) => {
    const id = reader.integer()
    await node.lists.learn(id)
    const names = node.lists.namesOf(id)
    const writer = success().list(names.length)
    for (const name of names) writer.text(name)
    return writer.take()
  },
  defineAttributeListId: async (node, _, reader) => {
    const names: string[] = []
    // The client for Java sends the names as a set.
    if (reader.major === 6) reader.tag()
    reader.list(() => names.push(reader.textOrBytes()))
    return success()
      .integer(await node.lists.define(names))
      .take()
  },
}

async function defineKeySchema(node: DaxNode, scope: Scope, reader: CborReader): Promise<Buffer> {
  const { keys } = await node.tableOf(scope, reader.textOrBytes())
  const writer = success().map(keys.length)
  for (const { name, type } of keys) writer.text(name).text(type)
  return writer.take()
}
