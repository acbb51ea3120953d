import {
  attributeOf,
  attributeValueSizeBytes,
  limits,
  ServiceError,
  setAttribute,
  typeOf,
  validationException,
  type AttributeValue,
  type Item,
} from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import type { IndexDefinition, KeySchema, TableDefinition } from '../definitions/table-definition.ts'

const hashTooLongMessage = `One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of${limits.partitionKeyBytes} bytes`
const rangeTooLongMessage = `One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of ${limits.sortKeyBytes} bytes`
const updatedTooLongMessage =
  'The update expression attempted to update the secondary index key beyond allowed size limits'

/** Checks that an item has its table's key, and that the index keys it has are of the right types. */
export function checkItem(table: Table, item: Item): void {
  const { definition } = table
  for (const name of definition.keySchema.hash) checkKeyOfItem(definition, item, name)
  for (const name of definition.keySchema.range) checkKeyOfItem(definition, item, name)
  checkKeySizes(definition.keySchema, item)
  checkIndexKeys(definition, item, putMessages)
}

/** Checks the result of an update: the item's key cannot have changed, but its index keys may have. Attributes that
 *  the update does not touch are checked too: an item that is older than the index and does not fit it can only be
 *  changed by fixing it. */
export function checkUpdatedItem(table: Table, item: Item): void {
  checkIndexKeys(table.definition, item, updateMessages)
}

/** Checks the values that an update gives to attributes, as far as they are known before its item is read. */
export function checkGivenAttributes(table: Table, given: Item): void {
  checkIndexKeys(table.definition, given, givenMessages)
}

/** Checks a key given to find an item: exactly the key attributes, each of its type. */
export function checkKey(table: Table, key: Item): void {
  checkKeyOf(table.definition.keySchema, table.definition.attributeTypes, key)
}

/** The same for the key of an index. */
export function checkKeyOf(
  keySchema: KeySchema,
  attributeTypes: TableDefinition['attributeTypes'],
  key: Item,
): void {
  let count = 0
  for (const _ in key) count++
  if (count !== keySchema.hash.length + keySchema.range.length) throw keyDoesNotMatch()
  for (const name of keySchema.hash) checkKeyPart(attributeTypes, key, name)
  for (const name of keySchema.range) checkKeyPart(attributeTypes, key, name)
  checkKeySizes(keySchema, key)
}

/** Checks that an item has its table's key. A batch words this error differently from PutItem. */
export function checkKeyInBatch(table: Table, item: Item): void {
  const { keySchema, attributeTypes } = table.definition
  for (const name of [...keySchema.hash, ...keySchema.range]) {
    const value = attributeOf(item, name)
    if (value === undefined || typeOf(value) !== attributeTypes[name]) throw keyDoesNotMatch()
  }
}

/** An empty key value. Unlike other errors in keys, it does not cancel a transaction: the whole request is rejected. */
export class EmptyKeyRefusal extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message)
  }
}

export function keyDoesNotMatch(): Error {
  return validationException('The provided key element does not match the schema')
}

/** Only the item's own key attributes. */
export function keyOfItem(schema: KeySchema, item: Item): Item {
  const key: Record<string, AttributeValue> = {}
  copyAttributes(schema.hash, item, key)
  copyAttributes(schema.range, item, key)
  return key
}

function copyAttributes(names: readonly string[], item: Item, target: Record<string, AttributeValue>): void {
  for (const name of names) {
    const value = attributeOf(item, name)
    if (value !== undefined) setAttribute(target, name, value)
  }
}

function checkKeyPart(types: TableDefinition['attributeTypes'], key: Item, name: string): void {
  const value = attributeOf(key, name)
  const type = types[name]
  if (value === undefined || type === undefined || !(type in value)) throw keyDoesNotMatch()
  const empty = emptyKind(value)
  if (empty !== undefined) throw emptyKey(empty, name)
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
  if (empty !== undefined) throw emptyKey(empty, name)
}

/** Rejects values that are too long for a key, if the item has them. */
export function checkKeySizes(schema: KeySchema, item: Item): void {
  if (keyBytes(schema.hash, item) > limits.partitionKeyBytes) throw validationException(hashTooLongMessage)
  if (schema.range.length > 0 && keyBytes(schema.range, item) > limits.sortKeyBytes) {
    throw validationException(rangeTooLongMessage)
  }
}

/** Rejects values that together are too long for a sort key. */
export function checkRangeSize(values: readonly AttributeValue[]): void {
  let bytes = 0
  for (const value of values) bytes += attributeValueSizeBytes(value)
  if (bytes > limits.sortKeyBytes) throw validationException(rangeTooLongMessage)
}

