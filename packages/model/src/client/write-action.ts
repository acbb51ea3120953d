import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb'
import type { ModelError } from '../errors.ts'
import type { Request } from './connection.ts'
import type { EntityRuntime, StoredItem } from './entity-runtime.ts'
import type { Placeholders } from './placeholders.ts'
import { isSameStored } from './stored-equal.ts'

/** One item's part of a write. */
export interface WriteAction {
  readonly kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck'
  readonly input: WriteInput
  /** What a failed condition means here; it is given the item as it was found. */
  readonly failure: (found: StoredItem | undefined) => ModelError
  /** Whether a failure means that someone else changed the item since it was read, so that it is worth another try. */
  readonly isStale: (found: StoredItem | undefined) => boolean
}

export const always = (): boolean => true
export const never = (): boolean => false

interface WriteInput {
  readonly TableName: string
  readonly Item?: StoredItem
  readonly Key?: StoredItem
  readonly UpdateExpression?: string
  readonly ConditionExpression?: string
  readonly ExpressionAttributeNames?: Record<string, string>
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>
}

/** The action as a step of TransactWriteItems. */
export function transactItem({ kind, input }: WriteAction): TransactWriteItem {
  const returned =
    input.ConditionExpression === undefined ? {} : ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const)
  return { [kind]: { ...input, ...returned } }
}

/** The action as a request of its own. */
export function singleRequest(
  { kind, input }: WriteAction,
  capacity: 'TOTAL' | 'INDEXES' | 'NONE',
): Extract<Request, { operation: 'PutItem' | 'UpdateItem' | 'DeleteItem' }> {
  const common = {
    ...(input.ConditionExpression !== undefined && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
    ReturnConsumedCapacity: capacity,
  }
  if (kind === 'Put') return { operation: 'PutItem', input: { Item: {}, ...input, ...common } }
  if (kind === 'Delete')
    return { operation: 'DeleteItem', input: { Key: {}, ...input, ...common, ReturnValues: 'ALL_OLD' } }
  return { operation: 'UpdateItem', input: { Key: {}, ...input, ...common, ReturnValues: 'ALL_NEW' } }
}

/** The condition that an item is still as it was read: by its version if it has one, otherwise by all its attributes. What
 *  was not there must still not be there: a guard that was never read would be left behind. */
export function unchangedText(
  entity: EntityRuntime,
  read: StoredItem | undefined,
  placeholders: Placeholders,
): string {
  const partition = placeholders.name(entity.partition)
  if (read === undefined) return `attribute_not_exists(${partition})`
  const terms = telltaleNames(entity).map((name) => {
    const value = read[name]
    return value === undefined ? placeholders.absent(name) : placeholders.equals(name, value)
  })
  return [`attribute_exists(${partition})`, ...terms].join(' AND ')
}

/** The same, asked of the item on which a condition failed: whether it was this condition, and not the caller's own. */
export function isChanged(
  entity: EntityRuntime,
  read: StoredItem | undefined,
  given: StoredItem | undefined,
): boolean {
  const found = given && entity.fromStored(given)
  if (read === undefined || found === undefined) return read !== found
  return telltaleNames(entity).some((name) => !isSameStored(read[name], found[name]))
}

/** The attributes by which a change is noticed. */
function telltaleNames(entity: EntityRuntime): readonly string[] {
  if (entity.versionAttribute !== undefined) return [entity.versionAttribute]
  const { partition, sort } = entity.described.key
  return entity.attributes
    .filter(({ described }) => described.isStored)
    .map(({ name }) => name)
    .filter((name) => name !== partition.attribute && name !== sort?.attribute)
}

/** Where entities share their keys, what is there may be another's. */
export function kindText(entity: EntityRuntime, placeholders: Placeholders): string | undefined {
  if (entity.described.sharesKeys !== true) return undefined
  const { discriminator } = entity.table
  return placeholders.equals(discriminator, { S: entity.name })
}

/** The same, or nothing at all. */
export function kindOrNothingText(entity: EntityRuntime, placeholders: Placeholders): string | undefined {
  const kind = kindText(entity, placeholders)
  if (kind === undefined) return undefined
  return `${placeholders.absent(entity.partition)} OR ${kind}`
}

/** Whether an item that was found is one of the entity. */
export function isOfKind(entity: EntityRuntime, found: StoredItem): boolean {
  return entity.described.sharesKeys !== true || found[entity.table.discriminator]?.S === entity.name
}

export function allOf(...terms: readonly (string | undefined)[]): string | undefined {
  const present = terms.filter((term) => term !== undefined)
  if (present.length < 2) return present[0]
  return present.map((term) => (/ OR /.test(term) ? `(${term})` : term)).join(' AND ')
}

/** The key is taken by another entity that shares it. */
export function otherKind(entity: EntityRuntime): ModelError {
  return entity.error(
    'ALREADY_EXISTS',
    `The key of the ${entity.name} belongs to an item of another entity that shares it. Delete that item first.`,
  )
}

export function conflict(entity: EntityRuntime): ModelError {
  return entity.error(
    'CONFLICT',
    `Another writer changed the ${entity.name} in the meantime. Read it again and retry.`,
  )
}
