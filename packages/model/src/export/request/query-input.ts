import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type {
  KeyTemplateDescription,
  ModelDescription,
  PatternDescription,
  SatelliteDescription,
  SortConditionDescription,
  TableDescription,
} from '../../description.ts'
import { keyText } from '../../keys/key-text.ts'
import type { SampleItem } from '../sample/sample-data.ts'
import type { Json } from '../yaml.ts'
import { Placeholders } from './placeholders.ts'

type Item = Readonly<Record<string, AttributeValue>>

/** The Query that finds one of the samples, as the pattern would; undefined if it can find none. */
export function queryInput(
  description: ModelDescription,
  table: TableDescription,
  pattern: PatternDescription,
  samples: readonly SampleItem[],
): { readonly [name: string]: Json } | undefined {
  const partition = pattern.partition ?? partitionOf(satelliteOf(description, pattern.via))
  const kinds = pattern.via === undefined ? pattern.entities : [pattern.via]
  const found = samples.find(
    ({ kind, item }) => kinds.includes(kind) && partition.every(({ attribute }) => item[attribute] !== undefined),
  )
  if (found === undefined || partition.length === 0) return undefined
  const placeholders = new Placeholders()
  const conditions = [
    ...partition.flatMap(({ attribute }) => equal(placeholders, attribute, found.item[attribute])),
    ...sortConditions(placeholders, table, pattern, found.item),
  ]
  const filters = (pattern.filter ?? []).flatMap((name) => equal(placeholders, name, found.item[name]))
  return {
    TableName: table.name,
    ...(pattern.index !== undefined && { IndexName: pattern.index }),
    KeyConditionExpression: conditions.join(' AND '),
    ...(filters.length > 0 && { FilterExpression: filters.join(' AND ') }),
    ...placeholders.fields(),
    ...(pattern.order === 'descending' && { ScanIndexForward: false }),
    ...(pattern.limit !== undefined && { Limit: pattern.limit }),
    ...(pattern.isConsistent && { ConsistentRead: true }),
  }
}

function equal(placeholders: Placeholders, attribute: string, value: AttributeValue | undefined): string[] {
  return value === undefined ? [] : [`${placeholders.name(attribute)} = ${placeholders.value(attribute, value)}`]
}

function sortConditions(
  placeholders: Placeholders,
  table: TableDescription,
  { sort, index }: PatternDescription,
  item: Item,
): readonly string[] {
  if (sort === undefined) return []
  if (sort.kind === 'between') {
    const attribute = sortAttribute(table, index)
    if (attribute === undefined) return []
    const name = placeholders.name(attribute)
    const [from, to] = [sort.from, sort.to].map((bound) => placeholders.value(attribute, { S: bound }))
    return [`${name} BETWEEN ${from} AND ${to}`]
  }
  return sort.templates.flatMap((template) => sortCondition(placeholders, sort, template, item))
}

/** Attributes of a native key are equal; of a composed one, its beginning is. */
function sortCondition(
  placeholders: Placeholders,
  sort: SortConditionDescription,
  template: KeyTemplateDescription,
  item: Item,
): readonly string[] {
  const { attribute } = template
  if (sort.kind === 'equals' || template.isNative) return equal(placeholders, attribute, item[attribute])
  const text = keyText(template.parts, (name) => item[name])
  if (text === undefined || text === '') return []
  return [`begins_with(${placeholders.name(attribute)}, ${placeholders.value(attribute, { S: text })})`]
}

function sortAttribute(table: TableDescription, index: string | undefined): string | undefined {
  if (index === undefined) return table.sortKey?.name
  return table.indexes.find(({ name }) => name === index)?.sortKeys[0]?.name
}

function satelliteOf({ entities }: ModelDescription, via: string | undefined): SatelliteDescription | undefined {
  return entities.flatMap(({ satellites }) => satellites).find(({ name }) => name === via)
}

function partitionOf(satellite: SatelliteDescription | undefined): readonly KeyTemplateDescription[] {
  return satellite === undefined ? [] : [satellite.key.partition]
}
