import type { IndexDescription, KeySchemaElement, TableDescription } from './types.ts'

/** A table or an index of it, as reads see it: its key and how much is in it. */
export interface Source {
  /** Nothing for the table itself. */
  readonly indexName: string | undefined
  readonly kind: 'table' | 'global' | 'local'
  readonly partitionKey: string
  readonly sortKey: string | undefined
  readonly itemCount: number
  readonly sizeBytes: number
  readonly projection: IndexDescription['Projection'] | undefined
  readonly status: string
}

/** The table first, then its indexes by name. */
export function sourcesOf(table: TableDescription): Source[] {
  const indexes = [
    ...(table.GlobalSecondaryIndexes ?? []).map((index) => indexSource(index, 'global')),
    ...(table.LocalSecondaryIndexes ?? []).map((index) => indexSource(index, 'local')),
  ].toSorted((a, b) => ((a.indexName ?? '') < (b.indexName ?? '') ? -1 : 1))
  return [
    {
      indexName: undefined,
      kind: 'table',
      ...keysOf(table.KeySchema),
      itemCount: table.ItemCount,
      sizeBytes: table.TableSizeBytes,
      projection: undefined,
      status: table.TableStatus,
    },
    ...indexes,
  ]
}

export function keysOf(schema: readonly KeySchemaElement[]): {
  readonly partitionKey: string
  readonly sortKey: string | undefined
} {
  return {
    partitionKey: schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '',
    sortKey: schema.find(({ KeyType }) => KeyType === 'RANGE')?.AttributeName,
  }
}

export function typeOfKey(table: TableDescription, attribute: string): 'S' | 'N' | 'B' {
  const definition = table.AttributeDefinitions.find(({ AttributeName }) => AttributeName === attribute)
  return definition?.AttributeType ?? 'S'
}

export function isOnDemand(table: TableDescription): boolean {
  return table.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST'
}

function indexSource(index: IndexDescription, kind: 'global' | 'local'): Source {
  return {
    indexName: index.IndexName,
    kind,
    ...keysOf(index.KeySchema),
    itemCount: index.ItemCount ?? 0,
    sizeBytes: index.IndexSizeBytes ?? 0,
    projection: index.Projection,
    status: index.IndexStatus ?? 'ACTIVE',
  }
}
