import type {
  BillingDescription,
  IndexDescription,
  KeyAttributeDescription,
  ProjectionDescription,
} from '../description.ts'
import { importModel, type ImportedModel } from './import-model.ts'
import { fieldsOf, itemsOf, listOf, stringsOf, numberOf, required, scalarType, stringOf } from './raw-model.ts'
import type { RawGroup, RawTable } from './raw-model.ts'

type Fields = Readonly<Record<string, unknown>>

/** A model of NoSQL Workbench. Facets become entities; their keys are read from the data, or from aliases that are templates. What
 *  it does not know it passes over; `noSqlWorkbench` with the document as `base` puts it back. */
export function readNoSqlWorkbench(document: unknown): ImportedModel {
  const root = fieldsOf(document)
  const metadata = fieldsOf(root['ModelMetadata'])
  const description = stringOf(metadata['Description'])
  const owner = stringOf(metadata['Author'])
  return importModel({
    name: stringOf(root['ModelName']) ?? 'imported',
    ...(description !== undefined && { description }),
    ...(owner !== undefined && { owner }),
    tables: required(nonEmpty(listOf(root['DataModel'])), 'DataModel').map(rawTable),
    patterns: [],
  })
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}

function rawTable(table: Fields): RawTable {
  const name = required(stringOf(table['TableName']), 'TableName')
  const keys = fieldsOf(table['KeyAttributes'])
  const sortKey = keyAttribute(keys['SortKey'])
  const partitionKey = required(keyAttribute(keys['PartitionKey']), `PartitionKey of ${name}`)
  const declared = listOf(table['NonKeyAttributes']).flatMap((attribute) => {
    const attributeName = stringOf(attribute['AttributeName'])
    return attributeName === undefined
      ? []
      : [[attributeName, stringOf(attribute['AttributeType']) ?? 'S'] as const]
  })
  const facets = listOf(table['TableFacets']).map(rawGroup)
  const inFacets = new Set(facets.flatMap(({ items }) => items.map((item) => JSON.stringify(item))))
  const others = itemsOf(table['TableData']).filter((item) => !inFacets.has(JSON.stringify(item)))
  return {
    name,
    partitionKey,
    ...(sortKey !== undefined && { sortKey }),
    indexes: [
      ...listOf(table['GlobalSecondaryIndexes']).map((index) => rawIndex(index, 'global', partitionKey)),
      ...listOf(table['LocalSecondaryIndexes']).map((index) => rawIndex(index, 'local', partitionKey)),
    ],
    billing: billing(table),
    declared: new Map(declared),
    groups: [...facets, ...(others.length > 0 ? [{ attributes: [], items: others }] : [])],
  }
}

function rawGroup(facet: Fields): RawGroup {
  const alias = fieldsOf(facet['KeyAttributeAlias'])
  const name = stringOf(facet['FacetName'])
  const partitionAlias = stringOf(alias['PartitionKeyAlias'])
  const sortAlias = stringOf(alias['SortKeyAlias'])
  return {
    ...(name !== undefined && { name }),
    ...(partitionAlias !== undefined && { partitionAlias }),
    ...(sortAlias !== undefined && { sortAlias }),
    attributes: stringsOf(facet['NonKeyAttributes']),
    items: itemsOf(facet['TableData']),
  }
}

function rawIndex(index: Fields, kind: 'global' | 'local', tableKey: KeyAttributeDescription): IndexDescription {
  const name = required(stringOf(index['IndexName']), 'IndexName')
  const keys = fieldsOf(index['KeyAttributes'])
  const several = (field: string): readonly KeyAttributeDescription[] =>
    (nonEmpty(listOf(keys[`${field}s`])) ?? [keys[field]]).flatMap((each) => keyAttribute(each) ?? [])
  const partitionKeys = several('PartitionKey')
  return {
    name,
    kind,
    partitionKeys: kind === 'local' && partitionKeys.length === 0 ? [tableKey] : partitionKeys,
    sortKeys: several('SortKey'),
    projection: projectionOf(index['Projection']),
  }
}

export function projectionOf(value: unknown): ProjectionDescription {
  const projection = fieldsOf(value)
  switch (projection['ProjectionType']) {
    case 'KEYS_ONLY':
      return { type: 'KEYS_ONLY' }
    case 'INCLUDE':
      return { type: 'INCLUDE', attributes: stringsOf(projection['NonKeyAttributes']) }
    default:
      return { type: 'ALL' }
  }
}

function keyAttribute(value: unknown): KeyAttributeDescription | undefined {
  const { AttributeName, AttributeType } = fieldsOf(value)
  const name = stringOf(AttributeName)
  return name === undefined ? undefined : { name, type: scalarType(AttributeType) }
}

function billing(table: Fields): BillingDescription {
  if (table['BillingMode'] !== 'PROVISIONED') return { mode: 'on-demand' }
  const throughput = fieldsOf(fieldsOf(table['ProvisionedCapacitySettings'])['ProvisionedThroughput'])
  return {
    mode: 'provisioned',
    readUnits: numberOf(throughput['ReadCapacityUnits']) ?? 5,
    writeUnits: numberOf(throughput['WriteCapacityUnits']) ?? 5,
  }
}
