import type { CreateTableInput, GlobalSecondaryIndexInput } from '../api/table-inputs.ts'
import type { ReplicaOverrides } from '../definitions/table-definition.ts'

/** The settings of another replica, except for what is different in one of the two on purpose: that stays as it is here. */
export function sharedSettings(
  told: CreateTableInput,
  own: CreateTableInput,
  overrides: readonly ReplicaOverrides[],
): CreateTableInput {
  const { TableClass: _class, ...rest } = withOwnReads(told, own, overrides)
  const isClassOverridden = overrides.some(({ tableClass }) => tableClass !== undefined)
  const TableClass = isClassOverridden ? own.TableClass : told.TableClass
  const indexes = told.GlobalSecondaryIndexes?.map((index) =>
    withOwnReads(
      index,
      own.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.IndexName) ?? index,
      overrides.flatMap((one) => one.indexes?.filter(({ indexName }) => indexName === index.IndexName) ?? []),
    ),
  )
  return {
    ...rest,
    ...(TableClass !== undefined && { TableClass }),
    ...(indexes !== undefined && { GlobalSecondaryIndexes: indexes }),
  }
}

type Reads = Pick<GlobalSecondaryIndexInput, 'ProvisionedThroughput' | 'OnDemandThroughput'>

/** Of capacity, only that for reads can be overridden. */
function withOwnReads<Given extends Reads>(
  told: Given,
  own: Reads,
  overrides: readonly Pick<ReplicaOverrides, 'readUnits' | 'maxReadUnits'>[],
): Given {
  const { ProvisionedThroughput, OnDemandThroughput } = told
  const ReadCapacityUnits = own.ProvisionedThroughput?.ReadCapacityUnits
  const keepsReads = overrides.some(({ readUnits }) => readUnits !== undefined)
  const keepsLimit = overrides.some(({ maxReadUnits }) => maxReadUnits !== undefined)
  return {
    ...told,
    ...(keepsReads &&
      ProvisionedThroughput !== undefined &&
      ReadCapacityUnits !== undefined && {
        ProvisionedThroughput: { ...ProvisionedThroughput, ReadCapacityUnits },
      }),
    ...(keepsLimit && {
      OnDemandThroughput: withReadLimit(OnDemandThroughput, own.OnDemandThroughput?.MaxReadRequestUnits),
    }),
  }
}

type Limits = NonNullable<Reads['OnDemandThroughput']>

function withReadLimit(limits: Limits | undefined, MaxReadRequestUnits: number | undefined): Limits {
  const { MaxReadRequestUnits: _told, ...rest } = limits ?? {}
  return { ...rest, ...(MaxReadRequestUnits !== undefined && { MaxReadRequestUnits }) }
}
