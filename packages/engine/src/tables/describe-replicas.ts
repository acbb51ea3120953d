import type { ReplicaDefinition, ReplicaIndexOverrides, TableDefinition } from '../definitions/table-definition.ts'

/** The other replicas of a global table; undefined if the table is not one. */
export function describeReplicas(definition: TableDefinition): unknown {
  const { replication, region } = definition
  if (replication === undefined) return undefined
  return replication.replicas.filter((replica) => replica.region !== region).map(describeReplica)
}

/** What a replica has from its table is not shown, and neither is its ARN. */
function describeReplica({ region, status, overrides = {} }: ReplicaDefinition): unknown {
  const { kmsKeyArn, tableClass, indexes = [] } = overrides
  return {
    RegionName: region,
    ReplicaStatus: status,
    GlobalTableSettingsReplicationMode: 'ENABLED_WITH_OVERRIDES',
    ...(kmsKeyArn !== undefined && { KMSMasterKeyId: kmsKeyArn }),
    ...describeOverrides(overrides),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({ IndexName: index.indexName, ...describeOverrides(index) })),
    }),
    ...(tableClass !== undefined && { ReplicaTableClassSummary: { TableClass: tableClass } }),
  }
}

function describeOverrides({ readUnits, maxReadUnits }: Omit<ReplicaIndexOverrides, 'indexName'>): object {
  return {
    ...(readUnits !== undefined && { ProvisionedThroughputOverride: { ReadCapacityUnits: readUnits } }),
    ...(maxReadUnits !== undefined && { OnDemandThroughputOverride: { MaxReadRequestUnits: maxReadUnits } }),
  }
}

/** The witness of a strongly consistent global table, which comes and goes with the replicas. */
export function describeWitness({ replication }: TableDefinition): unknown {
  if (replication?.witness === undefined) return undefined
  const isComing = replication.replicas.some(({ status }) => status === 'CREATING')
  return [{ RegionName: replication.witness, WitnessStatus: isComing ? 'CREATING' : 'ACTIVE' }]
}
