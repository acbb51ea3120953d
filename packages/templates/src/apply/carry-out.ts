import type { Step } from './resource-plan.ts'
import type { TablePlan } from './table-plan.ts'
import { described, type TablePort } from './table-port.ts'

type Description = Readonly<Record<string, unknown>>

/** Carries a plan out, one request after the other: a table takes the next once it is active again. */
export async function carryOut(port: TablePort, plan: TablePlan): Promise<void> {
  const { name } = plan.table
  for (const step of plan.steps) {
    await port.request(step.operation, await withArn(port, step, name))
    await settleTable(port, name, step)
  }
}

/** The name of a resource is known once it is there. */
export async function withArn(port: TablePort, { input }: Step, TableName: string): Promise<object> {
  if (!('ResourceArn' in input) || input.ResourceArn !== '') return input
  const { Table } = await port.request('DescribeTable', { TableName })
  return { ...input, ResourceArn: (Table as Description)['TableArn'] }
}

export async function settleTable(port: TablePort, TableName: string, { operation }: Step): Promise<void> {
  for (let pauseMs = 20; ; pauseMs = Math.min(5_000, pauseMs * 2)) {
    const answer = await described(port.request('DescribeTable', { TableName }))
    const table = answer?.['Table'] as Description | undefined
    if (operation === 'DeleteTable' ? table === undefined : isActive(table)) return
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

function isActive(table: Description | undefined): boolean {
  const indexes = (table?.['GlobalSecondaryIndexes'] ?? []) as readonly Description[]
  return table?.['TableStatus'] === 'ACTIVE' && indexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE')
}
