import { isObject, type Json } from '../table-design.ts'
import { dynamodbTarget, type Answer, type ResourcePort } from './resource-port.ts'
import type { Step } from './resource-plan.ts'
import type { TablePlan } from './table-plan.ts'
import { described, isInRegion, tablesIn } from './table-port.ts'
import { isMissing } from './unless-missing.ts'

/** Carries a plan out, one request after the other. */
export async function carryOut(port: ResourcePort, { table, steps }: TablePlan): Promise<void> {
  for (const step of steps) await takeTableStep(port, table.name, step)
}

/** A table takes the next request once it is active again. */
export async function takeTableStep(port: ResourcePort, name: string, step: Step): Promise<void> {
  try {
    if (await isOfOneRegion(port, name, step)) return
    const input = await withArn(port, step, name)
    await port.call(step.target ?? dynamodbTarget, step.operation, input, step.region)
  } catch (error) {
    if (step.isElsewhere !== true || !isMissing(error)) throw error
    // The replica is on another server, where its own settings are made.
    return
  }
  if (step.target === undefined) await settleTable(port, name, step)
}

/** Whether it is about replicas, on a server that has only one region. */
async function isOfOneRegion(port: ResourcePort, TableName: string, step: Step): Promise<boolean> {
  const { region, input, isElsewhere } = step
  if (region === undefined || (isElsewhere !== true && !('ReplicaUpdates' in input))) return false
  const { Table } = await tablesIn(port, region).request('DescribeTable', { TableName })
  return !isInRegion(Table as Answer, region)
}

/** The name of a resource is known once it is there. */
async function withArn(port: ResourcePort, { input, region }: Step, TableName: string): Promise<object> {
  if (!('ResourceArn' in input) || input.ResourceArn !== '') return input
  const { Table } = await tablesIn(port, region).request('DescribeTable', { TableName })
  return { ...input, ResourceArn: (Table as Answer)['TableArn'] }
}

async function settleTable(port: ResourcePort, TableName: string, step: Step): Promise<void> {
  const find = async (region: string | undefined): Promise<Answer | undefined> =>
    (await described(tablesIn(port, region).request('DescribeTable', { TableName })))?.['Table'] as
      Answer | undefined
  if (step.operation === 'DeleteTable') return until(async () => (await find(step.region)) === undefined)
  await until(async () => isActive(await find(step.region), 'ReplicaUpdates' in step.input))
  if (step.operation !== 'UpdateTable') return
  // What changes in one region changes in all of them, and each takes its time.
  const regions = listIn(await find(step.region), 'Replicas').map(({ RegionName }) => RegionName)
  for (const region of regions) {
    await until(async () => {
      const replica = await find(String(region))
      return replica === undefined || isActive(replica, false)
    })
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let pauseMs = 20; !(await isSo()); pauseMs = Math.min(5_000, pauseMs * 2))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
}

function isActive(table: Answer | undefined, withReplicas: boolean): boolean {
  const replicas = withReplicas ? listIn(table, 'Replicas') : []
  return (
    table?.['TableStatus'] === 'ACTIVE' &&
    listIn(table, 'GlobalSecondaryIndexes').every(({ IndexStatus }) => IndexStatus === 'ACTIVE') &&
    replicas.every(({ ReplicaStatus }) => ReplicaStatus === 'ACTIVE')
  )
}

function listIn(table: Answer | undefined, name: string): readonly Answer[] {
  const list = table?.[name]
  return Array.isArray(list) ? (list as readonly Json[]).filter((one) => isObject(one)) : []
}
