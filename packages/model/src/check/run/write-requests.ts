import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { EntityDescription, StepDescription } from '../../description.ts'
import { sourcesOf } from '../../model/parameters.ts'
import { storeItem, storeKey, storeSatellites, withShards, type Values } from '../data/store-item.ts'
import { generateValue } from '../data/generate-value.ts'
import type { GeneratedItem } from '../data/generate-data.ts'
import type { StoredItem } from '../item-size.ts'
import { attributeOf, holesOf, type ModelIndex } from '../model-index.ts'
import { ExpressionAttributes, type Request } from './request.ts'

export type WriteAction = Exclude<StepDescription['action'], 'get'>

/** One write of an item and of what is kept with it. A lone item is a request of its own; with guards or index items it is
 *  a transaction, so that they cannot drift apart. */
export function writeRequests(
  model: ModelIndex,
  action: WriteAction,
  item: GeneratedItem,
  changes: readonly string[] | undefined,
  n: number,
): readonly Request[] {
  const write = writeOf(model, action, item, changes, n)
  const requests: Request[] = write.readsFirst
    ? [{ operation: 'GetItem', input: { ...write.target, ConsistentRead: true } }]
    : []
  const [only] = write.actions
  if (only !== undefined && write.actions.length === 1) requests.push(aloneRequest(only))
  else requests.push({ operation: 'TransactWriteItems', input: { TransactItems: write.actions } })
  return requests
}

/** Several writes in one transaction. */
export function transactionRequest(
  model: ModelIndex,
  writes: readonly { readonly action: WriteAction; readonly item: GeneratedItem }[],
): Request {
  const TransactItems = writes.flatMap(({ action, item }, n) => writeOf(model, action, item, undefined, n).actions)
  return { operation: 'TransactWriteItems', input: { TransactItems } }
}

type Action = Readonly<Partial<Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', Record<string, unknown>>>>

interface Write {
  /** Whether the item must be read to know what its guards and index items are now. */
  readonly readsFirst: boolean
  readonly target: { readonly TableName: string; readonly Key: StoredItem }
  readonly actions: readonly Action[]
}

function writeOf(
  model: ModelIndex,
  action: WriteAction,
  item: GeneratedItem,
  changes: readonly string[] | undefined,
  n: number,
): Write {
  const { entity, values, stored, satellites } = item
  const table = model.tableOf(entity)
  const target = { TableName: table.name, Key: storeKey(entity.key, values) }
  const mustBeNew = {
    ConditionExpression: 'attribute_not_exists(#k)',
    ExpressionAttributeNames: { '#k': table.partitionKey.name },
  }
  const mustExist = {
    ConditionExpression: 'attribute_exists(#k)',
    ExpressionAttributeNames: { '#k': table.partitionKey.name },
  }
  const putSatellite = (Item: StoredItem): Action => ({ Put: { TableName: table.name, Item } })
  const removeSatellite = (satellite: StoredItem): Action => ({
    Delete: { TableName: table.name, Key: pick(satellite, keyNames(entity)) },
  })
  switch (action) {
    case 'create':
    case 'put':
    case 'upsert': {
      const put = { Put: { TableName: table.name, Item: stored, ...(action === 'create' && mustBeNew) } }
      return {
        readsFirst: action !== 'create' && satellites.length > 0,
        target,
        actions: [put, ...satellites.map(putSatellite)],
      }
    }
    case 'delete': {
      const removed = satellites.map(removeSatellite)
      return { readsFirst: satellites.length > 0, target, actions: [{ Delete: target }, ...removed] }
    }
    case 'check':
      return { readsFirst: false, target, actions: [{ ConditionCheck: { ...target, ...mustExist } }] }
    case 'update':
    case 'modify': {
      const changed = changedValues(entity, values, changes, n)
      const after = storeItem(table, entity, changed)
      const touched = entity.satellites.filter((satellite) =>
        [...satellite.attributes, ...satellite.include].some((name) => values.get(name) !== changed.get(name)),
      )
      const others = touched.flatMap((satellite) => {
        const next = storeSatellites(table, entity, satellite, changed)
        const keyOf = (stored: StoredItem): string => JSON.stringify(pick(stored, keyNames(entity)))
        const kept = new Set(next.map(keyOf))
        const old = storeSatellites(table, entity, satellite, values).filter((each) => !kept.has(keyOf(each)))
        return [...next.map(putSatellite), ...old.map(removeSatellite)]
      })
      return {
        readsFirst: action === 'modify' || others.length > 0,
        target,
        actions: [{ Update: updateInput(target, stored, after, keyNames(entity)) }, ...others],
      }
    }
  }
}

