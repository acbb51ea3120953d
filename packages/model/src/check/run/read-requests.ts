import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyTemplateDescription, PatternDescription, SatelliteDescription } from '../../description.ts'
import { keyText } from '../../keys/key-text.ts'
import { keyValue, storeKey, storeSatellites, type Values } from '../data/store-item.ts'
import type { GeneratedItem } from '../data/generate-data.ts'
import { holesOf, type ModelIndex } from '../model-index.ts'
import { ExpressionAttributes, type Request } from './request.ts'

/** The Query, once for each shard. `values` are those of an item that it should find. */
export function queryRequests(model: ModelIndex, pattern: PatternDescription, values: Values): readonly Request[] {
  const { shards } = pattern
  if (shards === undefined) return [queryRequest(model, pattern, values)]
  return Array.from({ length: shards.count }, (_, shard) =>
    queryRequest(model, pattern, new Map([...values, [shards.attribute, { N: String(shard) }]])),
  )
}

function queryRequest(model: ModelIndex, pattern: PatternDescription, values: Values): Request {
  const { table, index } = model.placeOf(pattern)
  const attributes = new ExpressionAttributes()
  const conditions = (pattern.partition ?? []).map(
    (template) => `${attributes.name(template.attribute)} = ${attributes.value(filled(template, values))}`,
  )
  conditions.push(...sortConditions(pattern, values, attributes, (index?.sortKeys[0] ?? table.sortKey)?.name))
  const filter = (pattern.filter ?? []).map((name) => {
    const value = values.get(name)
    return value === undefined
      ? `attribute_not_exists(${attributes.name(name)})`
      : `${attributes.name(name)} = ${attributes.value(value)}`
  })
  return {
    operation: 'Query',
    input: {
      TableName: table.name,
      ...(index !== undefined && { IndexName: index.name }),
      KeyConditionExpression: conditions.join(' AND '),
      ...(filter.length > 0 && { FilterExpression: filter.join(' AND ') }),
      ...attributes.input(),
      ScanIndexForward: pattern.order === 'ascending',
      ...(pattern.limit !== undefined && { Limit: pattern.limit }),
      ...(pattern.isConsistent && { ConsistentRead: true }),
    },
  }
}

function sortConditions(
  { sort }: PatternDescription,
  values: Values,
  attributes: ExpressionAttributes,
  sortKey: string | undefined,
): readonly string[] {
  if (sort === undefined) return []
  if (sort.kind === 'between') {
    const name = attributes.name(sortKey ?? '')
    return [`${name} BETWEEN ${attributes.value({ S: sort.from })} AND ${attributes.value({ S: sort.to })}`]
  }
  return sort.templates.flatMap((template) => {
    const value = filled(template, values)
    const isWhole = sort.kind === 'equals' || template.isNative
    if (isWhole) return [`${attributes.name(template.attribute)} = ${attributes.value(value)}`]
    return [`begins_with(${attributes.name(template.attribute)}, ${attributes.value(value)})`]
  })
}

function filled(template: KeyTemplateDescription, values: Values): AttributeValue {
  const value = template.isNative ? keyValue(template, values) : textValue(template, values)
  if (value === undefined) throw new Error(`No generated item has all the attributes of ${template.text}.`)
  return value
}

function textValue(template: KeyTemplateDescription, values: Values): AttributeValue | undefined {
  const text = keyText(template.parts, (attribute) => values.get(attribute))
  return text === undefined ? undefined : { S: text }
}

export function scanRequest(model: ModelIndex, pattern: PatternDescription): Request {
  const { table, index } = model.placeOf(pattern)
  return {
    operation: 'Scan',
    input: {
      TableName: table.name,
      ...(index !== undefined && { IndexName: index.name }),
      ...(pattern.limit !== undefined && { Limit: pattern.limit }),
      ...(pattern.isConsistent && { ConsistentRead: true }),
    },
  }
}

export function getRequest(model: ModelIndex, item: GeneratedItem, isConsistent: boolean): Request {
  return {
    operation: 'GetItem',
    input: {
      TableName: model.tableOf(item.entity).name,
      Key: storeKey(item.entity.key, item.values),
      ...(isConsistent && { ConsistentRead: true }),
    },
  }
}

export function batchGetRequest(
  model: ModelIndex,
  items: readonly GeneratedItem[],
  isConsistent: boolean,
): Request {
  const byTable = new Map<string, { Keys: unknown[]; ConsistentRead?: true }>()
  for (const { entity, values } of items) {
    const { name } = model.tableOf(entity)
    const keys = byTable.get(name) ?? { Keys: [], ...(isConsistent && { ConsistentRead: true }) }
    keys.Keys.push(storeKey(entity.key, values))
    byTable.set(name, keys)
  }
  return { operation: 'BatchGetItem', input: { RequestItems: Object.fromEntries(byTable) } }
}

export function transactGetRequest(model: ModelIndex, items: readonly GeneratedItem[]): Request {
  const TransactItems = items.map(({ entity, values }) => ({
    Get: { TableName: model.tableOf(entity).name, Key: storeKey(entity.key, values) },
  }))
  return { operation: 'TransactGetItems', input: { TransactItems } }
}

/** A lookup first reads the guard or index item, then its owner. */
export function satelliteRequest(
  model: ModelIndex,
  item: GeneratedItem,
  satellite: SatelliteDescription,
  isConsistent: boolean,
): Request | undefined {
  const { entity, values } = item
  const table = model.tableOf(entity)
  const [stored] = storeSatellites(table, entity, satellite, values)
  if (stored === undefined) return undefined
  const { partition, sort } = satellite.key
  const partitionValue = stored[partition.attribute]
  if (partitionValue === undefined) return undefined
  const known = new Set(holesOf([partition]))
  const isDetermined = sort === undefined || holesOf([sort]).every((hole) => known.has(hole))
  if (!isDetermined) {
    const attributes = new ExpressionAttributes()
    const condition = `${attributes.name(partition.attribute)} = ${attributes.value(partitionValue)}`
    return {
      operation: 'Query',
      input: {
        TableName: table.name,
        KeyConditionExpression: condition,
        ...attributes.input(),
        ...(isConsistent && { ConsistentRead: true }),
      },
    }
  }
  const sortValue = sort === undefined ? undefined : stored[sort.attribute]
  const Key = { [partition.attribute]: partitionValue, ...(sort !== undefined && { [sort.attribute]: sortValue }) }
  return {
    operation: 'GetItem',
    input: { TableName: table.name, Key, ...(isConsistent && { ConsistentRead: true }) },
  }
}
