import {
  assertNotMixed,
  compileCondition,
  compileUpdate,
  ExpressionScope,
  legacyExpected,
  legacyUpdate,
  parameterFamilies,
  type Condition,
  type Update,
  type ValueWording,
} from '@hashrange/core'
import type { ConditionMembers, UpdateItemInput } from '../api/item-inputs.ts'

/** Rejects a PutItem or DeleteItem that has both the legacy and the current form of a condition. */
export function refuseMixedWrite(input: ConditionMembers): void {
  assertNotMixed(input, parameterFamilies.PutItem)
}

export function refuseMixedUpdate(input: UpdateItemInput): void {
  assertNotMixed(input, parameterFamilies.UpdateItem)
}

export function readWriteCondition(
  input: ConditionMembers,
  wording: ValueWording = 'write',
): Condition | undefined {
  if (input.Expected !== undefined) return legacyExpected(input.Expected, input.ConditionalOperator)
  if (input.ConditionExpression === undefined) return undefined
  const scope = new ExpressionScope(input.ExpressionAttributeNames, input.ExpressionAttributeValues, wording)
  const condition = compileCondition(input.ConditionExpression, 'ConditionExpression', scope)
  scope.assertAllUsed()
  return condition
}

export interface UpdateAndCondition {
  readonly update: Update | undefined
  readonly condition: Condition | undefined
}

export function readUpdateAndCondition(
  input: Omit<UpdateItemInput, 'TableName' | 'Key'>,
  wording: ValueWording = 'write',
): UpdateAndCondition {
  const { UpdateExpression, ConditionExpression, AttributeUpdates, Expected } = input
  if (AttributeUpdates !== undefined || Expected !== undefined) {
    const update = AttributeUpdates && legacyUpdate(AttributeUpdates)
    return { update, condition: Expected && legacyExpected(Expected, input.ConditionalOperator) }
  }
  if (UpdateExpression === undefined && ConditionExpression === undefined) {
    return { update: undefined, condition: undefined }
  }
  const scope = new ExpressionScope(input.ExpressionAttributeNames, input.ExpressionAttributeValues, wording)
  const update = UpdateExpression === undefined ? undefined : compileUpdate(UpdateExpression, scope)
  const condition =
    ConditionExpression === undefined
      ? undefined
      : compileCondition(ConditionExpression, 'ConditionExpression', scope)
  scope.assertAllUsed()
  return { update, condition }
}
