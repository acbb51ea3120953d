import { ConditionFailure, holds, ServiceError, type Condition } from '@hashrange/core'
import type { Dialect } from '../api/dialect.ts'
import type { ReturnValuesOnConditionCheckFailure } from '../api/item-inputs.ts'
import type { StoredItem } from './stored-item.ts'

/** Rejects a write whose condition does not hold. A missing item counts as one without attributes. Only writes of single
 *  items have a dialect: transactions and statements are answered as before. */
export function assertCondition(
  condition: Condition | undefined,
  previous: StoredItem | undefined,
  onFailure: ReturnValuesOnConditionCheckFailure | undefined,
  dialect: Dialect = '2025',
): void {
  if (condition === undefined || holds(condition, previous?.item ?? {})) return
  const members = onFailure === 'ALL_OLD' && previous !== undefined ? { Item: previous.json } : {}
  const words = 'The conditional request failed'
  if (dialect === '2026') throw new ConditionFailure(words, members)
  throw new ServiceError('ConditionalCheckFailedException', words, members)
}
