import { join } from 'node:path'
import { open } from 'lmdb'
import { takeOrders } from '../measure/order-taker.ts'
import type { RoundResult } from '../measure/round-result.ts'
import { itemsPerBatch, loadInput } from '../workload/operations.ts'
import { requestTemplate } from '../workload/request-template.ts'
import { closedLoop } from './closed-loop.ts'
import type { EmbeddedOrder } from './embedded-order.ts'
import { randomInputs, sequentialInputs } from './prepared-inputs.ts'

// The limit of an embedded GetItem: the same items in LMDB as JSON, read by their key and parsed. Argument: the folder.
const [path = ''] = process.argv.slice(2)
const database = open<string, string>({ path: join(path, 'raw.mdb'), noSubdir: true, encoding: 'string' })

interface Key {
  readonly customer: { readonly S: string }
  readonly order: { readonly S: string }
}

takeOrders(async (order: EmbeddedOrder): Promise<RoundResult | undefined> => {
  if (order.kind === 'fill') {
    await fill(order.tableName, order.itemCount)
    return undefined
  }
  const keys = randomInputs(order.template).map((input) => keyText((input as { readonly Key: Key }).Key))
  return closedLoop(order.seconds, 1, (number) => {
    const stored = database.get(keys[number % keys.length] ?? '')
    if (stored === undefined) throw new Error('An item is missing from the raw store.')
    return JSON.parse(stored) as unknown
  })
})

async function fill(tableName: string, itemCount: number): Promise<void> {
  const template = requestTemplate('BatchWriteItem', loadInput(tableName), itemCount)
  for (const input of sequentialInputs(template, itemsPerBatch)) {
    const { RequestItems } = input as { RequestItems: Record<string, { PutRequest: { Item: Key } }[]> }
    for (const { PutRequest } of RequestItems[tableName] ?? []) {
      void database.put(keyText(PutRequest.Item), JSON.stringify(PutRequest.Item))
    }
  }
  await database.flushed
}

function keyText(key: Key): string {
  return `${key.customer.S}/${key.order.S}`
}
