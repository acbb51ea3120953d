import type { Item } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { success, writeCapacities, type ConsumedCapacity } from '../protocol/answers.ts'
import { readOptions } from '../protocol/request-options.ts'
import type { CborReader } from '../wire/cbor-reader.ts'
import { writeValues } from '../wire/items.ts'
import { readKey } from '../wire/keys.ts'
import { writeProjected } from '../wire/projections.ts'
import type { DaxNode } from './dax-node.ts'
import { projectionOf } from './projection-of.ts'
import { withReasons } from './cancellation-reasons.ts'

interface Output {
  readonly Responses?: readonly { readonly Item?: Item }[]
  readonly ConsumedCapacity?: readonly ConsumedCapacity[]
}

/** Passed on as it is: what it reads is not kept. */
export async function transactGetItems(node: DaxNode, scope: Scope, reader: CborReader): Promise<Buffer> {
  const names: string[] = []
  reader.list(() => names.push(reader.textOrBytes()))
  const keys: Buffer[] = []
  reader.list(() => keys.push(reader.bytes()))
  const projections: (Buffer | undefined)[] = []
  if (!reader.takeNull()) reader.list(() => projections.push(reader.takeNull() ? undefined : reader.bytes()))
  const { ReturnConsumedCapacity } = readOptions(reader)
  const gets = await Promise.all(
    names.map(async (TableName, position) => {
      const table = await node.tableOf(scope, TableName)
      const Key = readKey(keys[position] ?? Buffer.alloc(0), table.keys)
      const { paths, members } = projectionOf(projections[position])
      return { table, paths, get: { TableName, Key, ...members } }
    }),
  )
  const body = { TransactItems: gets.map(({ get }) => ({ Get: get })), ReturnConsumedCapacity }
  const tables = gets.map(({ table }) => table)
  return withReasons(node, tables, async () => {
    const output = await node.execute<Output>(scope, 'TransactGetItems', body)
    const writer = success().list(2).list(gets.length)
    for (const [position, { table, paths }] of gets.entries()) {
      const item = output.Responses?.[position]?.Item
      if (item === undefined) writer.null()
      else if (paths === undefined) writer.bytes(writeValues(item, table.keys, node.lists))
      else writeProjected(writer, item, paths)
    }
    writeCapacities(writer, output.ConsumedCapacity)
    return writer.take()
  })
}
