import type { BillingDescription, IndexDescription, KeyAttributeDescription, ScalarType } from '../description.ts'
import { importModel, type ImportedModel } from './import-model.ts'
import { fieldsOf, isFields, itemsOf, listOf, numberOf, required, scalarType, stringOf } from './raw-model.ts'
import type { RawItem, RawPattern, RawTable } from './raw-model.ts'
import { projectionOf } from './read-nosql-workbench.ts'

type Fields = Readonly<Record<string, unknown>>

/** A `dynamodb_data_model.json` of AWS's modelling tool. Entities are found by their items' keys, patterns by the values that their
 *  commands ask for. */
export function readDataModel(document: unknown, name = 'imported'): ImportedModel {
  const root = fieldsOf(document)
  const tables = listOf(root['tables'])
  if (tables.length === 0) required(undefined, 'tables')
  const items = fieldsOf(root['items'])
  return importModel({
    name,
    tables: tables.map((table) => rawTable(table, items)),
    patterns: listOf(root['access_patterns']).map(rawPattern),
  })
}

/** A table as CreateTable or DescribeTable has it. */
export function rawTable(table: Fields, items: Fields): RawTable {
  const name = required(stringOf(table['TableName']), 'TableName')
  const types = new Map(
    listOf(table['AttributeDefinitions']).map((definition) => [
      definition['AttributeName'],
      scalarType(definition['AttributeType']),
    ]),
  )
  const { partitionKeys, sortKeys } = keysOf(table, types)
  const [partitionKey] = partitionKeys
  const [sortKey] = sortKeys
  const { StreamViewType } = fieldsOf(table['StreamSpecification'])
  const { DeletionProtectionEnabled } = table
  const TableClass = table['TableClass'] ?? fieldsOf(table['TableClassSummary'])['TableClass']
  return {
    name,
    partitionKey: required(partitionKey, `KeySchema of ${name}`),
    ...(sortKey !== undefined && { sortKey }),
    indexes: [
      ...listOf(table['GlobalSecondaryIndexes']).map((index) => rawIndex(index, 'global', types)),
      ...listOf(table['LocalSecondaryIndexes']).map((index) => rawIndex(index, 'local', types)),
    ],
    billing: billing(table),
    ...(isViewType(StreamViewType) && { stream: StreamViewType }),
    ...(DeletionProtectionEnabled === true && { deletionProtection: true }),
    ...((TableClass === 'STANDARD' || TableClass === 'STANDARD_INFREQUENT_ACCESS') && { tableClass: TableClass }),
    declared: new Map(),
    groups: [{ attributes: [], items: putItems(items[name]) }],
  }
}

const viewTypes = ['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES'] as const

function isViewType(value: unknown): value is (typeof viewTypes)[number] {
  return viewTypes.some((type) => type === value)
}

function keysOf(
  schema: Fields,
  types: ReadonlyMap<unknown, ScalarType>,
): Pick<IndexDescription, 'partitionKeys' | 'sortKeys'> {
  const keys = (type: string): KeyAttributeDescription[] =>
    listOf(schema['KeySchema'])
      .filter((element) => element['KeyType'] === type)
      .flatMap(({ AttributeName }) => {
        const name = stringOf(AttributeName)
        return name === undefined ? [] : [{ name, type: types.get(name) ?? 'S' }]
      })
  return { partitionKeys: keys('HASH'), sortKeys: keys('RANGE') }
}

function rawIndex(
  index: Fields,
  kind: 'global' | 'local',
  types: ReadonlyMap<unknown, ScalarType>,
): IndexDescription {
  const name = required(stringOf(index['IndexName']), 'IndexName')
  return { name, kind, ...keysOf(index, types), projection: projectionOf(index['Projection']) }
}

function billing(table: Fields): BillingDescription {
  const mode = table['BillingMode'] ?? fieldsOf(table['BillingModeSummary'])['BillingMode']
  if (mode !== 'PROVISIONED') return { mode: 'on-demand' }
  const throughput = fieldsOf(table['ProvisionedThroughput'])
  return {
    mode: 'provisioned',
    readUnits: numberOf(throughput['ReadCapacityUnits']) ?? 5,
    writeUnits: numberOf(throughput['WriteCapacityUnits']) ?? 5,
  }
}

function putItems(requests: unknown): readonly RawItem[] {
  const items = listOf(requests).map((request) => fieldsOf(request['PutRequest'])['Item'])
  return itemsOf(items.filter(isFields))
}

function rawPattern(pattern: Fields, i: number): RawPattern {
  const description = stringOf(pattern['description'])
  const table = stringOf(pattern['table'])
  const index = stringOf(pattern['index'])
  const operation = stringOf(pattern['dynamodb_operation'])
  return {
    name: stringOf(pattern['pattern']) ?? String(i + 1),
    ...(description !== undefined && { description }),
    ...(table !== undefined && { table }),
    ...(index !== undefined && index !== 'null' && { index }),
    ...(operation !== undefined && { operation }),
    implementation: stringOf(pattern['implementation']) ?? '',
  }
}
