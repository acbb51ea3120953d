import {
  beginsWithBounds,
  unreachable,
  type AttributeValue,
  type Item,
  type KeyAttributeType,
  type KeyRange,
  type KeyTerm,
} from '@hashrange/core'
import { above } from '../layout/key-bounds.ts'
import { checkKeySizes, checkRangeSize } from '../items/check-schema.ts'
import { encodeRange, hashOfPartition, partitionPrefix } from '../layout/item-keys.ts'
import type { Key, Range } from '../store/store.ts'
import type { Source } from './source.ts'

/** The range of entries that the key conditions of a Query select. */
export function storeRangeOf(source: Source, { hashValues, rangeEquals, rangeCondition }: KeyRange): Range {
  const { attributeTypes } = source.table.definition
  const hashKey: Item = Object.fromEntries(
    source.keySchema.hash.map((name, position) => [name, valueAt(hashValues, position)]),
  )
  // Impossible keys cannot match: no store would accept them as a bound.
  checkKeySizes(source.keySchema, hashKey)
  checkRangeSize(rangeEquals)
  for (const value of rangeCondition?.values ?? []) checkRangeSize([...rangeEquals, value])
  const types = source.keySchema.range.map((name) => attributeTypes[name] ?? 'S')
  const partition = partitionPrefix(
    source.space,
    source.id,
    hashOfPartition(source.keySchema, attributeTypes, hashKey),
  )
  const prefix = joined(partition, encodeRange(types, rangeEquals))
  if (rangeCondition === undefined) return { from: prefix, to: above(prefix) }
  return conditionRange(prefix, types[rangeEquals.length] ?? 'S', rangeCondition)
}

function conditionRange(prefix: Key, type: KeyAttributeType, { operator, values }: KeyTerm): Range {
  const bound = (position: number): Key => joined(prefix, encodeRange([type], [valueAt(values, position)]))
  switch (operator) {
    case '=':
      return { from: bound(0), to: above(bound(0)) }
    case '<':
      return { from: prefix, to: bound(0) }
    case '<=':
      return { from: prefix, to: above(bound(0)) }
    case '>':
      return { from: above(bound(0)), to: above(prefix) }
    case '>=':
      return { from: bound(0), to: above(prefix) }
    case 'BETWEEN':
      return { from: bound(0), to: above(bound(1)) }
    case 'begins_with': {
      const { from, to } = beginsWithBounds(valueAt(values, 0))
      return { from: joined(prefix, from), to: to === undefined ? above(prefix) : joined(prefix, to) }
    }
    default:
      return unreachable(operator)
  }
}

function joined(left: Key, right: Key): Key {
  if (right.length === 0) return left
  const key = new Uint8Array(left.length + right.length)
  key.set(left)
  key.set(right, left.length)
  return key
}

function valueAt(values: readonly AttributeValue[], position: number): AttributeValue {
  const value = values[position]
  if (value === undefined) throw new Error('a key condition without its value')
  return value
}
