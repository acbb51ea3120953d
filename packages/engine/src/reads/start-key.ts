import {
  attributeOf,
  compareScalars,
  readItemIn,
  ServiceError,
  typeOf,
  validationException,
  type Item,
  type ValueWording,
} from '@hashrange/core'
import type { RawItem } from '../api/raw-item.ts'
import { namesOf } from '../definitions/key-names.ts'
import { keyInTable } from '../catalog/key-in-table.ts'
import { checkKey, checkKeyOf, keyDoesNotMatch, keyOfItem } from '../items/check-schema.ts'
import { following } from '../layout/key-bounds.ts'
import { indexEntryKey } from '../layout/item-keys.ts'
import type { Key, Range } from '../store/store.ts'
import type { Source } from './source.ts'

/** Reads ExclusiveStartKey, before the table is known. */
export function readStartKey(raw: RawItem | undefined, wording: ValueWording): Item | undefined {
  if (raw === undefined) return undefined
  try {
    return readItemIn(wording, raw)
  } catch (error) {
    if (!(error instanceof ServiceError) || plainlyReported.test(error.message)) throw error
    throw validationException(`The provided starting key is invalid: ${error.message}`)
  }
}

/** Errors in numbers and sets are reported without a position. */
const plainlyReported = /contains duplicates|number set|numeric value|significant digits|number with magnitude/

/** The errors of a Query, or a Scan of an index, about its start key: it has too many or too few attributes, or does
 *  not match. They do not say where. */
export function checkStartKey({ table, keySchema, startKeyNames }: Source, start: Item): void {
  const invalid = 'The provided starting key is invalid'
  if (Object.keys(start).length !== startKeyNames.length) throw validationException(invalid)
  const { attributeTypes } = table.definition
  for (const name of namesOf(keySchema)) {
    const value = attributeOf(start, name)
    if (value === undefined) throw validationException(invalid)
    if (typeOf(value) !== attributeTypes[name]) throw keyDoesNotMatch()
  }
  checkKeyOf(keySchema, attributeTypes, keyOfItem(keySchema, start))
}

/** Where reading continues: the key of the entry that was read last, whether or not it still exists. */
export function storeKeyOfStart({ table, index, startKeyNames }: Source, start: Item): Key {
  const { attributeTypes, keySchema } = table.definition
  const baseItem = keyOfItem(keySchema, start)
  prefixed(() => {
    if (Object.keys(start).length !== startKeyNames.length) throw keyDoesNotMatch()
    if (index !== undefined) checkKeyOf(index.keySchema, attributeTypes, keyOfItem(index.keySchema, start))
    checkKey(table, baseItem)
  })
  const baseKey = keyInTable(table, baseItem)
  if (index === undefined) return baseKey
  return indexEntryKey(index.indexId, index.keySchema, attributeTypes, start, baseKey)
}

/** The part of a range that remains to be read. */
export function rangeAfter(range: Range, start: Key, reverse: boolean): Range {
  if (reverse) return Buffer.compare(start, range.to) < 0 ? { ...range, to: start } : range
  const from = following(start)
  return Buffer.compare(from, range.from) > 0 ? { ...range, from } : range
}

export function isWithin(range: Range, key: Key): boolean {
  return Buffer.compare(range.from, key) <= 0 && Buffer.compare(key, range.to) < 0
}

/** The key with which a client requests the next page. */
export function startKeyAfter(source: Source, last: Item): Item {
  return Object.fromEntries(
    source.startKeyNames.flatMap((name) => {
      const value = attributeOf(last, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

export function sameScalar(left: Item, right: Item, name: string): boolean {
  const one = attributeOf(left, name)
  const other = attributeOf(right, name)
  return one !== undefined && other !== undefined && compareScalars(one, other) === 0
}

function prefixed(check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw validationException(`The provided starting key is invalid: ${error.message}`)
  }
}
