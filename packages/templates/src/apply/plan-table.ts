import {
  listOf,
  objectOf,
  plainText,
  TemplateError,
  type Json,
  type JsonObject,
  type TableDesign,
} from '../table-design.ts'
import { indexSteps } from './index-steps.ts'
import { isKey, isSame, keyTypes, wantedCapacity } from './compare.ts'
import { tableScalingSteps } from './plan-scaling.ts'
import { removalOfReplicas, replicaSteps } from './replica-steps.ts'
import { settingSteps } from './setting-steps.ts'
import type { ResourcePlan, Step } from './resource-plan.ts'
import { servicesIn, type ResourcePort } from './resource-port.ts'
import type { TablePlan } from './table-plan.ts'
import { described, isInRegion, tablesIn } from './table-port.ts'

/** Compares a table with how it is declared. Nothing is changed. */
export async function planTable(port: ResourcePort, table: TableDesign): Promise<TablePlan> {
  const region = table.global?.region
  const count = table.global?.replicas.length ?? 0
  if (count > mostReplicas)
    throw new TemplateError(
      `${table.origin} declares ${count} replicas. A table can have at most ${mostReplicas}: AWS has fewer regions.`,
    )
  const { steps, ...plan } = await planHere(port, servicesIn(port, region), table)
  return { table, ...plan, steps: region === undefined ? steps : steps.map((step) => ({ region, ...step })) }
}

/** Before the first of them is made: the database rejects what is beyond, too. */
const mostReplicas = 50

/** `here` are the services in the region of the table. */
async function planHere(port: ResourcePort, here: ResourcePort, table: TableDesign): Promise<ResourcePlan> {
  const TableName = table.name
  const found = await described(tablesIn(here).request('DescribeTable', { TableName }))
  if (found === undefined) return { kind: 'create', steps: await newTable(port, here, table) }
  const current = objectOf(found['Table'] as Json)
  const reason = whyAnother(table.create, current)
  if (reason !== undefined) {
    const remove = { does: 'deletes the table', operation: 'DeleteTable', input: { TableName } }
    const protection = { TableName, DeletionProtectionEnabled: false }
    const unprotect = { does: 'turns deletion protection off', operation: 'UpdateTable', input: protection }
    const isProtected = current['DeletionProtectionEnabled'] === true
    const alone = table.global === undefined ? [] : removalOfReplicas(TableName, current)
    const steps = [...(isProtected ? [unprotect] : []), ...alone, remove, ...(await newTable(port, here, table))]
    return { kind: 'replace', reason, steps }
  }
  const { removed, staying, added } = indexSteps(table, current)
  const settings = await settingSteps(tablesIn(here), table, plainText(current['TableArn']))
  // What is removed is removed first, so that a change of capacity is about the indexes that stay.
  const changes = [...removed, ...tableSteps(table, current, staying), ...added]
  const ofReplicas = await globalSteps(port, here, table, current)
  // So are replicas: some of what a table can change, its replicas forbid.
  const isRemoval = (step: Step): boolean => step.isRemoval === true
  const steps = [
    ...ofReplicas.filter(isRemoval),
    ...changes,
    ...ofReplicas.filter((step) => !isRemoval(step)),
    ...settings,
  ]
  return { kind: steps.length === 0 ? 'unchanged' : 'update', steps }
}

async function newTable(port: ResourcePort, here: ResourcePort, table: TableDesign): Promise<readonly Step[]> {
  const create = { does: 'creates the table', operation: 'CreateTable', input: table.create }
  const settings = await settingSteps(undefined, table, '')
  return [create, ...(await globalSteps(port, here, table, undefined)), ...settings]
}

/** Provisioned writes must scale before there are replicas. */
async function globalSteps(
  port: ResourcePort,
  here: ResourcePort,
  table: TableDesign,
  current: JsonObject | undefined,
): Promise<readonly Step[]> {
  const { global } = table
  if (global === undefined || !isInRegion(current, global.region)) return []
  return [
    ...(await tableScalingSteps(here, table, global.scaling)),
    ...(await replicaSteps(port, table, global, current)),
  ]
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
  } else if (!isOnDemand) {
    const ProvisionedThroughput = wantedCapacity(create, current, '', scaled)
    if (ProvisionedThroughput !== undefined)
      steps.push(update('changes the provisioned capacity', { ProvisionedThroughput }))
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
  const encryption = encryptionChange(create, current)
  if (encryption !== undefined) steps.push(update(encryption.does, { SSESpecification: encryption.wanted }))
  const isProtected = create['DeletionProtectionEnabled'] === true
  if (isProtected !== (current['DeletionProtectionEnabled'] === true)) {
    steps.push(
      update(`turns deletion protection ${isProtected ? 'on' : 'off'}`, { DeletionProtectionEnabled: isProtected }),
    )
  }
  return steps
}

/** Without a key of its own, a table keeps the one that it has. */
function encryptionChange(
  create: JsonObject,
  current: JsonObject,
): { readonly does: string; readonly wanted: JsonObject } | undefined {
  const { Enabled = false, KMSMasterKeyId } = objectOf(create['SSESpecification'])
  const { Status, KMSMasterKeyArn } = objectOf(current['SSEDescription'])
  const isOn = Status === 'ENABLED' || Status === 'UPDATING' || Status === 'ENABLING'
  if (Enabled !== true) return isOn ? { does: 'no longer uses a KMS key', wanted: { Enabled: false } } : undefined
  const isSame = typeof KMSMasterKeyId !== 'string' || isKey(KMSMasterKeyId, plainText(KMSMasterKeyArn ?? ''))
  if (isOn && isSame) return undefined
  return { does: 'encrypts with a KMS key', wanted: objectOf(create['SSESpecification']) }
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
