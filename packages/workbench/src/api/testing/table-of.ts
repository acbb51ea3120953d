import type { SourceKeys } from '../table-facts.ts'
import type { KeySchemaElement, TableDescription } from '../../api-types.ts'

/** A table for tests, and its global indexes by their names:
 *
 *      tableOf('shop', { pk: 'S', sk: 'N' }, { partition: ['pk'], sort: ['sk'] }) */
export function tableOf(
  name: string,
  types: Readonly<Record<string, 'S' | 'N' | 'B'>>,
  keys: SourceKeys,
  indexes: Readonly<Record<string, SourceKeys>> = {},
): TableDescription {
  return {
    TableName: name,
    TableArn: `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`,
    TableStatus: 'ACTIVE',
    CreationDateTime: 0,
    ItemCount: 0,
    TableSizeBytes: 0,
    KeySchema: schemaOf(keys),
    AttributeDefinitions: Object.entries(types).map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, keysOfIndex]) => ({
      IndexName,
      KeySchema: schemaOf(keysOfIndex),
      Projection: { ProjectionType: 'ALL' },
    })),
  }
}

function schemaOf({ partition, sort }: SourceKeys): KeySchemaElement[] {
  return [
    ...partition.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' as const })),
    ...sort.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' as const })),
  ]
}
