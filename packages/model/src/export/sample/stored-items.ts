import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type {
  EntityDescription,
  IndexKeyDescription,
  KeyDescription,
  KeyTemplateDescription,
  ModelDescription,
  SatelliteDescription,
  TableDescription,
} from '../../description.ts'
import { ModelError } from '../../errors.ts'
import { keyText } from '../../keys/key-text.ts'
import { primaryInputsOf, storedNameOf } from '../../model/parameters.ts'

type Attributes = ReadonlyMap<string, AttributeValue>
type Item = Record<string, AttributeValue>

export interface StoredItem {
  readonly kind: string
  readonly tableName: string
  readonly item: Item
  /** The primary key as one text. */
  readonly identity: string
}

/** What the table holds for one item of an entity: the item with all its keys, then its guards and index items. */
export function storedItems(
  { tables }: ModelDescription,
  entity: EntityDescription,
  attributes: Attributes,
): readonly StoredItem[] {
  const table = tables.find(({ id }) => id === entity.table)
  if (table === undefined) {
    throw new ModelError(
      'INVALID_MODEL',
      `${entity.name} is in the table ${entity.table}, which the model does not describe.`,
    )
  }
  const item = itemOf(table, entity.name)
  for (const template of templatesOf(entity.key)) setKey(item, template, attributes)
  for (const indexKey of entity.indexKeys) setIndexKey(item, indexKey, attributes)
  for (const { name, isStored } of entity.attributes) {
    const value = attributes.get(name)
    if (isStored && value !== undefined) item[storedNameOf(entity, name)] = value
  }
  return [
    { kind: entity.name, tableName: table.name, item, identity: identityOf(table, item) },
    ...entity.satellites.flatMap((satellite) => satelliteItems(table, entity, satellite, attributes)),
  ]
}

function satelliteItems(
  table: TableDescription,
  entity: EntityDescription,
  satellite: SatelliteDescription,
  attributes: Attributes,
): readonly StoredItem[] {
  const ttl = entity.attributes.filter(({ type }) => type === 'ttl').map(({ name }) => name)
  const copied = [...primaryInputsOf(entity), ...satellite.attributes, ...satellite.include, ...ttl]
  return eachOf(satellite, attributes).flatMap((given) => {
    if (satellite.attributes.some((name) => !given.has(name))) return []
    const item = itemOf(table, satellite.name)
    for (const template of templatesOf(satellite.key)) if (!setKey(item, template, given)) return []
    for (const name of copied) {
      const value = given.get(name)
      if (value !== undefined) item[storedNameOf(entity, name)] = value
    }
    return [{ kind: satellite.name, tableName: table.name, item, identity: identityOf(table, item) }]
  })
}

/** The attributes as one satellite sees them: with `each`, one element stands for its set or list. */
function eachOf({ each }: SatelliteDescription, attributes: Attributes): readonly Attributes[] {
  if (each === undefined) return [attributes]
  const { SS, NS, L } = attributes.get(each) ?? {}
  const elements: readonly AttributeValue[] = [
    ...(SS ?? []).map((S) => ({ S })),
    ...(NS ?? []).map((N) => ({ N })),
    ...(L ?? []),
  ]
  return elements.map((element) => new Map([...attributes, [each, element]]))
}

function setIndexKey(item: Item, { partition, sort, when }: IndexKeyDescription, attributes: Attributes): void {
  const isIn = (when ?? []).every(({ attribute, values }) => {
    const { S, N, BOOL } = attributes.get(attribute) ?? {}
    return values.some((value) => value === (S ?? BOOL) || (N !== undefined && value === Number(N)))
  })
  if (!isIn) return
  const templates = [...partition, ...sort].filter(({ isNative }) => !isNative)
  const key: Item = {}
  for (const template of templates) if (!setKey(key, template, attributes)) return
  Object.assign(item, key)
}

/** False if a part of the key has no value. */
function setKey(item: Item, template: KeyTemplateDescription, attributes: Attributes): boolean {
  if (template.isNative) {
    const value = attributes.get(template.attribute)
    if (value !== undefined) item[template.attribute] = value
    return value !== undefined
  }
  const text = keyText(template.parts, (name) => attributes.get(name))
  if (text !== undefined) item[template.attribute] = template.storedAs === 'N' ? { N: text } : { S: text }
  return text !== undefined
}

function itemOf(table: TableDescription, kind: string): Item {
  return table.discriminator === '' ? {} : { [table.discriminator]: { S: kind } }
}

function identityOf(table: TableDescription, item: Item): string {
  const names = [table.partitionKey.name, ...(table.sortKey === undefined ? [] : [table.sortKey.name])]
  return JSON.stringify([table.id, ...names.map((name) => item[name])])
}

function templatesOf({ partition, sort }: KeyDescription): readonly KeyTemplateDescription[] {
  return sort === undefined ? [partition] : [partition, sort]
}
