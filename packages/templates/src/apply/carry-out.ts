import type { Step, TablePlan } from './table-plan.ts'
import { unlessMissing, type TablePort } from './table-port.ts'

type Description = Readonly<Record<string, unknown>>

/** Carries a plan out, one request after the other: a table takes the next once it is active again. */
export async function carryOut(
  port: TablePort,
  plan: TablePlan,
  tell: (step: Step) => void = () => undefined,
): Promise<void> {
  const TableName = plan.table.name
  for (const step of plan.steps) {
    tell(step)
    await port.request(step.operation, await completed(port, step, TableName))
    await settle(port, TableName, step.operation === 'DeleteTable')
  }
}

/** The name of a resource is known once it is there. */
async function completed(port: TablePort, { input }: Step, TableName: string): Promise<object> {
  if (!('ResourceArn' in input) || input.ResourceArn !== '') return input
  const { Table } = await port.request('DescribeTable', { TableName })
  return { ...input, ResourceArn: (Table as Description)['TableArn'] }
}

async function settle(port: TablePort, TableName: string, isDeleted: boolean): Promise<void> {
  for (let pauseMs = 20; ; pauseMs = Math.min(5_000, pauseMs * 2)) {
    const answer = await unlessMissing(port.request('DescribeTable', { TableName }))
    const table = answer?.['Table'] as Description | undefined
    if (isDeleted ? table === undefined : isActive(table)) return
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

function isActive(table: Description | undefined): boolean {
  const indexes = (table?.['GlobalSecondaryIndexes'] ?? []) as readonly Description[]
  return table?.['TableStatus'] === 'ACTIVE' && indexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE')
}
