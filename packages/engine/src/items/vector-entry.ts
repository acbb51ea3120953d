import {
  attributeOf,
  attributeValueSizeBytes,
  itemSizeBytes,
  typeOf,
  validationException,
  type Item,
} from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { namesOf } from '../definitions/key-names.ts'
import type { TableDefinition, VectorIndexDefinition } from '../definitions/table-definition.ts'
import { EmptyKeyRefusal, emptyIndexKey, emptyKind } from './check-schema.ts'
import { isKeyValue, sameAttribute } from './index-entry.ts'
import type { StoredItem } from './stored-item.ts'
import { checkVector, vectorOf } from './vector-values.ts'

const noCharges: ReadonlyMap<string, number> = new Map()
/** The least that a write to a vector index is charged. */
const leastBytes = 1_024

/** Rejects an item with a value that one of its table's vector indexes cannot take. An item that lacks one is fine: it
 *  is not in the index. */
export function checkVectors({ definition }: Table, item: Item, write: 'put' | 'update'): void {
  const { vectorIndexes, attributeTypes } = definition
  if (vectorIndexes === undefined) return
  for (const index of vectorIndexes.toSorted((one, other) => (one.indexName < other.indexName ? -1 : 1))) {
    const vector = attributeOf(item, index.vectorAttribute)
    if (vector !== undefined) checkVector(index.vectorAttribute, vector, index)
    for (const { attributeName, kind } of index.searchSchema ?? []) {
      const value = attributeOf(item, attributeName)
      if (value === undefined) continue
      const type = attributeTypes[attributeName] ?? 'S'
      if (!(type in value)) {
        throw validationException(
          `One or more parameter values were invalid. Attribute '${attributeName}' type mismatch. Expected: ${type}, Actual: ${typeOf(value)}. IndexName: ${index.indexName}`,
        )
      }
      const empty = kind === 'HASH' ? emptyKind(value) : undefined
      if (empty !== undefined)
        throw new EmptyKeyRefusal(emptyIndexKey(write, empty, attributeName, index.indexName))
    }
  }
}

/** The vector of an item; undefined if the item is not in the index, because it lacks something, or because it is
 *  older than the index and has a value that the index cannot take. */
export function indexedVector(
  definition: TableDefinition,
  index: VectorIndexDefinition,
  item: Item,
): Float32Array | undefined {
  for (const { attributeName, kind } of index.searchSchema ?? []) {
    const value = attributeOf(item, attributeName)
    if (value === undefined && kind === 'INLINE_FILTER') continue
    if (kind === 'HASH' && !isKeyValue(definition, item, attributeName)) return undefined
    if (value !== undefined && !((definition.attributeTypes[attributeName] ?? 'S') in value)) return undefined
  }
  return vectorOf(attributeOf(item, index.vectorAttribute), index.dimensions)
}

/** The names of the attributes that searches can show; undefined if they can show all. */
export function shownNames(
  { keySchema }: TableDefinition,
  { projection, searchSchema = [] }: VectorIndexDefinition,
): ReadonlySet<string> | undefined {
  if (projection.kind === 'ALL') return undefined
  const always = [...namesOf(keySchema), ...searchSchema.map(({ attributeName }) => attributeName)]
  return new Set(projection.kind === 'INCLUDE' ? [...always, ...projection.nonKeyAttributes] : always)
}

/** How many bytes a change writes to each vector index whose entry it changes. */
export function vectorCharges(
  definition: TableDefinition,
  previous: StoredItem | undefined,
  next: StoredItem | undefined,
): ReadonlyMap<string, number> {
  const { vectorIndexes = [] } = definition
  let charges: Map<string, number> | undefined
  for (const index of vectorIndexes) {
    const before = previous && entryOf(definition, index, previous.item)
    const after = next && entryOf(definition, index, next.item)
    if (before === undefined && after === undefined) continue
    if (before !== undefined && after !== undefined && sameItems(before, after)) continue
    const bytes = Math.max(entryBytes(index, before), entryBytes(index, after), leastBytes)
    charges ??= new Map()
    charges.set(index.indexName, bytes)
  }
  return charges ?? noCharges
}

/** The size by which a write is charged: a vector counts four bytes per dimension, whatever its numbers are. */
export function billedBytes({ vectorIndexes = [] }: TableDefinition, stored: StoredItem | undefined): number {
  if (stored === undefined) return 0
  let bytes = stored.sizeBytes
  const seen = new Set<string>()
  for (const { vectorAttribute, dimensions } of vectorIndexes) {
    const value = attributeOf(stored.item, vectorAttribute)
    if (value === undefined || seen.has(vectorAttribute) || vectorOf(value, dimensions) === undefined) continue
    seen.add(vectorAttribute)
    bytes += dimensions * Float32Array.BYTES_PER_ELEMENT - attributeValueSizeBytes(value)
  }
  return bytes
}

/** What an index keeps of an item: its vector, and what it projects. */
function entryOf(definition: TableDefinition, index: VectorIndexDefinition, item: Item): Item | undefined {
  if (indexedVector(definition, index, item) === undefined) return undefined
  const names = shownNames(definition, index)
  if (names === undefined) return item
  return Object.fromEntries(
    Object.entries(item).filter(([name]) => names.has(name) || name === index.vectorAttribute),
  )
}

function entryBytes({ vectorAttribute, dimensions }: VectorIndexDefinition, entry: Item | undefined): number {
  if (entry === undefined) return 0
  const { [vectorAttribute]: vector, ...rest } = entry
  const name = vector === undefined ? 0 : Buffer.byteLength(vectorAttribute)
  return itemSizeBytes(rest) + name + dimensions * Float32Array.BYTES_PER_ELEMENT
}

function sameItems(one: Item, other: Item): boolean {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => sameAttribute(one[name], attributeOf(other, name)))
  )
}