function aloneRequest(action: Action): Request {
  if (action.Put !== undefined) return { operation: 'PutItem', input: action.Put }
  if (action.Update !== undefined) return { operation: 'UpdateItem', input: action.Update }
  if (action.Delete !== undefined) return { operation: 'DeleteItem', input: action.Delete }
  return { operation: 'TransactWriteItems', input: { TransactItems: [action] } }
}

/** New values for the changed attributes; where a pattern does not say which, for the first that no key is made of, nor a
 *  guard or an index item: several updates in a transaction would claim the same value. */
export function changedValues(
  entity: EntityDescription,
  values: Values,
  changes: readonly string[] | undefined,
  n: number,
): Values {
  const primary = new Set(
    holesOf(entity.key.sort === undefined ? [entity.key.partition] : [entity.key.partition, entity.key.sort]),
  )
  const inKeys = new Set([
    ...primary,
    ...entity.indexKeys.flatMap((key) => holesOf([...key.partition, ...key.sort])),
    ...entity.satellites.flatMap(({ attributes, include }) => [...attributes, ...include]),
  ])
  for (const name of inKeys) for (const source of sourcesOf(name, entity)) inKeys.add(source)
  const isFree = (name: string, type: string): boolean =>
    !inKeys.has(name) && type !== 'version' && type !== 'shard'
  const usual = entity.attributes.find(({ name, type, isStored }) => isStored && isFree(name, type))
  const names = (changes ?? (usual === undefined ? [] : [usual.name])).filter((name) => !primary.has(name))
  const changed = new Map<string, AttributeValue>(values)
  for (const name of names) {
    const attribute = attributeOf(entity, name)
    if (attribute !== undefined && attribute.isStored)
      changed.set(name, differentValue(attribute, values.get(name), n))
  }
  for (const { name, type } of entity.attributes) if (type === 'version') changed.set(name, { N: String(n + 2) })
  return withShards(entity, changed)
}

function differentValue(
  attribute: Parameters<typeof generateValue>[0],
  before: AttributeValue | undefined,
  n: number,
): AttributeValue {
  for (let i = 0; i < 3; i++) {
    const value = generateValue(attribute, 500_000 + n + i)
    if (JSON.stringify(value) !== JSON.stringify(before)) return value
  }
  return generateValue(attribute, n)
}

function updateInput(
  target: Write['target'],
  before: StoredItem,
  after: StoredItem,
  keys: readonly string[],
): Record<string, unknown> {
  const attributes = new ExpressionAttributes()
  const sets: string[] = []
  const removes: string[] = []
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (keys.includes(name)) continue
    const value = after[name]
    if (value === undefined) removes.push(attributes.name(name))
    else if (JSON.stringify(value) !== JSON.stringify(before[name]))
      sets.push(`${attributes.name(name)} = ${attributes.value(value)}`)
  }
  const clauses = [
    ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
    ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
  ]
  const exists = `attribute_exists(${attributes.name(keys[0] ?? '')})`
  return {
    ...target,
    ...(clauses.length > 0 && { UpdateExpression: clauses.join(' ') }),
    ConditionExpression: exists,
    ...attributes.input(),
  }
}

function keyNames({ key }: EntityDescription): readonly string[] {
  return key.sort === undefined ? [key.partition.attribute] : [key.partition.attribute, key.sort.attribute]
}

function pick(item: StoredItem, names: readonly string[]): StoredItem {
  const picked: StoredItem = {}
  for (const name of names) {
    const value = item[name]
    if (value !== undefined) picked[name] = value
  }
  return picked
}
