import { assertNotMixed, conditionPaths, parameterFamilies, validationException } from '@hashrange/core'
import type { ScanInput } from '../api/item-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import { checkKeyPaths } from '../expressions/check-key-paths.ts'
import { readScanExpressions } from '../expressions/read-query-expressions.ts'
import { segmentRange } from '../layout/key-space.ts'
import { answerPage, type PageAnswer } from '../reads/answer-page.ts'
import { checkSelect, selectionOf } from '../reads/select.ts'
import { sourceOf } from '../reads/source.ts'
import { checkStartKey, isWithin, rangeAfter, readStartKey, storeKeyOfStart } from '../reads/start-key.ts'
import type { Scope } from '../scope.ts'
import type { MaybePromise } from '../store/store.ts'

export type ScanOutput = PageAnswer

/** Returns synchronously if the store does. */
export function scan(engine: EngineParts, scope: Scope, input: ScanInput): MaybePromise<ScanOutput> {
  // Legacy parameters are read before ExclusiveStartKey, expressions after it.
  const hasExpressions = input.FilterExpression !== undefined || input.ProjectionExpression !== undefined
  if (hasExpressions) assertNotMixed(input, parameterFamilies.Scan)
  const legacy = hasExpressions ? undefined : readScanExpressions(input)
  const start = readStartKey(input.ExclusiveStartKey, 'older')
  const { segment, segments } = readSegment(input)
  const { filter, projection } = legacy ?? readScanExpressions(input)
  checkSelect(input)
  const table = engine.requireTable(scope, input.TableName)
  const source = sourceOf(table, input.IndexName, input.ConsistentRead, 'Scan')
  if (start !== undefined && source.index !== undefined) checkStartKey(source, start)
  const selection = selectionOf(source, input.Select, projection)
  const startKey = start && storeKeyOfStart(source, start)
  const range = segmentRange(source.space, source.id, segment, segments)
  if (startKey !== undefined && !isWithin(range, startKey)) {
    throw validationException(
      `The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: ${segments} Segment: ${segment}`,
    )
  }
  checkKeyPaths(table, projection?.paths ?? [])
  if (filter !== undefined) checkKeyPaths(table, conditionPaths(filter))
  return answerPage(engine, {
    source,
    range: startKey === undefined ? range : rangeAfter(range, startKey, false),
    limit: input.Limit,
    filter,
    selection,
    partition: undefined,
    consistent: input.ConsistentRead === true,
    returnConsumedCapacity: input.ReturnConsumedCapacity,
    tableName: input.TableName,
  })
}

function readSegment({ Segment, TotalSegments }: ScanInput): { segment: number; segments: number } {
  if (Segment === undefined && TotalSegments === undefined) return { segment: 0, segments: 1 }
  if (TotalSegments === undefined) {
    throw validationException(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    )
  }
  if (Segment === undefined) {
    throw validationException(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    )
  }
  if (Segment >= TotalSegments) {
    throw validationException(
      `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${Segment} is not less than TotalSegments: ${TotalSegments}`,
    )
  }
  return { segment: Segment, segments: TotalSegments }
}
