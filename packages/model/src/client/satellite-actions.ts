import type { DefaultContext } from '../schema/attribute.ts'
import { shown } from '../schema/value-errors.ts'
import type { EntityRuntime, StoredItem } from './entity-runtime.ts'
import type { Satellite } from './satellites.ts'
import { satellitesOf } from './satellites.ts'
import { isSameStored } from './stored-equal.ts'
import { always, conflict, never } from './write-action.ts'
import type { WriteAction } from './write-action.ts'

/** The guards and index items that come, go or change when an item does. */
export function satelliteActions(
  entity: EntityRuntime,
  before: ReadonlyMap<string, Satellite>,
  after: StoredItem | undefined,
  context: DefaultContext,
  next: ReadonlyMap<string, Satellite> = satellitesOf(entity, after),
): readonly WriteAction[] {
  const actions: WriteAction[] = []
  for (const [key, satellite] of before) {
    if (!next.has(key)) actions.push(removal(entity, satellite))
  }
  for (const [key, satellite] of next) {
    const known = before.get(key)
    if (known === undefined) actions.push(claim(entity, satellite, context))
    else if (!isSameStored({ M: known.item }, { M: satellite.item })) actions.push(rewrite(entity, satellite))
  }
  return actions
}

/** Takes a key that is free. One that has expired is, though DynamoDB may take days to delete it. */
function claim(entity: EntityRuntime, { described, item }: Satellite, { now }: DefaultContext): WriteAction {
  const placeholders = entity.placeholders()
  const isFree = placeholders.absent(described.key.partition.attribute)
  const { ttlAttribute } = entity
  const condition =
    ttlAttribute === undefined
      ? isFree
      : `${isFree} OR ${placeholders.name(ttlAttribute)} <= ${placeholders.value({ N: secondsOf(now()) }, 'now')}`
  return {
    kind: 'Put',
    input: {
      TableName: entity.tableName,
      Item: entity.toStored(item),
      ConditionExpression: condition,
      ...placeholders.members(),
    },
    failure: () => {
      const names = described.attributes.join(', ')
      const values = described.attributes.map((name) => shown(item[name]?.S ?? item[name]?.N)).join(', ')
      return entity.error(
        'NOT_UNIQUE',
        `Another ${entity.name} already has the ${names} ${values}. Choose a different value.`,
        described.attributes[0],
      )
    },
    isStale: never,
  }
}

function secondsOf(date: Date): string {
  return String(Math.floor(date.getTime() / 1000))
}

function rewrite(entity: EntityRuntime, satellite: Satellite): WriteAction {
  return {
    kind: 'Put',
    input: { TableName: entity.tableName, Item: entity.toStored(satellite.item), ...onlyIfOwn(entity, satellite) },
    failure: () => conflict(entity),
    isStale: always,
  }
}

function removal(entity: EntityRuntime, satellite: Satellite): WriteAction {
  return {
    kind: 'Delete',
    input: { TableName: entity.tableName, Key: satellite.key, ...onlyIfOwn(entity, satellite) },
    failure: () => conflict(entity),
    isStale: always,
  }
}

/** Where items expire, a guard may have passed to another owner while this one's item was still there. */
function onlyIfOwn(entity: EntityRuntime, { described, item }: Satellite): Partial<WriteAction['input']> {
  if (entity.ttlAttribute === undefined) return {}
  const placeholders = entity.placeholders()
  const isGone = placeholders.absent(described.key.partition.attribute)
  const isOwn = entity.primaryInputs.flatMap((name) => {
    const value = item[name]
    return value === undefined ? [] : [placeholders.equals(name, value)]
  })
  return { ConditionExpression: [isGone, isOwn.join(' AND ')].join(' OR '), ...placeholders.members() }
}
