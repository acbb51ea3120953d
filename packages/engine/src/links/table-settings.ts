import type { CreateTableInput, GlobalSecondaryIndexInput, KeySchemaElementInput } from '../api/table-inputs.ts'
import type {
  IndexDefinition,
  KeySchema,
  OnDemandLimits,
  Projection,
  TableDefinition,
  Throughput,
  WarmThroughput,
} from '../definitions/table-definition.ts'
import { vectorIndexOf } from '../tables/vector-indexes.ts'

/** The settings that all replicas of a table have in common, as a request that would create it. */
export function settingsOf(definition: TableDefinition): CreateTableInput {
  const { tableName, attributeTypes, keySchema, billing, localIndexes, globalIndexes, tableClass, encryption } =
    definition
  const { vectorIndexes = [] } = definition
  const isProvisioned = billing.mode === 'PROVISIONED'
  const kept = globalIndexes.filter(({ status }) => status !== 'DELETING')
  return {
    TableName: tableName,
    AttributeDefinitions: Object.keys(attributeTypes)
      .toSorted()
      .map((AttributeName) => ({ AttributeName, AttributeType: attributeTypes[AttributeName] ?? 'S' })),
    KeySchema: keySchemaOf(keySchema),
    BillingMode: billing.mode,
    ...(isProvisioned && { ProvisionedThroughput: throughputOf(billing.throughput) }),
    ...(!isProvisioned && onDemandOf(billing.onDemandLimits)),
    ...warmOf(billing.warmThroughput),
    ...(localIndexes.length > 0 && {
      LocalSecondaryIndexes: localIndexes.map((index) => ({
        IndexName: index.indexName,
        KeySchema: keySchemaOf(index.keySchema),
        Projection: projectionOf(index.projection),
      })),
    }),
    ...(vectorIndexes.length > 0 && { VectorIndexes: vectorIndexes.map(vectorIndexOf) }),
    ...(kept.length > 0 && { GlobalSecondaryIndexes: kept.map((index) => globalIndexOf(index, isProvisioned)) }),
    ...(tableClass !== undefined && { TableClass: tableClass }),
    // A key of KMS belongs to one region.
    ...(encryption !== undefined && { SSESpecification: { Enabled: true, SSEType: 'KMS' as const } }),
  }
}

function globalIndexOf(index: IndexDefinition, isProvisioned: boolean): GlobalSecondaryIndexInput {
  return {
    IndexName: index.indexName,
    KeySchema: keySchemaOf(index.keySchema),
    Projection: projectionOf(index.projection),
    ...(isProvisioned &&
      index.throughput !== undefined && { ProvisionedThroughput: throughputOf(index.throughput) }),
    ...(!isProvisioned && onDemandOf(index.onDemandLimits)),
    ...warmOf(index.warmThroughput),
  }
}

function keySchemaOf({ hash, range }: KeySchema): readonly KeySchemaElementInput[] {
  return [
    ...hash.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' as const })),
    ...range.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' as const })),
  ]
}

function projectionOf(projection: Projection): GlobalSecondaryIndexInput['Projection'] {
  return projection.kind === 'INCLUDE'
    ? { ProjectionType: 'INCLUDE', NonKeyAttributes: projection.nonKeyAttributes }
    : { ProjectionType: projection.kind }
}

function throughputOf({
  readUnits,
  writeUnits,
}: Throughput): NonNullable<CreateTableInput['ProvisionedThroughput']> {
  return { ReadCapacityUnits: readUnits, WriteCapacityUnits: writeUnits }
}

function onDemandOf(limits: OnDemandLimits | undefined): Pick<CreateTableInput, 'OnDemandThroughput'> {
  const { maxReadUnits, maxWriteUnits } = limits ?? {}
  if (maxReadUnits === undefined && maxWriteUnits === undefined) return {}
  return {
    OnDemandThroughput: {
      ...(maxReadUnits !== undefined && { MaxReadRequestUnits: maxReadUnits }),
      ...(maxWriteUnits !== undefined && { MaxWriteRequestUnits: maxWriteUnits }),
    },
  }
}

function warmOf(warm: WarmThroughput | undefined): Pick<CreateTableInput, 'WarmThroughput'> {
  if (warm === undefined) return {}
  return {
    WarmThroughput: {
      ReadUnitsPerSecond: warm.readUnitsPerSecond,
      WriteUnitsPerSecond: warm.writeUnitsPerSecond,
    },
  }
}
