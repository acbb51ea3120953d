import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import type { GetItemCommandInput, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { connect } from '@hashrange/model'
import { setUpRequests } from '@hashrange/model/export'
import { open } from 'hashrange'
import { closedLoop } from '../embedded/closed-loop.ts'
import { takeOrders } from '../measure/order-taker.ts'
import type { RoundResult } from '../measure/round-result.ts'
import { itemsPerPartition, itemsPerQuery } from '../workload/operations.ts'
import type { ModelOperation, ModelOrder, ModelWay } from './model-order.ts'
import { orders } from './orders.model.ts'

// Ours within a process, durable, asked through the plain SDK and through a model. Argument: the data folder.
const [path = ''] = process.argv.slice(2)
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true'
const database = await open({ path })
const { client } = database
const db = connect(orders, client)
const preparedCalls = 2_048
let itemCount = 0

takeOrders(async (order: ModelOrder): Promise<RoundResult | undefined> => {
  if (order.kind === 'fill') {
    itemCount = order.itemCount
    await fill()
    return undefined
  }
  const calls = callsOf(order.way, order.operation)
  await calls[0]?.()
  return closedLoop(order.seconds, 1, (number) => calls[number % calls.length]?.())
})

interface Key {
  readonly customer: number
  readonly order: number
}

function keyOf(n: number): Key {
  return { customer: Math.floor(n / itemsPerPartition), order: n % itemsPerPartition }
}

function callsOf(way: ModelWay, operation: ModelOperation): (() => Promise<unknown>)[] {
  return Array.from({ length: preparedCalls }, () => {
    const key = keyOf(Math.floor(Math.random() * itemCount))
    return operation === 'GetItem' ? getCall(way, key) : queryCall(way, key)
  })
}

function getCall(way: ModelWay, key: Key): () => Promise<unknown> {
  if (way === 'model') {
    return async () => {
      const { item } = await db.order(key)
      if (item?.order !== key.order) throw new Error('The model read another item.')
    }
  }
  const input = db.order.explain(key)[0]?.input as GetItemCommandInput
  return async () => {
    const { Item } = await client.send(new GetItemCommand(input))
    if (Item === undefined) throw new Error('The SDK read no item.')
  }
}

function queryCall(way: ModelWay, { customer }: Key): () => Promise<unknown> {
  if (way === 'model') {
    return async () => {
      const { items } = await db.ordersOfCustomer({ customer })
      if (items.Order.length !== itemsPerQuery) throw new Error(`The model read ${items.Order.length} items.`)
    }
  }
  const input = db.ordersOfCustomer.explain({ customer })[0]?.input as QueryCommandInput
  return async () => {
    const { Count } = await client.send(new QueryCommand(input))
    if (Count !== itemsPerQuery) throw new Error(`The SDK read ${Count} items.`)
  }
}

async function fill(): Promise<void> {
  for (const { operation, input } of setUpRequests(orders.description)) await database.execute(operation, input)
  const batchSize = 500
  for (let from = 0; from < itemCount; from += batchSize) {
    const numbers = Array.from({ length: Math.min(batchSize, itemCount - from) }, (_, n) => from + n)
    await db.batchWrite((b) => numbers.map((n) => b.Order.put(itemOf(n))))
  }
}

function itemOf(n: number) {
  return {
    ...keyOf(n),
    product: `product-${n % 97}`,
    placed: new Date(Date.UTC(2026, 0, 1) + n * 1_000),
    status: 'OPEN' as const,
    quantity: 3,
    total: 129.95,
    paid: true,
    address: { street: '12 Long Lane', city: 'Wellington', code: '6011' },
    tags: ['gift', 'fragile'],
    note: 'Leave with the neighbour on the left if nobody is at home; ring twice, the bell is quiet.',
  }
}
