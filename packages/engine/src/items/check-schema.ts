import {
  attributeOf,
  attributeValueSizeBytes,
  limits,
  typeOf,
  validationException,
  type AttributeValue,
  type Item,
} from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import type { IndexDefinition, KeySchema, TableDefinition } from '../catalog/table-definition.ts'

/** Checks that an item to be stored has its table's key, and that what it has of index keys is of their types. */
export function checkItem(table: Table, item: Item): void {
  const { definition } = table
  for (const name of definition.keySchema.hash) checkKeyOfItem(definition, item, name)
  for (const name of definition.keySchema.range) checkKeyOfItem(definition, item, name)
  checkKeySizes(definition.keySchema, item)
  checkIndexKeys(definition, item, putWords)
}

/** Checks what an update made of an item: its key cannot have changed, its index keys may. */
export function checkUpdatedItem(table: Table, item: Item): void {
  checkIndexKeys(table.definition, item, updateWords)
}

/** Checks a key given to find an item: exactly the key attributes, each of its type. */
export function checkKey(table: Table, key: Item): void {
  checkKeyOf(table.definition.keySchema, table.definition.attributeTypes, key)
}

/** The same for the key of an index. */
export function checkKeyOf(keySchema: KeySchema, attributeTypes: TableDefinition['attributeTypes'], key: Item): void {
  let count = 0
  for (const _ in key) count++
  if (count !== keySchema.hash.length + keySchema.range.length) throw keyDoesNotMatch()
  for (const name of keySchema.hash) checkKeyPart(attributeTypes, key, name)
  for (const name of keySchema.range) checkKeyPart(attributeTypes, key, name)
  checkKeySizes(keySchema, key)
}

export function keyDoesNotMatch(): Error {
  return validationException('The provided key element does not match the schema')
}

/** Only the item's own key attributes. */
export function keyOfItem(schema: KeySchema, item: Item): Item {
  const names = schema.range.length === 0 ? schema.hash : [...schema.hash, ...schema.range]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = attributeOf(item, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function checkKeyPart(types: TableDefinition['attributeTypes'], key: Item, name: string): void {
  const value = attributeOf(key, name)
  const type = types[name]
  if (value === undefined || type === undefined || !(type in value)) throw keyDoesNotMatch()
  const empty = emptyKind(value)
  if (empty !== undefined) {
    throw validationException(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${empty} value. Key: ${name}`,
    )
  }
}

function checkKeyOfItem({ attributeTypes }: TableDefinition, item: Item, name: string): void {
  const value = attributeOf(item, name)
  if (value === undefined) {
    throw validationException(`One or more parameter values were invalid: Missing the key ${name} in the item`)
  }
  const type = attributeTypes[name]
  if (type === undefined || !(type in value)) {
    throw validationException(
      `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`,
    )
  }
  const empty = emptyKind(value)
  if (empty !== undefined) {
    throw validationException(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${empty} value. Key: ${name}`,
    )
  }
}

function checkKeySizes(schema: KeySchema, item: Item): void {
  if (keyBytes(schema.hash, item) > limits.partitionKeyBytes) {
    throw validationException(
      `One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of${limits.partitionKeyBytes} bytes`,
    )
  }
  if (schema.range.length > 0 && keyBytes(schema.range, item) > limits.sortKeyBytes) {
    throw validationException(
      `One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of ${limits.sortKeyBytes} bytes`,
    )
  }
}

function keyBytes(names: readonly string[], item: Item): number {
  let bytes = 0
  for (const name of names) {
    const value = attributeOf(item, name)
    if (value !== undefined) bytes += attributeValueSizeBytes(value)
  }
  return bytes
}

interface IndexKeyWords {
  mistyped(name: string, expected: string, actual: string, indexName: string): string
}

const putWords: IndexKeyWords = {
  mistyped: (name, expected, actual, indexName) =>
    `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${expected} Actual: ${actual} IndexName: ${indexName}`,
}

const updateWords: IndexKeyWords = {
  mistyped: () => 'The update expression attempted to update the secondary index key to unsupported type',
}

function checkIndexKeys(definition: TableDefinition, item: Item, words: IndexKeyWords): void {
  for (const index of definition.globalIndexes) checkIndexKey(definition, index, item, words)
  for (const index of definition.localIndexes) checkIndexKey(definition, index, item, words)
}

function checkIndexKey(definition: TableDefinition, index: IndexDefinition, item: Item, words: IndexKeyWords): void {
  for (const name of index.keySchema.hash) checkIndexKeyPart(definition, index, item, name, words)
  for (const name of index.keySchema.range) checkIndexKeyPart(definition, index, item, name, words)
  if (keyBytes(index.keySchema.hash, item) > limits.partitionKeyBytes) {
    throw validationException(
      `One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of${limits.partitionKeyBytes} bytes`,
    )
  }
  if (keyBytes(index.keySchema.range, item) > limits.sortKeyBytes) {
    throw validationException(
      `One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of ${limits.sortKeyBytes} bytes`,
    )
  }
}

function checkIndexKeyPart(
  { attributeTypes }: TableDefinition,
  index: IndexDefinition,
  item: Item,
  name: string,
  words: IndexKeyWords,
): void {
  const value = attributeOf(item, name)
  if (value === undefined) return
  const type = attributeTypes[name]
  if (type === undefined || !(type in value)) {
    throw validationException(words.mistyped(name, type ?? 'S', typeOf(value), index.indexName))
  }
  const empty = emptyKind(value)
  if (empty !== undefined) {
    throw validationException(
      `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${empty} value. IndexName: ${index.indexName}, IndexKey: ${name}`,
    )
  }
}

function emptyKind(value: AttributeValue): 'string' | 'binary' | undefined {
  if ('S' in value) return value.S === '' ? 'string' : undefined
  if ('B' in value) return value.B === '' ? 'binary' : undefined
  return undefined
}
