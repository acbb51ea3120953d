import {
  listOf,
  objectOf,
  partOf,
  plainText,
  type GlobalDesign,
  type Json,
  type JsonObject,
  type ReplicaDesign,
  type TableDesign,
} from '../table-design.ts'
import { isKey } from './compare.ts'
import { tableScalingSteps } from './plan-scaling.ts'
import type { Step } from './resource-plan.ts'
import { servicesIn, type ResourcePort } from './resource-port.ts'
import { replicaSettings } from './setting-steps.ts'
import { described, isInRegion, tablesIn } from './table-port.ts'

/** Makes the replicas of a global table as they are declared. `current` is how the table is described in its own region;
 *  without it, the table is new. */
export async function replicaSteps(
  port: ResourcePort,
  table: TableDesign,
  global: GlobalDesign,
  current: JsonObject | undefined,
): Promise<readonly Step[]> {
  const existing = regionsIn(current, 'Replicas')
  const removed = existing.filter((region) => !global.replicas.some((replica) => replica.region === region))
  const added = global.replicas.filter(({ region }) => !existing.includes(region))
  const kept = global.replicas.filter(({ region }) => existing.includes(region))
  return [
    ...membershipSteps(table, global, { current, removed, added }),
    ...(await Promise.all(kept.map((replica) => changedReplica(port, table.name, replica)))).flat(),
    ...(await Promise.all(added.map((replica) => newReplica(port, replica)))).flat(),
  ]
}

/** Takes all replicas out of a global table, so that what is left is a table. */
export function removalOfReplicas(TableName: string, current: JsonObject): readonly Step[] {
  const removed = regionsIn(current, 'Replicas')
  const witnesses = regionsIn(current, 'GlobalTableWitnesses')
  if (current['MultiRegionConsistency'] !== 'STRONG') return removed.map((region) => removal(TableName, region))
  return removed.length === 0 ? [] : [together(TableName, { removed, added: [], witnesses, isStrong: false })]
}

interface Membership {
  readonly current: JsonObject | undefined
  readonly removed: readonly string[]
  readonly added: readonly ReplicaDesign[]
}

/** One replica a request; but those of a strongly consistent table all at once, with its witness. */
function membershipSteps(
  table: TableDesign,
  { isStrong, witness, replicas }: GlobalDesign,
  { current, removed, added }: Membership,
): readonly Step[] {
  const wasStrong = current?.['MultiRegionConsistency'] === 'STRONG'
  if (!isStrong && !wasStrong) {
    return [
      ...removed.map((region) => removal(table.name, region)),
      ...added.map((replica) => update(table.name, addition(replica), [{ Create: creation(table, replica) }])),
    ]
  }
  const changes = added.length + removed.length > 0
  if (wasStrong && !isStrong && !changes && replicas.length > 0) return [consistency(table.name)]
  if (!changes) return []
  const witnesses = replicas.length === 0 ? regionsIn(current, 'GlobalTableWitnesses') : []
  const creations = added.map((replica) => ({ replica, input: creation(table, replica) }))
  const isMade = isStrong && !wasStrong
  const more = isMade && witness !== undefined ? [witness] : []
  return [together(table.name, { removed, added: creations, witnesses, isStrong: isMade, newWitnesses: more })]
}

function removal(TableName: string, RegionName: string): Step {
  const step = update(TableName, `removes the replica in ${RegionName}`, [{ Delete: { RegionName } }])
  return { ...step, isRemoval: true }
}

function addition({ region }: ReplicaDesign): string {
  return `adds a replica in ${region}`
}

function update(TableName: string, does: string, ReplicaUpdates: readonly object[], more: object = {}): Step {
  return { does, operation: 'UpdateTable', input: { TableName, ReplicaUpdates, ...more } }
}

/** The service says why it cannot be. */
function consistency(TableName: string): Step {
  const does = 'makes it eventually consistent'
  return { does, operation: 'UpdateTable', input: { TableName, MultiRegionConsistency: 'EVENTUAL' } }
}

interface Together {
  readonly removed: readonly string[]
  readonly added: readonly { readonly replica: ReplicaDesign; readonly input: object }[]
  /** That are removed. */
  readonly witnesses: readonly string[]
  readonly newWitnesses?: readonly string[]
  readonly isStrong: boolean
}

function together(TableName: string, { removed, added, witnesses, newWitnesses = [], isStrong }: Together): Step {
  const does = [
    ...removed.map((region) => `removes the replica in ${region}`),
    ...added.map(({ replica }) => addition(replica)),
    ...witnesses.map((region) => `removes the witness in ${region}`),
    ...newWitnesses.map((region) => `adds a witness in ${region}`),
  ]
  const ReplicaUpdates = [
    ...removed.map((RegionName) => ({ Delete: { RegionName } })),
    ...added.map(({ input }) => ({ Create: input })),
  ]
  const GlobalTableWitnessUpdates = [
    ...witnesses.map((RegionName) => ({ Delete: { RegionName } })),
    ...newWitnesses.map((RegionName) => ({ Create: { RegionName } })),
  ]
  const step = update(TableName, does.join(', '), ReplicaUpdates, {
    ...(GlobalTableWitnessUpdates.length > 0 && { GlobalTableWitnessUpdates }),
    ...(isStrong && { MultiRegionConsistency: 'STRONG' }),
  })
  return { ...step, isRemoval: added.length === 0 }
}

