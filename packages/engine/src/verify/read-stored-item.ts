import { assertItemTypes, attributeOf, itemSizeBytes, limits, readItem, type Item } from '@hashrange/core'
import type { KeySchema, TableDefinition } from '../definitions/table-definition.ts'
import { checkKeyOf, keyOfItem } from '../items/check-schema.ts'
import { jsonStart, storedHeaderDamage, StoredItem } from '../items/stored-item.ts'
import { itemKey } from '../layout/item-keys.ts'
import { movedItemKey, type keySpace } from '../layout/key-space.ts'
import type { Key, Value } from '../store/store.ts'

/** An item as it was read, and everything that is wrong with it. Without the item, its bytes are not valid. */
export interface ReadItem {
  readonly stored?: StoredItem
  readonly problems: readonly string[]
}

/** Reads an item, or an index entry, and trusts nothing in it. */
export function readStoredItem(value: Value): ReadItem {
  const damage = storedHeaderDamage(value)
  if (damage !== undefined) return { problems: [damage] }
  const read = readItemJson(value.subarray(jsonStart(value)))
  if (read.item === undefined) return { problems: read.problems }
  const stored = new StoredItem(value, read.item)
  const sizeBytes = itemSizeBytes(read.item)
  const problems = [...read.problems]
  if (stored.sizeBytes !== sizeBytes) {
    problems.push(`Its size is ${sizeBytes} bytes, but ${stored.sizeBytes} is stored.`)
  }
  if (sizeBytes > limits.itemSizeBytes) problems.push(`It has ${sizeBytes} bytes, more than an item may have.`)
  return { stored, problems }
}

export interface ReadJson {
  readonly item?: Item
  readonly problems: readonly string[]
}

/** Reads the JSON of an item, which must be canonical: exactly the bytes that would be written for it. */
export function readItemJson(bytes: Buffer): ReadJson {
  let item: Item
  try {
    const raw: unknown = JSON.parse(bytes.toString('utf8'))
    assertItemTypes(raw)
    item = readItem(raw)
  } catch (error) {
    return { problems: [`It cannot be read (${messageOf(error)}).`] }
  }
  const isCanonical = Buffer.from(JSON.stringify(item)).equals(bytes)
  return { item, problems: isCanonical ? [] : ['Its JSON is not in canonical form.'] }
}

/** What is wrong with an item's own key: with its attributes, or with where it is stored. `id` and `space` say where
 *  it should be. */
export function keyProblems(
  { keySchema, attributeTypes }: Pick<TableDefinition, 'keySchema' | 'attributeTypes'>,
  space: typeof keySpace.item | typeof keySpace.keptItem,
  id: number,
  key: Key,
  item: Item,
): readonly string[] {
  const missing = missingKeys(keySchema, item)
  if (missing !== undefined) return [`It has no key attribute ${missing}.`]
  try {
    checkKeyOf(keySchema, attributeTypes, keyOfItem(keySchema, item))
    const expected = movedItemKey(space, id, itemKey(id, keySchema, attributeTypes, item))
    if (Buffer.compare(expected, key) !== 0) return ['It is stored under a key that is not its own.']
  } catch (error) {
    return [`Its key is not valid (${messageOf(error)}).`]
  }
  return []
}

function missingKeys({ hash, range }: KeySchema, item: Item): string | undefined {
  return [...hash, ...range].find((name) => attributeOf(item, name) === undefined)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
