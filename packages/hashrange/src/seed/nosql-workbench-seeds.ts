import type { TableDesign } from '@hashrange/templates'
import { SeedError, type Seed } from './seed.ts'
import { isFields, toDynamoDbJson } from './to-dynamodb-json.ts'

type Fields = Readonly<Record<string, unknown>>

export function isNoSqlWorkbench(document: Fields): boolean {
  return Array.isArray(document['DataModel']) && typeof document['ModelName'] === 'string'
}

/** The tables of a NoSQL Workbench model, with the sample data that is saved in it. */
export function noSqlWorkbenchSeeds(file: string, document: Fields): readonly Seed[] {
  return listOf(document['DataModel']).map((table): Seed => {
    const tableName = table['TableName']
    if (typeof tableName !== 'string') throw new SeedError(`${file} has a table without a name.`)
    const where = `${file}: the table ${tableName}`
    // Facets show items that are in the table's own data too, or only there.
    const facets = listOf(table['TableFacets']).flatMap((facet) => listOf(facet['TableData']))
    const items = [...listOf(table['TableData']), ...facets].map((item, n) =>
      toDynamoDbJson(item, `${where}, item ${n + 1}`),
    )
    return { tableName, origin: file, design: designOf(table, tableName, where), items: () => items }
  })
}

function designOf(table: Fields, name: string, where: string): TableDesign {
  const attributes = new Map<string, string>()
  const keySchema = (holder: Fields): readonly object[] => {
    const keys = fieldsOf(holder['KeyAttributes'])
    const partition = fieldsOf(keys['PartitionKey'])
    const sort = keys['SortKey'] === undefined ? undefined : fieldsOf(keys['SortKey'])
    const elements = [[partition, 'HASH'] as const, ...(sort === undefined ? [] : [[sort, 'RANGE'] as const])]
    return elements.map(([attribute, KeyType]) => {
      const AttributeName = attribute['AttributeName']
      if (typeof AttributeName !== 'string') throw new SeedError(`${where} has a key without a name.`)
      const type = attribute['AttributeType']
      attributes.set(AttributeName, typeof type === 'string' ? type : 'S')
      return { AttributeName, KeyType }
    })
  }
  const indexesOf = (list: unknown): readonly object[] =>
    listOf(list).map((index) => ({
      IndexName: index['IndexName'],
      KeySchema: keySchema(index),
      Projection: index['Projection'] ?? { ProjectionType: 'ALL' },
    }))
  const create = {
    TableName: name,
    KeySchema: keySchema(table),
    ...some('GlobalSecondaryIndexes', indexesOf(table['GlobalSecondaryIndexes'])),
    ...some('LocalSecondaryIndexes', indexesOf(table['LocalSecondaryIndexes'])),
    AttributeDefinitions: [...attributes].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    BillingMode: 'PAY_PER_REQUEST',
  }
  // It is what CreateTable takes; the server checks it.
  return { name, origin: where, create: create as unknown as TableDesign['create'], insights: false }
}

function some(name: string, indexes: readonly object[]): Fields {
  return indexes.length === 0 ? {} : { [name]: indexes }
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}
