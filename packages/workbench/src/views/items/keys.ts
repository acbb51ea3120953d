import { attributeOf, setAttribute, type AttributeValue, type Item } from '@hashrange/core'
import type { KeySchemaElement, TableDescription } from '../../api/types.ts'
import { previewOf } from '../../values/preview.ts'

/** The key attributes of a table or an index. Indexes can have up to four of each kind, tables one. */
export interface SourceKeys {
  readonly partition: readonly string[]
  readonly sort: readonly string[]
}

export function schemaKeys(schema: readonly KeySchemaElement[]): SourceKeys {
  const named = (type: string): string[] =>
    schema.filter(({ KeyType }) => KeyType === type).map(({ AttributeName }) => AttributeName)
  return { partition: named('HASH'), sort: named('RANGE') }
}

/** The keys of the table, or of the index of that name; the table's if there is no such index. */
export function keysOfSource(table: TableDescription, indexName: string | undefined): SourceKeys {
  const index = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])].find(
    ({ IndexName }) => IndexName === indexName,
  )
  return schemaKeys(index?.KeySchema ?? table.KeySchema)
}

export function keyNames({ partition, sort }: SourceKeys): readonly string[] {
  return [...partition, ...sort]
}

/** The attributes of these names; nothing if one of them is missing. */
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
export function keyWords(key: Item): string {
  return Object.values(key)
    .map((value) => previewOf(value, 60))
    .join(' · ')
}

function isScalar(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const [[type, content] = [], ...others] = Object.entries(value)
  return others.length === 0 && ['S', 'N', 'B'].includes(type ?? '') && typeof content === 'string'
}
