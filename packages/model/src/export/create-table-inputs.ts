import type {
  CreateTableCommandInput,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  Projection,
  ProvisionedThroughput,
} from '@aws-sdk/client-dynamodb'
import type {
  BillingDescription,
  IndexDescription,
  KeyAttributeDescription,
  ModelDescription,
  ProjectionDescription,
  TableDescription,
} from '../description.ts'

/** The input of CreateTable for each table of a model, in the model's order. TTL and point-in-time recovery are requests of
 *  their own: see `setUpRequests`. */
export function createTableInputs(description: ModelDescription): CreateTableCommandInput[] {
  return description.tables.map(createTableInput)
}

export function createTableInput(table: TableDescription): CreateTableCommandInput {
  const throughput = provisionedThroughput(table.billing)
  const globals = table.indexes.filter(({ kind }) => kind === 'global')
  const locals = table.indexes.filter(({ kind }) => kind === 'local')
  return {
    TableName: table.name,
    AttributeDefinitions: keyAttributes(table).map(({ name, type }) => ({
      AttributeName: name,
      AttributeType: type,
    })),
    KeySchema: keySchema([table.partitionKey], table.sortKey === undefined ? [] : [table.sortKey]),
    ...(globals.length > 0 && { GlobalSecondaryIndexes: globals.map((index) => globalIndex(index, throughput)) }),
    ...(locals.length > 0 && { LocalSecondaryIndexes: locals.map(localIndex) }),
    BillingMode: throughput === undefined ? 'PAY_PER_REQUEST' : 'PROVISIONED',
    ...(throughput !== undefined && { ProvisionedThroughput: throughput }),
    ...(table.stream !== undefined && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: table.stream },
    }),
    ...(table.tableClass !== undefined && { TableClass: table.tableClass }),
    ...(table.deletionProtection === true && { DeletionProtectionEnabled: true }),
  }
}

/** Every attribute that is part of a key of the table or of its indexes, once, the table's first. */
export function keyAttributes(table: TableDescription): readonly KeyAttributeDescription[] {
  const byName = new Map<string, KeyAttributeDescription>()
  const indexKeys = table.indexes.flatMap(({ partitionKeys, sortKeys }) => [...partitionKeys, ...sortKeys])
  for (const key of [table.partitionKey, ...(table.sortKey === undefined ? [] : [table.sortKey]), ...indexKeys]) {
    if (!byName.has(key.name)) byName.set(key.name, key)
  }
  return [...byName.values()]
}

function globalIndex(index: IndexDescription, throughput: ProvisionedThroughput | undefined): GlobalSecondaryIndex {
  return {
    IndexName: index.name,
    KeySchema: keySchema(index.partitionKeys, index.sortKeys),
    Projection: projection(index.projection),
    // The model has one provision for the table; an index that takes all its writes needs as much.
    ...(throughput !== undefined && { ProvisionedThroughput: { ...throughput } }),
  }
}

function localIndex(index: IndexDescription): LocalSecondaryIndex {
  return {
    IndexName: index.name,
    KeySchema: keySchema(index.partitionKeys, index.sortKeys),
    Projection: projection(index.projection),
  }
}

function keySchema(
  partition: readonly KeyAttributeDescription[],
  sort: readonly KeyAttributeDescription[],
): KeySchemaElement[] {
  return [
    ...partition.map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' as const })),
    ...sort.map(({ name }) => ({ AttributeName: name, KeyType: 'RANGE' as const })),
  ]
}

function projection(description: ProjectionDescription): Projection {
  // The service rejects an INCLUDE without attributes, which means the same as KEYS_ONLY.
  if (description.type !== 'INCLUDE') return { ProjectionType: description.type }
  if (description.attributes.length === 0) return { ProjectionType: 'KEYS_ONLY' }
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: [...description.attributes] }
}

function provisionedThroughput(billing: BillingDescription): ProvisionedThroughput | undefined {
  if (billing.mode === 'on-demand') return undefined
  return { ReadCapacityUnits: billing.readUnits, WriteCapacityUnits: billing.writeUnits }
}
