import { tableArn } from '../definitions/table-arn.ts'
import type { ReplicaDefinition, ReplicaIndexOverrides, TableDefinition } from '../definitions/table-definition.ts'

/** The other replicas of a global table; undefined if the table is not one. */
export function describeReplicas(definition: TableDefinition): unknown {
  const { replication, region } = definition
  if (replication === undefined) return undefined
  return replication.replicas
    .filter((replica) => replica.region !== region)
    .map((replica) => describeReplica(definition, replica))
}

function describeReplica(
  definition: TableDefinition,
  { region, status, overrides = {} }: ReplicaDefinition,
): unknown {
  const { kmsKeyArn, tableClass, indexes = [] } = overrides
  return {
    RegionName: region,
    ReplicaArn: tableArn({ ...definition, region }),
    ReplicaStatus: status,
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
