import {
  attributeOf,
  equalValues,
  itemSizeBytes,
  setAttribute,
  type AttributeValue,
  type Item,
} from '@hashrange/core'
import { namesOf } from '../definitions/key-names.ts'
import type { IndexDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { keySizesFit } from './check-schema.ts'
import { keyAttributesAfter, keyAttributesOf } from './key-attributes.ts'
import { StoredItem } from './stored-item.ts'
import { indexEntryKey } from '../layout/item-keys.ts'

/** What an index contains of one item. */
export interface IndexEntry {
  readonly key: Uint8Array
  readonly stored: StoredItem
}

/** The entry of an item in an index. There is none if the item lacks one of the index's key attributes (a sparse
 *  index), or if one has another type or is too long, which is only possible for items older than the index. `before`
 *  is what the item was before a change: usually its key in the index stays the same. */
export function indexEntryOf(
  definition: TableDefinition,
  index: IndexDefinition,
  baseKey: Uint8Array,
  stored: StoredItem,
  before?: { readonly stored: StoredItem; readonly entry: IndexEntry | undefined },
): IndexEntry | undefined {
  const item =
    before === undefined
      ? keyAttributesOf(definition, stored)
      : keyAttributesAfter(definition, stored, before.stored)
  if (before?.entry !== undefined && hasSameKey(index, item, keyAttributesOf(definition, before.stored))) {
    return entryAt(definition, index, before.entry.key, stored)
  }
  if (!isIndexed(definition, index, item)) return undefined
  const key = indexEntryKey(index.indexId, index.keySchema, definition.attributeTypes, item, baseKey)
  return entryAt(definition, index, key, stored)
}

/** The entry of an item whose key in the index is known. */
export function entryAt(
  definition: TableDefinition,
  index: IndexDefinition,
  key: Uint8Array,
  stored: StoredItem,
): IndexEntry {
  return { key, stored: projectedEntry(definition, index, stored) }
}

function hasSameKey({ keySchema: { hash, range } }: IndexDefinition, one: Item, other: Item): boolean {
  if (one === other) return true
  const isSame = (name: string): boolean => sameAttribute(attributeOf(one, name), attributeOf(other, name))
  return hash.every(isSame) && range.every(isSame)
}

export function isIndexed(definition: TableDefinition, index: IndexDefinition, item: Item): boolean {
  const { hash, range } = index.keySchema
  return (
    hash.every((name) => isKeyValue(definition, item, name)) &&
    range.every((name) => isKeyValue(definition, item, name)) &&
    keySizesFit(index.keySchema, item)
  )
}

/** Whether the part of an item that an index projects is the same before and after a change of the item. */
export function sameEntry(
  definition: TableDefinition,
  index: IndexDefinition,
  before: StoredItem,
  after: StoredItem,
): boolean {
  const names = projectedNames(definition, index)
  if (names === undefined) return false
  const itemBefore = projectable(definition, index, before)
  const itemAfter = projectable(definition, index, after)
  return names.every((name) => sameAttribute(attributeOf(itemBefore, name), attributeOf(itemAfter, name)))
}

/** An item, or at least what an index may project of it. */
function projectable(definition: TableDefinition, index: IndexDefinition, stored: StoredItem): Item {
  return index.projection.kind === 'KEYS_ONLY' ? keyAttributesOf(definition, stored) : stored.item
}

/** The names an index projects; undefined when it projects everything. */
export function projectedNames(definition: TableDefinition, index: IndexDefinition): readonly string[] | undefined {
  switch (index.projection.kind) {
    case 'ALL':
      return undefined
    case 'KEYS_ONLY':
      return keyNames(definition, index)
    case 'INCLUDE':
      return [...keyNames(definition, index), ...index.projection.nonKeyAttributes]
  }
}

function keyNames(definition: TableDefinition, index: IndexDefinition): readonly string[] {
  return [...new Set([...namesOf(definition.keySchema), ...namesOf(index.keySchema)])]
}

function projectedEntry(definition: TableDefinition, index: IndexDefinition, stored: StoredItem): StoredItem {
  const names = projectedNames(definition, index)
  if (names === undefined) return stored
  const wanted = new Set(names)
  const projected: Record<string, AttributeValue> = {}
  const item = projectable(definition, index, stored)
  for (const name of Object.keys(item)) {
    const value = item[name]
    if (value !== undefined && wanted.has(name)) setAttribute(projected, name, value)
  }
  return StoredItem.of(projected, itemSizeBytes(projected))
}

export function isKeyValue(definition: TableDefinition, item: Item, name: string): boolean {
  const value = attributeOf(item, name)
  if (value === undefined) return false
  const type = definition.attributeTypes[name]
  if (type === undefined || !(type in value)) return false
  // Items older than the index may have an empty string here, which is not allowed in a key.
  return ('S' in value && value.S !== '') || 'N' in value || ('B' in value && value.B !== '')
}

export function sameAttribute(before: AttributeValue | undefined, after: AttributeValue | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  return equalValues(before, after)
}
