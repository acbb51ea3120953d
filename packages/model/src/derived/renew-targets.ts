import type { EntityRuntime, StoredItem } from '../client/entity-runtime.ts'
import { Placeholders } from '../client/placeholders.ts'
import { sourceAttribute } from './contributions-of.ts'
import { epochAttribute, epochIn, shadowOf } from './contribution-requests.ts'
import { contributionsText, targetId } from './contribution.ts'
import type { DerivedRuntime } from './derived-runtime.ts'
import { keyValues, readMark } from './mark.ts'
import { ownKey } from './recount.ts'

/** Puts the amounts that were counted for an epoch in place of those of the epoch before. Returns whether it was due. */
export async function renewAmounts(
  runtime: DerivedRuntime,
  entity: EntityRuntime,
  stored: StoredItem,
  epoch: number,
): Promise<boolean> {
  const had = stored[epochAttribute]
  if (epochIn(stored) >= epoch) return false
  const placeholders = new Placeholders(entity.storedNames)
  const attributes = [
    ...new Set(runtime.of('amount').flatMap(([, { target, set }]) => (target === entity.name ? [set] : []))),
  ]
  const zero = placeholders.value({ N: '0' }, 'zero')
  const set = attributes.map(
    (name) => `${placeholders.name(name)} = if_not_exists(${placeholders.name(shadowOf(name))}, ${zero})`,
  )
  set.push(`${placeholders.name(epochAttribute)} = ${placeholders.value({ N: String(epoch) }, 'epoch')}`)
  const removed = attributes.map((name) => placeholders.name(shadowOf(name)))
  const name = placeholders.name(epochAttribute)
  const isSame =
    had === undefined ? `attribute_not_exists(${name})` : `${name} = ${placeholders.value(had, 'previous')}`
  const partition = placeholders.name(entity.table.partitionKey.name)
  const input = {
    TableName: entity.tableName,
    Key: ownKey(entity, stored),
    UpdateExpression: `SET ${set.join(', ')} REMOVE ${removed.join(', ')}`,
    ConditionExpression: `attribute_exists(${partition}) AND ${isSame}`,
    ReturnConsumedCapacity: runtime.connection.capacity,
    ...placeholders.members(),
  }
  for (let attempt = 1; ; attempt++) {
    try {
      await runtime.connection.send('UpdateItem', input, runtime.meter)
      return true
    } catch (error) {
      if (!(error instanceof Error)) throw error
      // It was deleted, or a rebuild before this one has done it.
      if (error.name === 'ConditionalCheckFailedException') return false
      if (error.name !== 'TransactionConflictException' || attempt === 20) throw error
      await runtime.connection.pause(Math.min(attempt, 5))
    }
  }
}

/** Deletes an entry that no item has. Returns whether it was one. */
export async function removeOrphan(
  runtime: DerivedRuntime,
  entity: EntityRuntime,
  stored: StoredItem,
): Promise<boolean> {
  const { marks } = runtime
  if (marks === undefined) return false
  const source = stored[sourceAttribute]?.S
  const Key = ownKey(entity, stored)
  const markKey = marks.keyOf({ source: source ?? 'nothing' })
  const found = source === undefined ? undefined : await runtime.read(marks, markKey)
  const id = targetId({ entity: entity.name, key: keyValues(entity, stored) })
  const mark = found === undefined ? undefined : readMark(found)
  if (mark?.contributions.some(({ target }) => targetId(target) === id) === true) return false
  const placeholders = new Placeholders()
  const condition =
    mark === undefined
      ? `attribute_not_exists(${placeholders.name(marks.described.key.partition.attribute)})`
      : `${placeholders.name('contributions')} = ${placeholders.value({ S: contributionsText(mark.contributions) }, 'contributions')}`
  const check = {
    TableName: marks.tableName,
    Key: markKey,
    ConditionExpression: condition,
    ...placeholders.members(),
  }
  try {
    const steps = [{ Delete: { TableName: entity.tableName, Key } }, { ConditionCheck: check }]
    const input = { TransactItems: steps, ReturnConsumedCapacity: runtime.connection.capacity }
    await runtime.connection.send('TransactWriteItems', input, runtime.meter)
    return true
  } catch (error) {
    // Somebody is writing it just now, so it is no orphan any more, or the next rebuild finds it.
    if (error instanceof Error && error.name === 'TransactionCanceledException') return false
    throw error
  }
}
