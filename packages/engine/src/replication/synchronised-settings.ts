import type { UpdateTableInput } from '../api/table-inputs.ts'
import type { Table } from '../catalog/table.ts'
import type { TableDefinition, Throughput } from '../definitions/table-definition.ts'
import { nextStamp } from '../stamps/stamp.ts'
import { replicaIn } from './members.ts'

/** What UpdateTable on one replica means for another: the same request, without what each replica has of its own, and
 *  with what was asked to be different there. Undefined if it means nothing: to ask for the capacity that there is would be
 *  refused.
 *
 *  Always synchronised: the billing mode, write capacity, indexes, warm throughput, whether a key of KMS encrypts.
 *  Synchronised unless overridden: read capacity, the table class. Each replica's own: deletion protection; and, by
 *  other operations, point-in-time recovery, tags, policies, Contributor Insights and Kinesis destinations. */
export function synchronised(input: UpdateTableInput, { definition }: Table): UpdateTableInput | undefined {
  const {
    readUnits,
    maxReadUnits,
    tableClass,
    indexes = [],
  } = replicaIn(definition, definition.region)?.overrides ?? {}
  const {
    DeletionProtectionEnabled: _protection,
    StreamSpecification: _stream,
    TableClass,
    ProvisionedThroughput,
    OnDemandThroughput,
    SSESpecification,
    GlobalSecondaryIndexUpdates = [],
    ...rest
  } = input
  // With another billing mode, everything is given again.
  const isSwitched = rest.BillingMode !== undefined && rest.BillingMode !== definition.billing.mode
  const isAsItIs = (units: Provisioned | undefined, current: Throughput | undefined): boolean =>
    !isSwitched &&
    units?.ReadCapacityUnits === current?.readUnits &&
    units?.WriteCapacityUnits === current?.writeUnits
  const wanted = ProvisionedThroughput && reading(ProvisionedThroughput, readUnits)
  const provisioned = isAsItIs(wanted, definition.billing.throughput) ? undefined : wanted
  const indexUpdates = GlobalSecondaryIndexUpdates.flatMap(({ Create, Update, Delete }) => {
    const name = (Create ?? Update)?.IndexName
    const own = indexes.find(({ indexName }) => indexName === name)
    const update = Update && withOverrides(Update, own)
    const { throughput } = definition.globalIndexes.find(({ indexName }) => indexName === name) ?? {}
    const isOnlyCapacity = update?.ProvisionedThroughput !== undefined && Object.keys(update).length === 2
    if (isOnlyCapacity && isAsItIs(update.ProvisionedThroughput, throughput)) return []
    return {
      ...(Create !== undefined && { Create: withOverrides(Create, own) }),
      ...(update !== undefined && { Update: update }),
      ...(Delete !== undefined && { Delete }),
    }
  })
  const kept: UpdateTableInput = {
    ...rest,
    ...(TableClass !== undefined && tableClass === undefined && { TableClass }),
    ...(provisioned !== undefined && { ProvisionedThroughput: provisioned }),
    ...(OnDemandThroughput !== undefined && { OnDemandThroughput: limited(OnDemandThroughput, maxReadUnits) }),
    // A key of KMS belongs to one region.
    ...(SSESpecification !== undefined && {
      SSESpecification: { Enabled: SSESpecification.Enabled ?? SSESpecification.SSEType !== undefined },
    }),
    ...(indexUpdates.length > 0 && { GlobalSecondaryIndexUpdates: indexUpdates }),
  }
  const { TableName: _name, AttributeDefinitions: _attributes, ...changes } = kept
  return Object.keys(changes).length === 0 ? undefined : kept
}

/** A definition whose settings were changed here and now, for the replicas in other stores. */
export function asChanged(definition: TableDefinition, nowMs: number): TableDefinition {
  const { replication, region } = definition
  if (replication?.replicas.some(({ elsewhere }) => elsewhere === true) !== true) return definition
  return {
    ...definition,
    replication: { ...replication, settingsAt: nextStamp(replication.settingsAt, nowMs, region) },
  }
}

type Provisioned = NonNullable<UpdateTableInput['ProvisionedThroughput']>
type OnDemand = NonNullable<UpdateTableInput['OnDemandThroughput']>

function withOverrides<
  Index extends { readonly ProvisionedThroughput?: Provisioned; readonly OnDemandThroughput?: OnDemand },
>(index: Index, own: { readonly readUnits?: number; readonly maxReadUnits?: number } | undefined): Index {
  const { ProvisionedThroughput, OnDemandThroughput } = index
  return {
    ...index,
    ...(ProvisionedThroughput !== undefined && {
      ProvisionedThroughput: reading(ProvisionedThroughput, own?.readUnits),
    }),
    ...(OnDemandThroughput !== undefined && { OnDemandThroughput: limited(OnDemandThroughput, own?.maxReadUnits) }),
  }
}

function reading(throughput: Provisioned, readUnits: number | undefined): Provisioned {
  return readUnits === undefined ? throughput : { ...throughput, ReadCapacityUnits: readUnits }
}

function limited(throughput: OnDemand, maxReadUnits: number | undefined): OnDemand {
  return maxReadUnits === undefined ? throughput : { ...throughput, MaxReadRequestUnits: maxReadUnits }
}
