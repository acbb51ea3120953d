import { listOf, objectOf, type Json, type JsonObject, type TableDesign, plainText } from '../table-design.ts'
import { indexSteps } from './index-steps.ts'
import { isSame, keyTypes, unitsOf } from './compare.ts'
import { settingSteps } from './setting-steps.ts'
import type { Step } from './resource-plan.ts'
import type { TablePlan } from './table-plan.ts'
import { described, type TablePort } from './table-port.ts'

/** Compares a table with how it is declared. Nothing is changed. */
export async function planTable(port: TablePort, table: TableDesign): Promise<TablePlan> {
  const TableName = table.name
  const found = await described(port.request('DescribeTable', { TableName }))
  if (found === undefined) return { table, kind: 'create', steps: await newTable(table) }
  const current = objectOf(found['Table'] as Json)
  const reason = whyAnother(table.create, current)
  if (reason !== undefined) {
    const remove = { does: 'deletes the table', operation: 'DeleteTable', input: { TableName } }
    const protection = { TableName, DeletionProtectionEnabled: false }
    const unprotect = { does: 'turns deletion protection off', operation: 'UpdateTable', input: protection }
    const isProtected = current['DeletionProtectionEnabled'] === true
    const steps = [...(isProtected ? [unprotect] : []), remove, ...(await newTable(table))]
    return { table, kind: 'replace', reason, steps }
  }
  const { removed, staying, added } = indexSteps(table, current)
  const settings = await settingSteps(port, table, plainText(current['TableArn']))
  // What is removed is removed first, so that a change of capacity is about the indexes that stay.
  const steps = [...removed, ...tableSteps(table, current, staying), ...added, ...settings]
  return { table, kind: steps.length === 0 ? 'unchanged' : 'update', steps }
}

async function newTable(table: TableDesign): Promise<readonly Step[]> {
  const create = { does: 'creates the table', operation: 'CreateTable', input: table.create }
  return [create, ...(await settingSteps(undefined, table, ''))]
}

/** The key of a table, and its local indexes, cannot be changed. */
function whyAnother(create: JsonObject, current: JsonObject): string | undefined {
  if (!isSame(keyTypes(create), keyTypes(current))) return 'its key is different'
  const locals = (owner: JsonObject): readonly Json[] =>
    listOf(owner['LocalSecondaryIndexes'])
      .map(objectOf)
      .map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }) as Json)
      .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  return isSame(locals(create), locals(current)) ? undefined : 'its local secondary indexes are different'
}

function tableSteps(
  { create, scaled }: TableDesign,
  current: JsonObject,
  staying: readonly JsonObject[],
): readonly Step[] {
  const { TableName } = create
  const update = (does: string, input: object): Step => ({
    does,
    operation: 'UpdateTable',
    input: { TableName, ...input },
  })
  const steps: Step[] = []
  const mode = objectOf(current['BillingModeSummary'])['BillingMode'] ?? 'PROVISIONED'
  const isOnDemand = create['BillingMode'] === 'PAY_PER_REQUEST'
  if (create['BillingMode'] !== mode) {
    steps.push(
      update(
        isOnDemand ? 'changes to on-demand capacity' : 'changes to provisioned capacity',
        capacityOf(create, staying),
      ),
    )
  } else if (!isOnDemand && scaled?.has('') !== true && !isSame(unitsOf(create), unitsOf(current))) {
    steps.push(
      update('changes the provisioned capacity', { ProvisionedThroughput: create['ProvisionedThroughput'] }),
    )
  }
  if (isOnDemand && !isSame(create['OnDemandThroughput'] ?? null, current['OnDemandThroughput'] ?? null)) {
    const OnDemandThroughput = create['OnDemandThroughput'] ?? { MaxReadRequestUnits: -1, MaxWriteRequestUnits: -1 }
    steps.push(update('changes the maximum throughput', { OnDemandThroughput }))
  }
  const view = objectOf(create['StreamSpecification'])['StreamViewType']
  const stream = objectOf(current['StreamSpecification'])
  const currentView = stream['StreamEnabled'] === true ? stream['StreamViewType'] : undefined
  if (view !== currentView) {
    if (currentView !== undefined)
      steps.push(update('turns the stream off', { StreamSpecification: { StreamEnabled: false } }))
    if (view !== undefined)
      steps.push(update(`streams ${plainText(view)}`, { StreamSpecification: create['StreamSpecification'] }))
  }
  const tableClass = objectOf(current['TableClassSummary'])['TableClass'] ?? 'STANDARD'
  if ((create['TableClass'] ?? 'STANDARD') !== tableClass)
    steps.push(update('changes the table class', { TableClass: create['TableClass'] ?? 'STANDARD' }))
  const isProtected = create['DeletionProtectionEnabled'] === true
  if (isProtected !== (current['DeletionProtectionEnabled'] === true)) {
    steps.push(
      update(`turns deletion protection ${isProtected ? 'on' : 'off'}`, { DeletionProtectionEnabled: isProtected }),
    )
  }
  return steps
}

/** With the mode, the capacity of every index is given too. */
function capacityOf(create: JsonObject, indexes: readonly JsonObject[]): object {
  const { BillingMode, ProvisionedThroughput } = create
  if (BillingMode === 'PAY_PER_REQUEST') return { BillingMode }
  return {
    BillingMode,
    ProvisionedThroughput,
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexUpdates: indexes.map((index) => ({
        Update: { IndexName: index['IndexName'], ProvisionedThroughput: index['ProvisionedThroughput'] },
      })),
    }),
  }
}
