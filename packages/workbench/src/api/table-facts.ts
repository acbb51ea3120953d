import type { IndexDescription, KeySchemaElement, TableDescription } from '../api-types.ts'

/** A table or an index of it, as reads see it: its key and how much is in it. */
export interface Source {
  /** Nothing for the table itself. */
  readonly indexName: string | undefined
  readonly kind: 'table' | 'global' | 'local'
  readonly keys: SourceKeys
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
      keys: schemaKeys(table.KeySchema),
      itemCount: table.ItemCount,
      sizeBytes: table.TableSizeBytes,
      projection: undefined,
      status: table.TableStatus,
    },
    ...indexes,
  ]
}

/** All indexes, the global ones first. */
export function indexesOf(table: TableDescription): readonly IndexDescription[] {
  return [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])]
}

export function findIndex(table: TableDescription, indexName: string | undefined): IndexDescription | undefined {
  return indexesOf(table).find(({ IndexName }) => IndexName === indexName)
}

/** The key attributes of a table or an index. Indexes can have up to four of each kind, tables one. */
export interface SourceKeys {
  readonly partition: readonly string[]
  readonly sort: readonly string[]
}

export function schemaKeys(schema: readonly KeySchemaElement[]): SourceKeys {
  const named = (type: string): string[] =>
    schema.filter(({ KeyType }) => KeyType === type).map(({ AttributeName }) => AttributeName)
  return { partition: named('HASH'), sort: named('RANGE') }
}

/** The keys of the table, or of the index of that name; the table's if there is no such index. */
export function keysOfSource(table: TableDescription, indexName: string | undefined): SourceKeys {
  return schemaKeys(findIndex(table, indexName)?.KeySchema ?? table.KeySchema)
}

export function keyNames({ partition, sort }: SourceKeys): readonly string[] {
  return [...partition, ...sort]
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
    keys: schemaKeys(index.KeySchema),
    itemCount: index.ItemCount ?? 0,
    sizeBytes: index.IndexSizeBytes ?? 0,
    projection: index.Projection,
    status: index.IndexStatus ?? 'ACTIVE',
  }
}
