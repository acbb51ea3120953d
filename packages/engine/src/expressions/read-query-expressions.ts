import {
  assertNotMixed,
  compileCondition,
  compileProjection,
  ExpressionScope,
  reworded,
  keyTermsOf,
  legacyFilter,
  legacyKeyTerms,
  legacyProjection,
  parameterFamilies,
  validationException,
  type AskedTerm,
  type Condition,
  type Projection,
  type ValueWording,
} from '@hashrange/core'
import type { ExpressionPlaceholders, ProjectionMembers, QueryInput, ScanInput } from '../api/item-inputs.ts'

export interface ScanExpressions {
  readonly filter: Condition | undefined
  readonly projection: Projection | undefined
}

export interface QueryExpressions extends ScanExpressions {
  readonly terms: readonly AskedTerm[]
}

export function readScanExpressions(input: ScanInput): ScanExpressions {
  assertNotMixed(input, parameterFamilies.Scan)
  const legacyNames = input.AttributesToGet && legacyProjection(input.AttributesToGet)
  const legacyCondition = input.ScanFilter && legacyFilter(input.ScanFilter, input.ConditionalOperator)
  const scope = scopeOf(input, 'older')
  const filter = compileOptional(input.FilterExpression, 'FilterExpression', scope) ?? legacyCondition
  const projection = readProjectionIn(input.ProjectionExpression, scope) ?? legacyNames
  scope.assertAllUsed()
  return { filter, projection }
}

/** The legacy parameters of a Query, which are checked before ExclusiveStartKey; the rest is checked after it. */
export function readLegacyQuery(input: QueryInput): ScanExpressions {
  return inCurrentWording(() => {
    assertNotMixed(input, parameterFamilies.Query)
    return {
      filter: input.QueryFilter && legacyFilter(input.QueryFilter, input.ConditionalOperator),
      projection: input.AttributesToGet && legacyProjection(input.AttributesToGet),
    }
  })
}

export function readQueryExpressions(input: QueryInput, legacy: ScanExpressions): QueryExpressions {
  return inCurrentWording(() => {
    if (input.KeyConditions === undefined && input.KeyConditionExpression === undefined) {
      throw validationException(
        'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
      )
    }
    const scope = scopeOf(input, 'current')
    const keyCondition = compileOptional(input.KeyConditionExpression, 'KeyConditionExpression', scope)
    const filter = compileOptional(input.FilterExpression, 'FilterExpression', scope) ?? legacy.filter
    const projection = readProjectionIn(input.ProjectionExpression, scope) ?? legacy.projection
    scope.assertAllUsed()
    const terms = keyCondition === undefined ? legacyKeyTerms(input.KeyConditions ?? {}) : keyTermsOf(keyCondition)
    return { terms, filter, projection }
  })
}

function inCurrentWording<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw reworded('current', error)
  }
}

/** The projection of GetItem and its relatives. */
export function readProjection(input: ProjectionMembers): Projection | undefined {
  const { AttributesToGet, ProjectionExpression, ExpressionAttributeNames } = input
  if (
    AttributesToGet === undefined &&
    ProjectionExpression === undefined &&
    ExpressionAttributeNames === undefined
  ) {
    return undefined
  }
  assertNotMixed(input, parameterFamilies.GetItem)
  if (AttributesToGet !== undefined) return legacyProjection(AttributesToGet)
  const scope = new ExpressionScope(ExpressionAttributeNames, undefined)
  const projection = readProjectionIn(ProjectionExpression, scope)
  scope.assertAllUsed()
  return projection
}

function scopeOf(input: ExpressionPlaceholders, wording: ValueWording): ExpressionScope {
  return new ExpressionScope(input.ExpressionAttributeNames, input.ExpressionAttributeValues, wording)
}

function compileOptional(
  text: string | undefined,
  kind: 'FilterExpression' | 'KeyConditionExpression',
  scope: ExpressionScope,
): Condition | undefined {
  return text === undefined ? undefined : compileCondition(text, kind, scope)
}

function readProjectionIn(text: string | undefined, scope: ExpressionScope): Projection | undefined {
  return text === undefined ? undefined : compileProjection(text, scope)
}
