import { designOf } from '../design-of.ts'
import {
  listOf,
  objectOf,
  partOf,
  plainText,
  type CapacityUnits,
  type Json,
  type JsonObject,
  type ReplicaDesign,
  type ScalingDesign,
  type TableDesign,
} from '../table-design.ts'
import { typedProperties } from '../typed-properties.ts'

/** `AWS::DynamoDB::GlobalTable`: the table in `region`, or else in the region that is named first, and its replicas. */
export function globalTableDesign(name: string, origin: string, known: JsonObject, region: string): TableDesign {
  const replicas = listOf(known['Replicas']).map(objectOf)
  const own = replicas.find(({ Region }) => Region === region) ?? replicas[0] ?? { Region: region }
  const others = replicas.filter((replica) => replica !== own)
  const isStrong = known['MultiRegionConsistency'] === 'STRONG'
  const witness = objectOf(listOf(known['GlobalTableWitnesses'])[0])['Region']
  // Replication reads the stream, so there is one.
  const StreamSpecification = { StreamViewType: 'NEW_AND_OLD_IMAGES' }
  const shared = {
    ...known,
    ...(others.length > 0 && !isStrong && known['StreamSpecification'] === undefined && { StreamSpecification }),
  }
  const { table, scaling } = tableIn(name, origin, shared, own)
  return {
    ...table,
    global: {
      region: plainText(own['Region']),
      scaling,
      replicas: others.map((replica): ReplicaDesign => ({
        region: plainText(replica['Region']),
        ...tableIn(name, origin, shared, replica),
      })),
      isStrong,
      witness: typeof witness === 'string' ? witness : undefined,
    },
  }
}

/** What one region has of a global table. */
function tableIn(
  name: string,
  origin: string,
  known: JsonObject,
  replica: JsonObject,
): { readonly table: TableDesign; readonly scaling: readonly ScalingDesign[] } {
  const isOnDemand = known['BillingMode'] === 'PAY_PER_REQUEST'
  const settingsOf = new Map(
    listOf(replica['GlobalSecondaryIndexes'])
      .map(objectOf)
      .map((settings) => [settings['IndexName'], settings]),
  )
  const capacity = capacityOf('', known, replica, isOnDemand)
  const indexes = listOf(known['GlobalSecondaryIndexes'])
    .map(objectOf)
    .map((index) => {
      const settings = settingsOf.get(index['IndexName']) ?? {}
      return { index, capacity: capacityOf(plainText(index['IndexName']), index, settings, isOnDemand) }
    })
  const { Replicas: _, SSESpecification, ...rest } = known
  const { KMSMasterKeyId } = objectOf(replica['SSESpecification'])
  const properties: JsonObject = {
    ...rest,
    ...capacity.properties,
    BillingMode: isOnDemand ? 'PAY_PER_REQUEST' : 'PROVISIONED',
    GlobalSecondaryIndexes: indexes.map(({ index, capacity: own }): Json => ({ ...index, ...own.properties })),
    ...(SSESpecification !== undefined && {
      SSESpecification: {
        ...objectOf(SSESpecification),
        ...(KMSMasterKeyId !== undefined && { KMSMasterKeyId }),
      },
    }),
    ...pick(replica, [
      'PointInTimeRecoverySpecification',
      'TableClass',
      'DeletionProtectionEnabled',
      'Tags',
      'ContributorInsightsSpecification',
      'KinesisStreamSpecification',
      'ResourcePolicy',
    ]),
  }
  const scaling = [capacity, ...indexes.map(({ capacity: own }) => own)].flatMap((one) => one.scaling)
  const scaled = new Set(scaling.map(({ indexName, units }) => partOf(indexName, units)))
  return { table: { ...designOf(name, origin, properties), scaled }, scaling }
}

interface Capacity {
  readonly properties: JsonObject
  readonly scaling: readonly ScalingDesign[]
}

/** Writes are declared for all regions, reads for each. Where capacity scales, a table begins with the least. */
function capacityOf(indexName: string, all: JsonObject, own: JsonObject, isOnDemand: boolean): Capacity {
  if (isOnDemand) {
    const reads = objectOf(own['ReadOnDemandThroughputSettings'] ?? all['ReadOnDemandThroughputSettings'])
    const limits = { ...pick(reads, ['MaxReadRequestUnits']), ...writeLimit(all) }
    return { properties: Object.keys(limits).length > 0 ? { OnDemandThroughput: limits } : {}, scaling: [] }
  }
  const reads = objectOf(own['ReadProvisionedThroughputSettings'] ?? all['ReadProvisionedThroughputSettings'])
  const writes = objectOf(all['WriteProvisionedThroughputSettings'])
  const scaledReads = objectOf(reads['ReadCapacityAutoScalingSettings'])
  const scaledWrites = objectOf(writes['WriteCapacityAutoScalingSettings'])
  return {
    properties: {
      ProvisionedThroughput: {
        ReadCapacityUnits: reads['ReadCapacityUnits'] ?? firstUnits(scaledReads),
        WriteCapacityUnits: writes['WriteCapacityUnits'] ?? firstUnits(scaledWrites),
      },
    },
    scaling: [
      ...scalingOf(indexName, 'WriteCapacityUnits', scaledWrites),
      ...scalingOf(indexName, 'ReadCapacityUnits', scaledReads),
    ],
  }
}

function writeLimit(all: JsonObject): JsonObject {
  return pick(objectOf(all['WriteOnDemandThroughputSettings']), ['MaxWriteRequestUnits'])
}

function firstUnits({ SeedCapacity, MinCapacity }: JsonObject): Json {
  return SeedCapacity ?? MinCapacity ?? 5
}

function scalingOf(indexName: string, units: CapacityUnits, settings: JsonObject): readonly ScalingDesign[] {
  const { MinCapacity, MaxCapacity, TargetTrackingScalingPolicyConfiguration: tracking } = settings
  if (MinCapacity === undefined || MaxCapacity === undefined) return []
  const minimum = Number(MinCapacity)
  return [
    { indexName, units, minimum, maximum: Number(MaxCapacity), tracking: typedProperties(objectOf(tracking)) },
  ]
}

function pick(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])))
}