/** Whether an item's values are short enough for a key. */
export function keySizesFit(schema: KeySchema, item: Item): boolean {
  return (
    keyBytes(schema.hash, item) <= limits.partitionKeyBytes && keyBytes(schema.range, item) <= limits.sortKeyBytes
  )
}

function keyBytes(names: readonly string[], item: Item): number {
  let bytes = 0
  for (const name of names) {
    const value = attributeOf(item, name)
    if (value !== undefined) bytes += names.length === 1 ? atMostBytes(value) : attributeValueSizeBytes(value)
  }
  return bytes
}

/** At most three bytes per character: a short string, which most keys are, need not be measured. Several values must
 *  be, because their lengths add up. */
function atMostBytes(value: AttributeValue): number {
  return 'S' in value && value.S.length < 80 ? value.S.length * 3 : attributeValueSizeBytes(value)
}

/** The service's messages about index keys: the error of an update does not name the index. */
interface IndexKeyMessages {
  readonly mistyped: (name: string, expected: string, actual: string, indexName: string) => string
  readonly empty: (kind: EmptyKind, name: string, indexName: string) => string
  readonly hashTooLong: string
  readonly rangeTooLong: string
}

const putMessages: IndexKeyMessages = {
  mistyped: (name, expected, actual, indexName) =>
    `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${expected} Actual: ${actual} IndexName: ${indexName}`,
  empty: (kind, name, indexName) =>
    `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${kind} value. IndexName: ${indexName}, IndexKey: ${name}`,
  hashTooLong: hashTooLongMessage,
  rangeTooLong: rangeTooLongMessage,
}

const updateMessages: IndexKeyMessages = {
  mistyped: () => 'The update expression attempted to update the secondary index key to unsupported type',
  empty: (kind) =>
    `One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty ${kind} value.`,
  hashTooLong: updatedTooLongMessage,
  rangeTooLong: updatedTooLongMessage,
}

/** The message about an empty value in the key of an index. */
export function emptyIndexKey(write: 'put' | 'update', kind: EmptyKind, name: string, indexName: string): string {
  return (write === 'put' ? putMessages : updateMessages).empty(kind, name, indexName)
}

/** Key values in an update are known before its item is read: a wrong type is reported with the message of a put. */
const givenMessages: IndexKeyMessages = { ...updateMessages, mistyped: putMessages.mistyped }

function checkIndexKeys(definition: TableDefinition, item: Item, messages: IndexKeyMessages): void {
  if (definition.globalIndexes.length + definition.localIndexes.length === 0) return
  for (const index of indexesByName(definition)) {
    for (const name of index.keySchema.hash) checkIndexKeyPart(definition, index, item, name, messages)
    for (const name of index.keySchema.range) checkIndexKeyPart(definition, index, item, name, messages)
    if (keyBytes(index.keySchema.hash, item) > limits.partitionKeyBytes)
      throw validationException(messages.hashTooLong)
    if (keyBytes(index.keySchema.range, item) > limits.sortKeyBytes)
      throw validationException(messages.rangeTooLong)
  }
}

/** The service reports the first index by name. Definitions never change, so their order is computed once. */
function indexesByName(definition: TableDefinition): readonly IndexDefinition[] {
  const known = orderedIndexes.get(definition)
  if (known !== undefined) return known
  const ordered = [...definition.globalIndexes, ...definition.localIndexes].toSorted((one, other) =>
    one.indexName < other.indexName ? -1 : 1,
  )
  orderedIndexes.set(definition, ordered)
  return ordered
}

const orderedIndexes = new WeakMap<TableDefinition, readonly IndexDefinition[]>()

function checkIndexKeyPart(
  { attributeTypes }: TableDefinition,
  index: IndexDefinition,
  item: Item,
  name: string,
  messages: IndexKeyMessages,
): void {
  const value = attributeOf(item, name)
  if (value === undefined) return
  const type = attributeTypes[name]
  if (type === undefined || !(type in value)) {
    throw validationException(messages.mistyped(name, type ?? 'S', typeOf(value), index.indexName))
  }
  const empty = emptyKind(value)
  if (empty !== undefined) throw new EmptyKeyRefusal(messages.empty(empty, name, index.indexName))
}

export function emptyKey(kind: EmptyKind, name: string): EmptyKeyRefusal {
  return new EmptyKeyRefusal(
    `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${name}`,
  )
}

export type EmptyKind = 'string' | 'binary'

export function emptyKind(value: AttributeValue): EmptyKind | undefined {
  if ('S' in value) return value.S === '' ? 'string' : undefined
  if ('B' in value) return value.B === '' ? 'binary' : undefined
  return undefined
}
