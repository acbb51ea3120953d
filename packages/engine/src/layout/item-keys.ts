import {
  appendKeyValue,
  attributeOf,
  ByteWriter,
  decodeBase64,
  type AttributeValue,
  type Item,
  type KeyAttributeType,
} from '@hashrange/core'
import type { KeySchema } from '../definitions/table-definition.ts'
import { keySpace } from './key-space.ts'
import { partitionHash, partitionHashBytes } from './partition-hash.ts'

export type AttributeTypes = Readonly<Record<string, KeyAttributeType>>

/** The prefix of the keys of one table or index: its space and its identifier. */
export const keyHeaderBytes = 5

/** One writer serves every key: encoding is synchronous and its result is a copy. */
const writer = new ByteWriter(2_048)

/** `item space · table id · hash(partition key) · sort key`. ON DISK. */
export function itemKey(tableId: number, schema: KeySchema, types: AttributeTypes, item: Item): Uint8Array {
  begin(keySpace.item, tableId)
  appendHash(hashOfPartition(schema, types, item))
  appendRange(schema, types, item)
  return writer.bytes()
}

/** `index space · index id · hash(index partition key) · index sort key · hash(base key)`. ON DISK.
 *  `baseKey` is the item's own key in its table. */
export function indexEntryKey(
  indexId: number,
  schema: KeySchema,
  types: AttributeTypes,
  item: Item,
  baseKey: Uint8Array,
): Uint8Array {
  const hash = hashOfPartition(schema, types, item)
  begin(keySpace.indexEntry, indexId)
  appendHash(hash)
  appendRange(schema, types, item)
  appendHash(partitionHash(baseKey.subarray(keyHeaderBytes)))
  return writer.bytes()
}

/** The prefix of all keys of one partition. */
export function partitionPrefix(
  space: typeof keySpace.item | typeof keySpace.indexEntry,
  id: number,
  hash: string,
): Uint8Array {
  begin(space, id)
  appendHash(hash)
  return writer.bytes()
}

/** `collection space · table id · hash(partition key)`: derived from the item's key. ON DISK. */
export function collectionKey(baseKey: Uint8Array): Uint8Array {
  // A Buffer's own slice would share the base key's bytes.
  const key = new Uint8Array(baseKey.subarray(0, keyHeaderBytes + partitionHashBytes))
  key[0] = keySpace.collection
  return key
}

/** The hash that stands for a partition key. One attribute is hashed as it is; several as the tuple of their ordered
 *  encodings, so that different tuples cannot have the same bytes. ON DISK. */
export function hashOfPartition(schema: KeySchema, types: AttributeTypes, item: Item): string {
  if (schema.hash.length === 1) return partitionHash(plainBytes(requireAttribute(item, schema.hash[0])))
  writer.reset()
  for (const name of schema.hash) appendAttribute(types, item, name)
  return partitionHash(writer.bytes())
}

/** The ordered encodings of the given values of range attributes, in order. */
export function encodeRange(types: readonly KeyAttributeType[], values: readonly AttributeValue[]): Uint8Array {
  writer.reset()
  values.forEach((value, index) => appendKeyValue(writer, types[index] ?? 'S', value))
  return writer.bytes()
}

function begin(space: number, id: number): void {
  writer.reset()
  writer.push(space)
  writer.appendUint32(id)
}

function appendHash(hash: string): void {
  for (let index = 0; index < partitionHashBytes; index++) writer.push(hash.charCodeAt(index))
}

function appendRange(schema: KeySchema, types: AttributeTypes, item: Item): void {
  for (const name of schema.range) appendAttribute(types, item, name)
}

function appendAttribute(types: AttributeTypes, item: Item, name: string): void {
  appendKeyValue(writer, types[name] ?? 'S', requireAttribute(item, name))
}

function plainBytes(value: AttributeValue): string | Uint8Array {
  if ('S' in value) return value.S
  if ('N' in value) return value.N
  if ('B' in value) return decodeBase64(value.B)
  throw new Error('a key attribute is a string, a number or binary')
}

function requireAttribute(item: Item, name: string | undefined): AttributeValue {
  const value = name === undefined ? undefined : attributeOf(item, name)
  if (value === undefined) throw new Error(`the item has no key attribute ${name}`)
  return value
}
