import { attributeOf, setAttribute, type AttributeValue, type Item } from '@hashrange/core'
import { keyNames, schemaKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { previewOf } from '../../../values/preview.ts'

/** The attributes with these names; undefined if one of them is missing. */
export function pick(item: Item, names: readonly string[]): Item | undefined {
  const picked: Record<string, AttributeValue> = {}
  for (const name of names) {
    const value = attributeOf(item, name)
    if (value === undefined) return undefined
    setAttribute(picked, name, value)
  }
  return picked
}

/** An item's key in the table. Every item has one, in every index. */
export function baseKey(table: TableDescription, item: Item): Item {
  return pick(item, keyNames(schemaKeys(table.KeySchema))) ?? {}
}

/** A key as text, the same for the same key: for rows, selections and addresses. */
export function keyText(key: Item): string {
  return JSON.stringify(key)
}

/** Keys of many items. They are read one by one: 200,000 of them at once take longer than a frame may. */
export interface KeyList extends Iterable<Item> {
  readonly size: number
}

/** The keys that such texts stand for. */
export function keyList(texts: ReadonlySet<string>): KeyList {
  return {
    size: texts.size,
    *[Symbol.iterator]() {
      for (const text of texts) yield JSON.parse(text) as Item
    },
  }
}

/** A key from such text, if it has just these attributes and each is a scalar. */
export function keyFromText(text: string, names: readonly string[]): Item | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null) return undefined
    const entries = Object.entries(parsed)
    const isKey =
      entries.length === names.length && entries.every(([name, value]) => names.includes(name) && isScalar(value))
    return isKey ? (parsed as Item) : undefined
  } catch {
    return undefined
  }
}

/** `CUSTOMER#1 · PROFILE`, for titles. */
export function keyTitle(key: Item): string {
  return Object.values(key)
    .map((value) => previewOf(value, 60))
    .join(' · ')
}

function isScalar(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const [[type, content] = [], ...others] = Object.entries(value)
  return others.length === 0 && ['S', 'N', 'B'].includes(type ?? '') && typeof content === 'string'
}
