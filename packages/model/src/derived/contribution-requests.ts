import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb'
import type { EntityRuntime, StoredItem } from '../client/entity-runtime.ts'
import { Placeholders } from '../client/placeholders.ts'
import { contributionsText } from './contribution.ts'
import { keyFromValues, markItem } from './mark.ts'
import type { AmountWrite, EntryWrite, MarkWrite, PlannedWrite } from './plan-contributions.ts'

/** ON DISK: attributes of derived items that the model does not know. */
export const epochAttribute = '$epoch'
export function shadowOf(attribute: string): string {
  return `$next:${attribute}`
}

export interface RequestContext {
  readonly marks: EntityRuntime
  readonly entities: ReadonlyMap<string, EntityRuntime>
  /** When the mark of an item that is gone expires, in seconds since 1970. */
  readonly expiresAt: number
}

/** A planned write as a step of a transaction. */
export function transactStep(write: PlannedWrite, context: RequestContext): TransactWriteItem {
  switch (write.kind) {
    case 'mark':
      return markStep(write, context)
    case 'amounts':
      return amountStep(write, entityOf(context, write.target.entity))
    case 'put':
    case 'delete':
      return entryStep(write, entityOf(context, write.target.entity))
  }
}

const returned = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const

function markStep({ source, from, to }: MarkWrite, { marks, expiresAt }: RequestContext): TransactWriteItem {
  const placeholders = new Placeholders()
  const isEmpty = to.contributions.length === 0
  const Item = markItem(marks, source, { ...to, expiresAt: isEmpty ? expiresAt : undefined })
  const terms =
    from === undefined
      ? [`attribute_not_exists(${placeholders.name(marks.described.key.partition.attribute)})`]
      : [
          equal(placeholders, 'contributions', { S: contributionsText(from.contributions) }),
          equal(placeholders, 'epoch', { N: String(from.epoch) }),
          from.position === to.position
            ? equal(placeholders, 'position', { S: to.position ?? '' })
            : `${placeholders.name('position')} < ${placeholders.value({ S: to.position ?? '' }, 'position')}`,
        ]
  return {
    Put: {
      TableName: marks.tableName,
      Item,
      ConditionExpression: terms.join(' AND '),
      ...placeholders.members(),
      ...returned,
    },
  }
}

function amountStep(write: AmountWrite, entity: EntityRuntime): TransactWriteItem {
  const { target, epoch, mayBeMissing, item } = write
  const placeholders = new Placeholders(entity.storedNames)
  const Key = keyFromValues(entity, target.key)
  const isOfEpoch = equal(placeholders, epochAttribute, { N: String(epoch) })
  const ConditionExpression = mayBeMissing
    ? `attribute_not_exists(${placeholders.name(entity.table.partitionKey.name)}) OR ${isOfEpoch}`
    : isOfEpoch
  const added = [...write.live, ...[...write.shadow].map(([name, amount]) => [shadowOf(name), amount] as const)]
    .filter(([, amount]) => amount !== '0')
    .map(([name, amount]) => `${placeholders.name(name)} ${placeholders.value({ N: amount }, name)}`)
  const place = { TableName: entity.tableName, Key }
  if (added.length === 0)
    return { ConditionCheck: { ...place, ConditionExpression, ...placeholders.members(), ...returned } }
  const set = Object.entries({ ...item, ...(item !== undefined && { [epochAttribute]: { N: String(epoch) } }) })
    .filter(([name]) => Key[name] === undefined)
    .map(([name, value]) => equal(placeholders, name, value))
  const UpdateExpression = [...(set.length === 0 ? [] : [`SET ${set.join(', ')}`]), `ADD ${added.join(', ')}`].join(
    ' ',
  )
  return { Update: { ...place, UpdateExpression, ConditionExpression, ...placeholders.members(), ...returned } }
}

function entryStep({ target, item }: EntryWrite, entity: EntityRuntime): TransactWriteItem {
  if (item !== undefined) return { Put: { TableName: entity.tableName, Item: entity.toStored(item) } }
  return { Delete: { TableName: entity.tableName, Key: keyFromValues(entity, target.key) } }
}

function equal(placeholders: Placeholders, name: string, value: AttributeValue): string {
  return `${placeholders.name(name)} = ${placeholders.value(value, name)}`
}

export function epochIn(item: StoredItem): number {
  return Number(item[epochAttribute]?.N ?? 0)
}

function entityOf({ entities }: Pick<RequestContext, 'entities'>, name: string): EntityRuntime {
  const entity = entities.get(name)
  if (entity === undefined) throw new Error(`${name} is not an entity of this model`)
  return entity
}
