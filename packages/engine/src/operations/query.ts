import {
  assertFilterAvoidsKeys,
  conditionPaths,
  matchKeyConditions,
  validationException,
  type Item,
  type KeyRange,
} from '@hashrange/core'
import type { QueryInput } from '../api/item-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import { checkKeyPaths } from '../expressions/check-key-paths.ts'
import { readLegacyQuery, readQueryExpressions } from '../expressions/read-query-expressions.ts'
import { namesOf } from '../definitions/key-names.ts'
import { answerPage, type PageAnswer } from '../reads/answer-page.ts'
import { storeRangeOf } from '../reads/key-range.ts'
import { checkSelect, selectionOf } from '../reads/select.ts'
import { sourceOf, type Source } from '../reads/source.ts'
import {
  checkStartKey,
  isWithin,
  rangeAfter,
  readStartKey,
  sameScalar,
  storeKeyOfStart,
} from '../reads/start-key.ts'
import type { Scope } from '../scope.ts'
import type { Key, MaybePromise, Range } from '../store/store.ts'

export type QueryOutput = PageAnswer

/** Returns synchronously if the store does. */
export function query(engine: EngineParts, scope: Scope, input: QueryInput): MaybePromise<QueryOutput> {
  const legacy = readLegacyQuery(input)
  const start = readStartKey(input.ExclusiveStartKey, 'current')
  const { terms, filter, projection } = readQueryExpressions(input, legacy)
  checkSelect(input)
  const table = engine.requireTable(scope, input.TableName)
  const source = sourceOf(table, input.IndexName, input.ConsistentRead, 'Query')
  if (start !== undefined) checkStartKey(source, start)
  const { attributeTypes } = table.definition
  const { hash, range: sort } = source.keySchema
  const keyRange = matchKeyConditions(terms, { hash, range: sort, types: attributeTypes })
  const range = storeRangeOf(source, keyRange)
  const startKey = start && storeKeyOfStart(source, start)
  if (start !== undefined && startKey !== undefined) checkBoundaries(source, keyRange, range, start, startKey)
  checkKeyPaths(table, projection?.paths ?? [])
  if (filter !== undefined) {
    assertFilterAvoidsKeys(
      filter,
      namesOf(source.keySchema),
      input.QueryFilter ? 'QueryFilter' : 'Filter Expression',
    )
  }
  const selection = selectionOf(source, input.Select, projection)
  if (filter !== undefined) checkKeyPaths(table, conditionPaths(filter))
  const reverse = input.ScanIndexForward === false
  const { from, to } = startKey === undefined ? range : rangeAfter(range, startKey, reverse)
  return answerPage(engine, {
    source,
    range: { from, to, reverse },
    // If there is at most one item, there is no next page.
    limit: hasOneItemAtMost(source) ? undefined : input.Limit,
    filter,
    selection,
    partition: keyRange.hashValues,
    consistent: input.ConsistentRead === true,
    returnConsumedCapacity: input.ReturnConsumedCapacity,
    tableName: input.TableName,
  })
}

/** A page can only continue within the range of its Query. */
function checkBoundaries(source: Source, keyRange: KeyRange, range: Range, start: Item, startKey: Key): void {
  const hashKey: Item = Object.fromEntries(
    source.keySchema.hash.map((name, position) => [name, keyRange.hashValues[position] ?? { NULL: true }]),
  )
  if (hasOneItemAtMost(source)) {
    throw validationException(`The provided exclusive start key is invalid: ExclusiveStartKey: ${keyText(start)}`)
  }
  const samePartition = source.keySchema.hash.every((name) => sameScalar(start, hashKey, name))
  if (keyRange.rangeCondition === undefined && keyRange.rangeEquals.length === 0) {
    if (samePartition) return
    throw validationException('The provided starting key is outside query boundaries based on provided conditions')
  }
  const inPartition = samePartition ? startKey : storeKeyOfStart(source, { ...start, ...hashKey })
  if (!isWithin(range, inPartition)) {
    throw validationException('The provided starting key does not match the range key predicate')
  }
  if (!samePartition) throw validationException('The query can return at most one row and cannot be restarted')
}

/** In a table without a range key, a Query's key is an item's key. */
function hasOneItemAtMost({ index, keySchema }: Source): boolean {
  return index === undefined && keySchema.range.length === 0
}

function keyText(key: Item): string {
  const members = Object.entries(key).map(([name, value]) => {
    const [type, text] = Object.entries(value)[0] ?? []
    return `${name}=AttributeValue: {${type}:${String(text)}}`
  })
  return `{${members.join(', ')}}`
}
