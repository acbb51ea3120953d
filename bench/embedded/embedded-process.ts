import { open } from 'hashrange'
import { concurrency } from '../measure/bench-context.ts'
import { checkAnswer } from '../measure/check-answer.ts'
import { takeOrders } from '../measure/order-taker.ts'
import type { RoundResult } from '../measure/round-result.ts'
import { createTableInput, itemsPerBatch, loadInput, type OperationName } from '../workload/operations.ts'
import { requestTemplate } from '../workload/request-template.ts'
import { closedLoop } from './closed-loop.ts'
import type { EmbeddedOrder } from './embedded-order.ts'
import { randomInputs, sequentialInputs } from './prepared-inputs.ts'
import { sdkCall } from './sdk-call.ts'

// Ours within a process, durable. Argument: the data folder.
const [path = ''] = process.argv.slice(2)
// The SDK's advice about future versions of Node has no place in a report.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true'
const db = await open({ path })

takeOrders(async (order: EmbeddedOrder): Promise<RoundResult | undefined> => {
  if (order.kind === 'fill') {
    await fill(order.tableName, order.itemCount)
    return undefined
  }
  const { operation, seconds } = order
  const inputs = randomInputs(order.template)
  const call =
    order.way === 'direct' ? (input: object) => db.execute(operation, input) : sdkCall(db.client, operation)
  const [first = {}] = inputs
  checkAnswer(`hashrange, ${order.way}`, operation, (await call(first)) as Record<string, unknown>)
  return closedLoop(seconds, callersOf(operation), (number) => call(inputs[number % inputs.length] ?? {}))
})

/** Reads are answered at once, one caller after another; durable writes share their fsync. */
function callersOf(operation: OperationName): number {
  return operation === 'GetItem' || operation === 'Query' ? 1 : concurrency
}

async function fill(tableName: string, itemCount: number): Promise<void> {
  await db.execute('CreateTable', createTableInput(tableName))
  const template = requestTemplate('BatchWriteItem', loadInput(tableName), itemCount)
  for (const input of sequentialInputs(template, itemsPerBatch)) await db.execute('BatchWriteItem', input)
}
