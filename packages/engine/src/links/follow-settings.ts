import { isDeepStrictEqual } from 'node:util'
import type { CreateTableInput, GlobalSecondaryIndexInput, UpdateTableInput } from '../api/table-inputs.ts'
import type { Table } from '../catalog/table.ts'
import type { ReplicaOverrides, TableDefinition } from '../definitions/table-definition.ts'
import { changeTables } from '../operations/update-table.ts'
import { changeTimeToLive } from '../operations/update-time-to-live.ts'
import { replicaIn, scopeOf, withReplica } from '../replication/members.ts'
import { withOverrides } from '../replication/replica-definition.ts'
import { synchronised } from '../replication/synchronised-settings.ts'
import { isLater, nextStamp } from '../stamps/stamp.ts'
import type { LinkHost } from './link-host.ts'
import type { TableView } from './link-messages.ts'
import { sharedSettings } from './shared-settings.ts'
import { settingsOf } from './table-settings.ts'

/** Brings the settings that all replicas share to those of another replica, if they were changed there later. Each call
 *  makes one step: an index must be built before the next one can be. The definition counts as changed only when all steps
 *  are done, so that the other never sees half of them as a change of its own. */
export async function followSettings(engine: LinkHost, table: Table, view: TableView): Promise<void> {
  const { definition } = table
  const { settingsAt } = view
  const own = definition.replication?.settingsAt
  if (settingsAt === undefined || (own !== undefined && !isLater(settingsAt, own))) return
  if (definition.status !== 'ACTIVE' && definition.status !== 'UPDATING') return
  if (definition.globalIndexes.some(({ status }) => status !== 'ACTIVE')) return
  await followOverrides(engine, table, view)
  const settings = settingsOf(definition)
  const overrides = [ownOverrides(view.replicas, view.region), ownOverrides(view.replicas, definition.region)]
  const difference = nextUpdate(settings, sharedSettings(view.settings, settings, overrides))
  const update = difference && synchronised(difference, table)
  if (update !== undefined && !isDone(definition, update)) {
    await changeTables(engine, [{ table, scope: scopeOf(table), input: update }])
    return
  }
  const attribute = definition.timeToLive?.attributeName
  if (attribute !== view.timeToLive) {
    if (attribute !== undefined) await changeTimeToLive(engine, [table], false, attribute)
    if (view.timeToLive !== undefined) await changeTimeToLive(engine, [table], true, view.timeToLive)
    return
  }
  // Warm throughput only rises: where more was asked for here, the others have to follow in turn.
  const followed = isWarmer(settings, view.settings)
    ? nextStamp(settingsAt, engine.clock.now(), definition.region)
    : settingsAt
  await engine.catalog.change(table, (current) =>
    current.replication === undefined
      ? current
      : { ...current, replication: { ...current.replication, settingsAt: followed } },
  )
}

/** What is overridden in which replica is known to all of them. */
async function followOverrides(engine: LinkHost, table: Table, view: TableView): Promise<void> {
  const { region } = table.definition
  for (const { region: name, overrides = {} } of view.replicas) {
    const known = replicaIn(table.definition, name)
    if (known === undefined || isDeepStrictEqual(known.overrides ?? {}, overrides)) continue
    const nowMs = engine.clock.now()
    await engine.catalog.change(table, (current) => {
      const changed = withReplica(current, { ...known, overrides })
      return name === region ? withOverrides(changed, overrides, nowMs) : changed
    })
  }
}

function ownOverrides(replicas: TableView['replicas'], region: string): ReplicaOverrides {
  return replicas.find((replica) => replica.region === region)?.overrides ?? {}
}

/** With its own overrides, a replica may differ from the other for good. */
function isDone(definition: TableDefinition, update: UpdateTableInput): boolean {
  if (update.GlobalSecondaryIndexUpdates !== undefined || update.VectorIndexUpdates !== undefined) return false
  const own: Readonly<Record<string, unknown>> = { ...settingsOf(definition) }
  return Object.entries(update).every(([name, value]) => isDeepStrictEqual(own[name], value))
}

/** The next request that brings a table closer to what is wanted; undefined if it is the same. */
function nextUpdate(own: CreateTableInput, wanted: CreateTableInput): UpdateTableInput | undefined {
  const { TableName } = own
  const ownIndexes = own.GlobalSecondaryIndexes ?? []
  const wantedIndexes = wanted.GlobalSecondaryIndexes ?? []
  const surplus = ownIndexes.find((index) => !hasIndex(wanted, shapeOf(own, index)))
  if (surplus !== undefined) {
    return { TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: surplus.IndexName } }] }
  }
  const ownVectors = own.VectorIndexes ?? []
  const wantedVectors = wanted.VectorIndexes ?? []
  const dropped = ownVectors.find((index) => !wantedVectors.some((other) => isDeepStrictEqual(other, index)))
  if (dropped !== undefined) {
    return { TableName, VectorIndexUpdates: [{ Delete: { IndexName: dropped.IndexName } }] }
  }
  if (own.BillingMode !== wanted.BillingMode) return billingUpdate(TableName, wanted, ownIndexes)
  const missing = wantedIndexes.find((index) => !hasIndex(own, shapeOf(wanted, index)))
  if (missing !== undefined) {
    const { AttributeDefinitions } = wanted
    return { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create: missing }] }
  }
  const added = wantedVectors.find((index) => !ownVectors.some((other) => isDeepStrictEqual(other, index)))
  if (added !== undefined) {
    const { AttributeDefinitions } = wanted
    return { TableName, AttributeDefinitions, VectorIndexUpdates: [{ Create: added }] }
  }
  if (!isDeepStrictEqual(own.ProvisionedThroughput, wanted.ProvisionedThroughput)) {
    return billingUpdate(TableName, wanted, [])
  }
  const changed = wantedIndexes.flatMap((index) => {
    const before = ownIndexes.find(({ IndexName }) => IndexName === index.IndexName)
    const change = capacityChange(before ?? {}, index)
    return change === undefined ? [] : { Update: { IndexName: index.IndexName, ...change } }
  })
  if (changed.length > 0) return { TableName, GlobalSecondaryIndexUpdates: changed }
  const limited = capacityChange(own, withoutProvisioned(wanted))
  if (limited !== undefined) return { TableName, ...limited }
  const TableClass = wanted.TableClass ?? 'STANDARD'
  if ((own.TableClass ?? 'STANDARD') !== TableClass) return { TableName, TableClass }
  if ((own.SSESpecification === undefined) !== (wanted.SSESpecification === undefined)) {
    return { TableName, SSESpecification: wanted.SSESpecification ?? { Enabled: false } }
  }
  return undefined
}

