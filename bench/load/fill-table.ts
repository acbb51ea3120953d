import { setTimeout as sleep } from 'node:timers/promises'
import { concurrency, type BenchContext } from '../measure/bench-context.ts'
import type { RoundResult } from '../measure/round-result.ts'
import { createTableInput, itemsPerBatch, loadInput } from '../workload/operations.ts'
import { requestTemplate } from '../workload/request-template.ts'
import { callExpectingSuccess } from './call.ts'

/** Another server may have to be filled first. */
const activeLimitMs = 60_000

/** Creates a table, with `more` in the request, and fills it with `itemCount` items by BatchWriteItem. */
export async function fillTable(
  context: BenchContext,
  port: number,
  tableName: string,
  itemCount: number,
  more: object = {},
): Promise<RoundResult> {
  await callExpectingSuccess(port, 'CreateTable', { ...createTableInput(tableName), ...more })
  await becomesActive(port, tableName)
  return loadItems(context, port, tableName, itemCount)
}

/** Writes the items `0` to `itemCount` of a table, whether they are there already or not. */
export function loadItems(
  { generator, progress }: BenchContext,
  port: number,
  tableName: string,
  itemCount: number,
): Promise<RoundResult> {
  return generator.run(
    {
      port,
      template: requestTemplate('BatchWriteItem', loadInput(tableName), itemCount, {
        kind: 'sequence',
        step: itemsPerBatch,
      }),
      connections: concurrency,
      requests: Math.ceil(itemCount / itemsPerBatch),
    },
    (batches) => progress.show(`loading: ${count(batches * itemsPerBatch)} of ${count(itemCount)} items`),
  )
}

export async function becomesActive(port: number, tableName: string): Promise<void> {
  const startedAtMs = performance.now()
  for (;;) {
    const { Table } = await callExpectingSuccess(port, 'DescribeTable', { TableName: tableName })
    const { TableStatus: status, GlobalSecondaryIndexes: indexes = [] } = Table as {
      TableStatus: string
      GlobalSecondaryIndexes?: readonly { IndexStatus: string }[]
    }
    if (status === 'ACTIVE' && indexes.every((index) => index.IndexStatus === 'ACTIVE')) return
    if (performance.now() - startedAtMs > activeLimitMs) throw new Error(`The table ${tableName} stays ${status}.`)
    await sleep(20)
  }
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
