import type { GlobalTableDescription, TableDescription } from '../description.ts'
import { createTableInput } from './create-table-inputs.ts'
import type { Json } from './yaml.ts'

type Properties = { readonly [name: string]: Json }

/** The stream of a table. Replicas that are eventually consistent need one of new and old images. */
export function streamOf({ stream, global }: TableDescription): TableDescription['stream'] {
  return global !== undefined && global.consistency !== 'strong' ? 'NEW_AND_OLD_IMAGES' : stream
}

/** The properties of an AWS::DynamoDB::GlobalTable. What a replica may have of its own is given for each of them; the stack
 *  must be deployed to one of the regions. Provisioned writes must scale, so they scale between the same two numbers. */
export function globalTableProperties(table: TableDescription, global: GlobalTableDescription): Json {
  const {
    StreamSpecification: _stream,
    ProvisionedThroughput: provisioned,
    GlobalSecondaryIndexes: indexes = [],
    DeletionProtectionEnabled,
    TableClass,
    ...input
  } = createTableInput(table)
  const stream = streamOf(table)
  const isStrong = global.consistency === 'strong'
  const write = provisioned && scaledWrites(provisioned.WriteCapacityUnits ?? 1)
  const read = provisioned && {
    ReadProvisionedThroughputSettings: { ReadCapacityUnits: provisioned.ReadCapacityUnits ?? 1 },
  }
  const replica: Properties = {
    ...(TableClass !== undefined && { TableClass }),
    ...(DeletionProtectionEnabled === true && { DeletionProtectionEnabled }),
    ...(table.pointInTimeRecovery === true && {
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
    ...read,
    ...(read !== undefined &&
      indexes.length > 0 && {
        GlobalSecondaryIndexes: indexes.map(({ IndexName = '' }) => ({ IndexName, ...read })),
      }),
  }
  return {
    // The shapes of CloudFormation are those of the API, except where they follow.
    ...(input as Properties),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map(({ ProvisionedThroughput: _own, ...index }) => ({
        ...(index as Properties),
        ...write,
      })),
    }),
    ...write,
    ...(stream !== undefined && { StreamSpecification: { StreamViewType: stream } }),
    ...(table.ttlAttribute !== undefined && {
      TimeToLiveSpecification: { AttributeName: table.ttlAttribute, Enabled: true },
    }),
    ...(isStrong && { MultiRegionConsistency: 'STRONG' }),
    Replicas: global.regions.map((Region) => ({ Region, ...replica })),
  }
}

function scaledWrites(units: number): { readonly WriteProvisionedThroughputSettings: Json } {
  return {
    WriteProvisionedThroughputSettings: {
      WriteCapacityAutoScalingSettings: {
        MinCapacity: units,
        MaxCapacity: units,
        TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 },
      },
    },
  }
}
