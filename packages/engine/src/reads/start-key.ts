import {
  attributeOf,
  compareScalars,
  readItemIn,
  ServiceError,
  validationException,
  type Item,
  type ValueWords,
} from '@hashrange/core'
import type { RawItem } from '../api/raw-item.ts'
import type { Table } from '../catalog/table.ts'
import type { IndexDefinition } from '../catalog/table-definition.ts'
import { namesOf } from '../indexes/index-entry.ts'
import { keyInTable } from '../items/change-item.ts'
import { checkKey, checkKeyOf, keyDoesNotMatch, keyOfItem } from '../items/check-schema.ts'
import { following } from '../layout/key-bounds.ts'
import { indexEntryKey } from '../layout/item-keys.ts'
import type { Key, Range } from '../store/store.ts'
import type { Source } from './source.ts'

/** Reads ExclusiveStartKey, before the table is known. */
export function readStartKey(raw: RawItem | undefined, words: ValueWords): Item | undefined {
  if (raw === undefined) return undefined
  try {
    return readItemIn(words, raw)
  } catch (error) {
    if (!(error instanceof ServiceError) || plainlyReported.test(error.message)) throw error
    throw validationException(`The provided starting key is invalid: ${error.message}`)
  }
}

/** What is wrong with numbers and sets is reported without saying where. */
const plainlyReported = /contains duplicates|number set|numeric value|significant digits|number with magnitude/

/** Where in the store reading goes on: the key of the entry that was read last, whether or not it is still there. */
export function storeKeyOfStart(source: Source, start: Item, reader: 'Query' | 'Scan' = 'Query'): Key {
  if (reader === 'Query') checkQueryStart(source, start)
  else checkScanStart(source, start)
  const { table, index } = source
  const { attributeTypes, keySchema } = table.definition
  const baseKey = keyInTable(table, keyOfItem(keySchema, start))
  if (index === undefined) return baseKey
  return indexEntryKey(index.indexId, index.keySchema, attributeTypes, start, baseKey)
}

/** Query does not say what about the attributes or their types is wrong. */
function checkQueryStart({ table, index, startKeyNames }: Source, start: Item): void {
  const { attributeTypes } = table.definition
  const matches = (name: string): boolean => {
    const value = attributeOf(start, name)
    const type = attributeTypes[name]
    return value !== undefined && type !== undefined && type in value
  }
  if (Object.keys(start).length !== startKeyNames.length || !startKeyNames.every(matches)) throw invalidStart()
  if (index !== undefined) prefixed(() => checkKeyOfIndex(table, index, start))
  prefixed(() => checkKey(table, keyOfItem(table.definition.keySchema, start)))
}

/** What Scan says of an index's own key, which it looks at before what is selected: that it does not match, and no more. */
export function checkScanStartInIndex({ table, index, startKeyNames }: Source, start: Item): void {
  if (index === undefined) return
  if (Object.keys(start).length !== startKeyNames.length) throw invalidStart()
  if (namesOf(index.keySchema).some((name) => attributeOf(start, name) === undefined)) throw invalidStart()
  checkKeyOfIndex(table, index, start)
}

function checkScanStart({ table, startKeyNames }: Source, start: Item): void {
  prefixed(() => {
    if (Object.keys(start).length !== startKeyNames.length) throw keyDoesNotMatch()
    checkKey(table, keyOfItem(table.definition.keySchema, start))
  })
}

function checkKeyOfIndex({ definition }: Table, { keySchema }: IndexDefinition, start: Item): void {
  checkKeyOf(keySchema, definition.attributeTypes, keyOfItem(keySchema, start))
}

/** The part of a range that is still to be read. */
export function rangeAfter(range: Range, start: Key, reverse: boolean): Range {
  if (reverse) return Buffer.compare(start, range.to) < 0 ? { ...range, to: start } : range
  const from = following(start)
  return Buffer.compare(from, range.from) > 0 ? { ...range, from } : range
}

export function isWithin(range: Range, key: Key): boolean {
  return Buffer.compare(range.from, key) <= 0 && Buffer.compare(key, range.to) < 0
}

/** The key by which a client asks for the next page. */
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

function invalidStart(): ServiceError {
  return validationException('The provided starting key is invalid')
}

function prefixed(check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw validationException(`The provided starting key is invalid: ${error.message}`)
  }
}
