import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { ModelError } from '../errors.ts'
import type { Request } from './connection.ts'
import type { EntityRuntime, StoredItem } from './entity-runtime.ts'
import type { Expressions } from './expressions.ts'

/** One item's part of a write. */
export interface WriteAction {
  readonly kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck'
  readonly input: WriteInput
  /** What a failed condition means here; it is given the item as it was found. */
  readonly failure: (found: StoredItem | undefined) => ModelError
  /** Whether a failure means that someone else changed the item since it was read, so that it is worth another try. */
  readonly isPinned: boolean
}

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

/** The condition that an item is still as it was read: by its version if it has one, otherwise by all its attributes. */
export function unchangedText(entity: EntityRuntime, read: StoredItem, expressions: Expressions): string {
  const names =
    entity.versionAttribute === undefined
      ? entity.attributes.filter(({ described }) => described.isStored).map(({ name }) => name)
      : [entity.versionAttribute]
  const { partition, sort } = entity.described.key
  const terms = names
    .filter((name) => name !== partition.attribute && name !== sort?.attribute)
    .map((name) => {
      const value = read[name]
      return value === undefined
        ? `attribute_not_exists(${expressions.name(name)})`
        : `${expressions.name(name)} = ${expressions.value(value)}`
    })
  return [`attribute_exists(${expressions.name(partition.attribute)})`, ...terms].join(' AND ')
}

export function allOf(...terms: readonly (string | undefined)[]): string | undefined {
  const present = terms.filter((term) => term !== undefined)
  if (present.length < 2) return present[0]
  return present.map((term) => (/ OR /.test(term) ? `(${term})` : term)).join(' AND ')
}

export function conflict(entity: EntityRuntime): ModelError {
  return new ModelError(
    'CONFLICT',
    `Another writer changed the ${entity.name} in the meantime. Read it again and retry.`,
    {
      entity: entity.name,
    },
  )
}
