import {
  compareScalars,
  conditionPaths,
  validationException,
  type AttributeValue,
  type Condition,
  type KeyTerm,
} from '@hashrange/core'
import { type KeyedRead, type ReadKey } from '@hashrange/core/partiql'
import { storeRangeOf } from '../reads/key-range.ts'
import type { Source } from '../reads/source.ts'
import type { Range } from '../store/store.ts'
import { checkKeyValue } from './check-key-value.ts'
import { readKeyOf } from './statement-source.ts'

/** One stretch of a partition that a statement reads. */
export interface RangeRead {
  readonly hashValue: AttributeValue
  readonly range: Range
  readonly filter: Condition | undefined
  /** All conditions on what is read. */
  readonly condition: Condition
  /** Whether one of the alternatives requires another partition as well, and so matches nothing. */
  readonly contradictory: boolean
  /** Whether there is at most one item to find. */
  readonly single: boolean
}

/** Which ranges of the store the reads of a statement cover. They must not overlap, or an item would be found twice.
 *  If a condition on the key cannot be a range, such as `<>`, overlapping reads are merged instead. */
export function rangeReads(source: Source, reads: readonly KeyedRead[]): readonly RangeRead[] {
  for (const read of reads) checkKeyValues(source, read)
  const apart: RangeRead[] = []
  for (const read of reads) {
    let merged = rangeRead(source, read)
    for (let position = apart.length - 1; position >= 0; position--) {
      const other = apart[position]
      if (other === undefined || !overlap(other.range, merged.range)) continue
      merged = mergedRead(other, merged, readKeyOf(source))
      apart.splice(position, 1)
    }
    apart.push(merged)
  }
  return apart
}

/** In the order of the partitions in the store, or by the values of the partition key. */
export function inOrder(
  reads: readonly RangeRead[],
  byHash: 'ascending' | 'descending' | undefined,
  reverse: boolean,
): readonly RangeRead[] {
  const withinPartition = reverse ? -1 : 1
  return reads.toSorted((one, other) => {
    if (one.contradictory !== other.contradictory) return one.contradictory ? -1 : 1
    const byValue = compareScalars(one.hashValue, other.hashValue) ?? 0
    const byRange = Buffer.compare(one.range.from, other.range.from)
    if (byValue === 0) return byRange * withinPartition
    if (byHash === undefined) return byRange
    return byHash === 'ascending' ? byValue : -byValue
  })
}

function checkKeyValues(source: Source, { hashValue, rangeTerms }: KeyedRead): void {
  checkKeyValue(source.table, readKeyOf(source).hash, hashValue)
  for (const { attribute, values } of rangeTerms) {
    for (const value of values) checkKeyValue(source.table, attribute, value)
  }
}

function rangeRead(source: Source, read: KeyedRead): RangeRead {
  const { hashValue, rangeTerms, filter, condition, contradictory } = read
  let range = storeRangeOf(source, { hashValues: [hashValue], rangeEquals: [] })
  for (const term of rangeTerms) range = intersection(range, termRange(source, hashValue, term))
  const wholeKey = source.keySchema.range.length === 0 || rangeTerms.some(({ operator }) => operator === '=')
  return { hashValue, range, filter, condition, contradictory, single: source.index === undefined && wholeKey }
}

function termRange(source: Source, hashValue: AttributeValue, term: KeyTerm): Range {
  const [value] = term.values
  if (term.operator === '=' && value !== undefined) {
    return storeRangeOf(source, { hashValues: [hashValue], rangeEquals: [value] })
  }
  return storeRangeOf(source, { hashValues: [hashValue], rangeEquals: [], rangeCondition: term })
}

function intersection(one: Range, other: Range): Range {
  const from = Buffer.compare(one.from, other.from) > 0 ? one.from : other.from
  const to = Buffer.compare(one.to, other.to) < 0 ? one.to : other.to
  return Buffer.compare(from, to) > 0 ? { from, to: from } : { from, to }
}

function overlap(one: Range, other: Range): boolean {
  return Buffer.compare(one.from, other.to) < 0 && Buffer.compare(other.from, one.to) < 0
}

function mergedRead(one: RangeRead, other: RangeRead, key: ReadKey): RangeRead {
  if (!filtersKey(one, key) && !filtersKey(other, key)) {
    throw validationException('Overlapping conditions with range keys are not supported in where clause')
  }
  const condition: Condition = { kind: 'or', terms: [one.condition, other.condition] }
  const from = Buffer.compare(one.range.from, other.range.from) < 0 ? one.range.from : other.range.from
  const to = Buffer.compare(one.range.to, other.range.to) > 0 ? one.range.to : other.range.to
  return {
    hashValue: one.hashValue,
    range: { from, to },
    filter: condition,
    condition,
    contradictory: one.contradictory || other.contradictory,
    single: one.single && other.single,
  }
}

function filtersKey({ filter, contradictory }: RangeRead, { range }: ReadKey): boolean {
  if (contradictory) return true
  if (filter === undefined || range === undefined) return false
  return conditionPaths(filter).some(([head]) => head?.kind === 'name' && head.name === range)
}