function billingUpdate(
  TableName: string,
  { BillingMode, ProvisionedThroughput, GlobalSecondaryIndexes = [] }: CreateTableInput,
  switching: readonly GlobalSecondaryIndexInput[],
): UpdateTableInput {
  const names = switching.map(({ IndexName }) => IndexName)
  const provisioned = GlobalSecondaryIndexes.filter(
    (index) => names.includes(index.IndexName) && index.ProvisionedThroughput !== undefined,
  )
  return {
    TableName,
    ...(BillingMode !== undefined && { BillingMode }),
    ...(ProvisionedThroughput !== undefined && { ProvisionedThroughput }),
    ...(provisioned.length > 0 && { GlobalSecondaryIndexUpdates: provisioned.map(throughputUpdate) }),
  }
}

function throughputUpdate({ IndexName, ProvisionedThroughput }: GlobalSecondaryIndexInput): {
  readonly Update: {
    readonly IndexName: string
    readonly ProvisionedThroughput?: NonNullable<typeof ProvisionedThroughput>
  }
} {
  return { Update: { IndexName, ...(ProvisionedThroughput !== undefined && { ProvisionedThroughput }) } }
}

type OnDemand = NonNullable<GlobalSecondaryIndexInput['OnDemandThroughput']>
type Warm = NonNullable<GlobalSecondaryIndexInput['WarmThroughput']>
type Capacity = Pick<GlobalSecondaryIndexInput, 'ProvisionedThroughput' | 'OnDemandThroughput' | 'WarmThroughput'>

function withoutProvisioned({ OnDemandThroughput, WarmThroughput }: CreateTableInput): Capacity {
  return {
    ...(OnDemandThroughput !== undefined && { OnDemandThroughput }),
    ...(WarmThroughput !== undefined && { WarmThroughput }),
  }
}

/** What a table or an index must be asked for to have the capacity that is wanted; undefined if it has it. */
function capacityChange(own: Capacity, wanted: Capacity): Capacity | undefined {
  const { ProvisionedThroughput } = wanted
  const OnDemandThroughput = limitsOf(wanted)
  const WarmThroughput = warmer(own, wanted)
  const change: Capacity = {
    ...(ProvisionedThroughput !== undefined &&
      !isDeepStrictEqual(own.ProvisionedThroughput, ProvisionedThroughput) && { ProvisionedThroughput }),
    ...(!isDeepStrictEqual(limitsOf(own), OnDemandThroughput) && { OnDemandThroughput }),
    ...(WarmThroughput !== undefined && { WarmThroughput }),
  }
  return Object.keys(change).length === 0 ? undefined : change
}

/** UpdateTable takes -1 for no limit. */
function limitsOf({ OnDemandThroughput: limits }: Capacity): Required<OnDemand> {
  return {
    MaxReadRequestUnits: limits?.MaxReadRequestUnits ?? -1,
    MaxWriteRequestUnits: limits?.MaxWriteRequestUnits ?? -1,
  }
}

/** Warm throughput can only rise. */
function warmer({ WarmThroughput: own }: Capacity, { WarmThroughput: wanted }: Capacity): Warm | undefined {
  const [reads, writes] = [own?.ReadUnitsPerSecond ?? 0, own?.WriteUnitsPerSecond ?? 0]
  const wantedReads = Math.max(reads, wanted?.ReadUnitsPerSecond ?? 0)
  const wantedWrites = Math.max(writes, wanted?.WriteUnitsPerSecond ?? 0)
  if (wantedReads === reads && wantedWrites === writes) return undefined
  return { ReadUnitsPerSecond: wantedReads, WriteUnitsPerSecond: wantedWrites }
}

function isWarmer(own: CreateTableInput, told: CreateTableInput): boolean {
  const toldOf = ({ IndexName }: GlobalSecondaryIndexInput): Capacity =>
    told.GlobalSecondaryIndexes?.find((index) => index.IndexName === IndexName) ?? {}
  const ownIndexes = own.GlobalSecondaryIndexes ?? []
  return warmer(told, own) !== undefined || ownIndexes.some((index) => warmer(toldOf(index), index) !== undefined)
}

/** What cannot be changed in an index, with the types of its key: an index with another shape has to be built anew. */
function shapeOf({ AttributeDefinitions }: CreateTableInput, index: GlobalSecondaryIndexInput): object {
  const { IndexName, KeySchema, Projection } = index
  const names = KeySchema.map(({ AttributeName }) => AttributeName)
  const types = AttributeDefinitions.filter(({ AttributeName }) => names.includes(AttributeName))
  return { IndexName, KeySchema, types, Projection }
}

function hasIndex(settings: CreateTableInput, shape: object): boolean {
  return (settings.GlobalSecondaryIndexes ?? []).some((index) => isDeepStrictEqual(shapeOf(settings, index), shape))
}
