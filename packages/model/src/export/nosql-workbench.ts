import type {
  EntityDescription,
  IndexDescription,
  KeyAttributeDescription,
  KeyDescription,
  ModelDescription,
  StoredType,
  TableDescription,
} from '../description.ts'
import { createTableInput, keyAttributes } from './create-table-inputs.ts'
import { dynamoDbJson } from './sample/dynamodb-json.ts'
import { sampleData, type SampleItem } from './sample/sample-data.ts'
import type { SampleOptions } from './sample/sample-family.ts'
import type { Json } from './yaml.ts'

type Fields = { readonly [name: string]: Json }

export interface NoSqlWorkbenchOptions extends SampleOptions {
  /** A model of NoSQL Workbench from before. Whatever it says that a model file does not know is kept, the data in it too. */
  readonly base?: unknown
  readonly author?: string
  /** What it notes as the time of the export. */
  readonly exportedAt?: Date
}

/** The model as NoSQL Workbench opens it: an entity is a facet, whose key aliases are the key templates. */
export function noSqlWorkbench(description: ModelDescription, options: NoSqlWorkbenchOptions = {}): Fields {
  const { base, author, exportedAt = new Date(), ...sampleOptions } = options
  const before = isFields(base) ? base : {}
  const samples = sampleData(description, sampleOptions)
  const date = workbenchDate(exportedAt)
  return {
    ...before,
    ModelName: description.name,
    ModelMetadata: {
      Author: author ?? description.owner ?? '',
      DateCreated: date,
      ...fieldsOf(before['ModelMetadata']),
      DateLastModified: date,
      ...(description.description !== undefined && { Description: description.description }),
      // Without these two it is not opened.
      AWSService: 'Amazon DynamoDB',
      Version: '3.0',
    },
    DataModel: description.tables.map((table) =>
      tableModel(description, table, named(before['DataModel'], 'TableName', table.name), samples),
    ),
  }
}

function tableModel(
  { entities }: ModelDescription,
  table: TableDescription,
  before: Fields,
  samples: readonly SampleItem[],
): Fields {
  const present = entities.filter((entity) => entity.table === table.id)
  const globals = table.indexes.filter(({ kind }) => kind === 'global')
  const locals = table.indexes.filter(({ kind }) => kind === 'local')
  const { BillingMode, ProvisionedThroughput } = createTableInput(table)
  return {
    DataAccess: { MySql: {} },
    ...before,
    TableName: table.name,
    KeyAttributes: { PartitionKey: key(table.partitionKey), SortKey: table.sortKey && key(table.sortKey) },
    NonKeyAttributes: nonKeyAttributes(table, present, samples),
    TableFacets: present.flatMap((entity) => facets(table, entity, before, samples)),
    GlobalSecondaryIndexes: globals.map((index) => indexModel(index, before['GlobalSecondaryIndexes'])),
    ...(locals.length > 0 && {
      LocalSecondaryIndexes: locals.map((index) => indexModel(index, before['LocalSecondaryIndexes'])),
    }),
    BillingMode,
    ProvisionedCapacitySettings: ProvisionedThroughput && {
      ...fieldsOf(before['ProvisionedCapacitySettings']),
      ProvisionedThroughput: { ...ProvisionedThroughput },
    },
  }
}

/** The entity, and each kind of guard or index item that goes with it. */
function facets(
  table: TableDescription,
  entity: EntityDescription,
  before: Fields,
  samples: readonly SampleItem[],
): readonly Fields[] {
  return [entity, ...entity.satellites].map(({ name, key }) => {
    const known = named(before['TableFacets'], 'FacetName', name)
    const rows = samples.filter(({ kind }) => kind === name).map(({ item }) => dynamoDbJson(item))
    const old = known['TableData']
    const keys = new Set([table.partitionKey.name, table.sortKey?.name])
    return {
      DataAccess: { MySql: {} },
      ...known,
      FacetName: name,
      KeyAttributeAlias: alias(key),
      TableData: Array.isArray(old) && old.length > 0 ? old : rows,
      NonKeyAttributes: namesIn(rows).filter((attribute) => !keys.has(attribute)),
    }
  })
}

function alias({ partition, sort }: KeyDescription): Fields {
  return { PartitionKeyAlias: partition.text, SortKeyAlias: sort?.text }
}

function indexModel(index: IndexDescription, before: Json): Fields {
  const { partitionKeys, sortKeys, projection } = index
  const [partition] = partitionKeys
  const [sort] = sortKeys
  const isMulti = partitionKeys.length > 1 || sortKeys.length > 1
  return {
    ...named(before, 'IndexName', index.name),
    IndexName: index.name,
    KeyAttributes: {
      PartitionKey: partition && key(partition),
      SortKey: sort && key(sort),
      // The format has one attribute for each; all of a multi-attribute key stand beside.
      ...(isMulti && { PartitionKeys: partitionKeys.map(key), SortKeys: sortKeys.map(key) }),
    },
    Projection: {
      ProjectionType: projection.type,
      ...(projection.type === 'INCLUDE' && { NonKeyAttributes: projection.attributes }),
    },
  }
}

/** Every attribute that items have, keys of indexes included, except the table's own key. */
function nonKeyAttributes(
  table: TableDescription,
  entities: readonly EntityDescription[],
  samples: readonly SampleItem[],
): readonly Fields[] {
  const types = new Map<string, StoredType>(table.discriminator === '' ? [] : [[table.discriminator, 'S']])
  for (const { name, type } of keyAttributes(table)) types.set(name, type)
  for (const { attributes } of entities) {
    for (const { name, storedAs, isStored } of attributes) {
      if (isStored && !types.has(name)) types.set(name, storedAs === 'ANY' ? typeIn(samples, name) : storedAs)
    }
  }
  types.delete(table.partitionKey.name)
  if (table.sortKey !== undefined) types.delete(table.sortKey.name)
  return [...types].map(([name, type]) => ({ AttributeName: name, AttributeType: type }))
}

function typeIn(samples: readonly SampleItem[], name: string): StoredType {
  const value = samples.find(({ item }) => item[name] !== undefined)?.item[name]
  const [type] = Object.keys(value ?? { S: '' })
  return (type ?? 'S') as StoredType
}

function namesIn(rows: readonly Fields[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}

function key({ name, type }: KeyAttributeDescription): Fields {
  return { AttributeName: name, AttributeType: type }
}

/** `Apr 19, 2025, 06:28 AM`, in UTC. */
export function workbenchDate(date: Date): string {
  const day = date.toLocaleDateString('en-US', { month: 'short', day: '2-digit', year: 'numeric', timeZone: 'UTC' })
  const hours = date.getUTCHours()
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${day}, ${two(hours % 12 === 0 ? 12 : hours % 12)}:${two(date.getUTCMinutes())} ${hours < 12 ? 'AM' : 'PM'}`
}

function named(list: Json, field: string, name: string): Fields {
  if (!Array.isArray(list)) return {}
  const found: unknown = list.find((each: unknown) => isFields(each) && each[field] === name)
  return fieldsOf(found)
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
