import { holds, ServiceError, type Condition } from '@hashrange/core'
import type { ReturnValuesOnConditionCheckFailure } from '../api/item-inputs.ts'
import type { StoredItem } from './stored-item.ts'

/** Rejects a write whose condition does not hold. A missing item counts as one without attributes. */
export function assertCondition(
  condition: Condition | undefined,
  previous: StoredItem | undefined,
  onFailure: ReturnValuesOnConditionCheckFailure | undefined,
): void {
  if (condition === undefined || holds(condition, previous?.item ?? {})) return
  const members = onFailure === 'ALL_OLD' && previous !== undefined ? { Item: previous.json } : {}
  throw new ServiceError('ConditionalCheckFailedException', 'The conditional request failed', members)
}