/** A new replica is like its table, but for what is declared to be different. */
function creation(table: TableDesign, { region, table: wanted }: ReplicaDesign): JsonObject {
  return { RegionName: region, ...overrides(wanted, table.create, undefined) }
}

async function newReplica(port: ResourcePort, replica: ReplicaDesign): Promise<readonly Step[]> {
  const { region, table, scaling } = replica
  const settings = await replicaSettings(undefined, table, '')
  const protection = table.create['DeletionProtectionEnabled'] === true ? [protect(table.name, true)] : []
  const scaled = await tableScalingSteps(servicesIn(port, region), table, scaling)
  return inRegion(region, [...scaled, ...settings, ...protection])
}

async function changedReplica(
  port: ResourcePort,
  TableName: string,
  { region, table, scaling }: ReplicaDesign,
): Promise<readonly Step[]> {
  const there = tablesIn(port, region)
  const answer = await described(there.request('DescribeTable', { TableName }))
  const current = objectOf(answer?.['Table'] as Json)
  // A replica on another server is looked after there.
  if (answer === undefined || !isInRegion(current, region)) return []
  const different = overrides(table, current, table.scaled)
  const change = { Update: { RegionName: region, ...different } }
  const names = Object.keys(different).map((name) => overrideNames[name] ?? name)
  const isProtected = table.create['DeletionProtectionEnabled'] === true
  const scaled = await tableScalingSteps(servicesIn(port, region), table, scaling)
  return [
    ...(names.length === 0
      ? []
      : [{ ...update(TableName, `changes ${names.join(' and ')} of the replica in ${region}`, [change]) }]),
    ...inRegion(region, [
      ...(isProtected === (current['DeletionProtectionEnabled'] === true) ? [] : [protect(TableName, isProtected)]),
      ...scaled,
      ...(await replicaSettings(there, table, plainText(current['TableArn']))),
    ]),
  ]
}

const overrideNames: Readonly<Record<string, string>> = {
  TableClassOverride: 'the table class',
  ProvisionedThroughputOverride: 'the read capacity',
  OnDemandThroughputOverride: 'the maximum throughput',
  GlobalSecondaryIndexes: 'the capacity of indexes',
  KMSMasterKeyId: 'the encryption key',
}

/** What of a replica is declared otherwise than it is, or than its table is. What auto scaling has set is not set back. */
function overrides(
  { create }: TableDesign,
  current: JsonObject,
  scaled: ReadonlySet<string> | undefined,
): JsonObject {
  const wantedClass = create['TableClass'] ?? 'STANDARD'
  const currentClass = current['TableClass'] ?? objectOf(current['TableClassSummary'])['TableClass'] ?? 'STANDARD'
  const key = objectOf(create['SSESpecification'])['KMSMasterKeyId']
  const currentKey = plainText(
    objectOf(current['SSEDescription'])['KMSMasterKeyArn'] ??
      objectOf(current['SSESpecification'])['KMSMasterKeyId'] ??
      '',
  )
  const existing = new Map(indexesOf(current).map((index) => [index['IndexName'], index]))
  const indexes = indexesOf(create).flatMap((index): Json[] => {
    const { IndexName = null } = index
    const before = existing.get(IndexName)
    const different = before === undefined ? {} : capacityOverrides(plainText(IndexName), index, before, scaled)
    return Object.keys(different).length === 0 ? [] : [{ IndexName, ...different }]
  })
  return {
    ...(wantedClass !== currentClass && { TableClassOverride: wantedClass }),
    ...capacityOverrides('', create, current, scaled),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
    ...(typeof key === 'string' && !isKey(key, currentKey) && { KMSMasterKeyId: key }),
  }
}

function capacityOverrides(
  indexName: string,
  declared: JsonObject,
  current: JsonObject,
  scaled: ReadonlySet<string> | undefined,
): JsonObject {
  const { ReadCapacityUnits } = objectOf(declared['ProvisionedThroughput'])
  const reads = objectOf(current['ProvisionedThroughput'])['ReadCapacityUnits']
  const isScaled = scaled?.has(partOf(indexName, 'ReadCapacityUnits')) === true
  const { MaxReadRequestUnits = -1 } = objectOf(declared['OnDemandThroughput'])
  const { MaxReadRequestUnits: most = -1 } = objectOf(current['OnDemandThroughput'])
  return {
    ...(ReadCapacityUnits !== undefined &&
      ReadCapacityUnits !== reads &&
      !isScaled && { ProvisionedThroughputOverride: { ReadCapacityUnits } }),
    ...(MaxReadRequestUnits !== most && { OnDemandThroughputOverride: { MaxReadRequestUnits } }),
  }
}

function indexesOf(table: JsonObject): readonly JsonObject[] {
  return listOf(table['GlobalSecondaryIndexes']).map(objectOf)
}

function protect(TableName: string, DeletionProtectionEnabled: boolean): Step {
  const does = `turns deletion protection ${DeletionProtectionEnabled ? 'on' : 'off'}`
  return { does, operation: 'UpdateTable', input: { TableName, DeletionProtectionEnabled } }
}

function inRegion(region: string, steps: readonly Step[]): readonly Step[] {
  return steps.map((step) => ({ ...step, does: `${step.does} in ${region}`, region, isElsewhere: true }))
}

function regionsIn(table: JsonObject | undefined, name: 'Replicas' | 'GlobalTableWitnesses'): readonly string[] {
  return listOf(table?.[name])
    .map(objectOf)
    .map(({ RegionName }) => plainText(RegionName))
}
