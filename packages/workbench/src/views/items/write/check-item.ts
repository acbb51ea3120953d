import {
  attributeOf,
  itemSizeBytes,
  limits,
  readItem,
  ServiceError,
  typeOf,
  utf8Length,
  type AttributeValue,
  type Item,
} from '@hashrange/core'
import { indexesOf, keyNames, schemaKeys, typeOfKey } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'

/** What the service would reject in an item, with its message if it has one, and where. */
export interface ItemProblem {
  /** The attribute that it is about. */
  readonly name: string | undefined
  readonly message: string
}

/** All that is wrong with an item for this table; empty if it can be written. */
export function checkItem(table: TableDescription, item: Item): readonly ItemProblem[] {
  const problems: ItemProblem[] = []
  try {
    readItem(item)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    problems.push({ name: undefined, message: error.message })
  }
  const { partition, sort } = schemaKeys(table.KeySchema)
  for (const name of [...partition, ...sort]) {
    const value = attributeOf(item, name)
    const type = typeOfKey(table, name)
    if (value === undefined) problems.push({ name, message: `Missing the key ${name} in the item` })
    else if (typeOf(value) !== type) problems.push({ name, message: keyMismatch(name, type, typeOf(value)) })
    else {
      const most = partition.includes(name) ? limits.partitionKeyBytes : limits.sortKeyBytes
      problems.push(...keyLength(name, value, most, partition.includes(name)))
    }
  }
  problems.push(...checkIndexKeys(table, item, [...partition, ...sort]))
  const bytes = itemSizeBytes(item)
  if (bytes > limits.itemSizeBytes) {
    problems.push({ name: undefined, message: 'Item size has exceeded the maximum allowed size' })
  }
  return problems
}

/** An index leaves out items that lack its key; but one that has it with another type cannot be written. */
function checkIndexKeys(table: TableDescription, item: Item, ofTable: readonly string[]): ItemProblem[] {
  const problems: ItemProblem[] = []
  const told = new Set(ofTable)
  for (const index of indexesOf(table)) {
    for (const name of keyNames(schemaKeys(index.KeySchema))) {
      const value = attributeOf(item, name)
      if (value === undefined || told.has(name)) continue
      told.add(name)
      const type = typeOfKey(table, name)
      if (typeOf(value) !== type) {
        problems.push({ name, message: `${keyMismatch(name, type, typeOf(value))} IndexName: ${index.IndexName}` })
      } else if (isEmpty(value)) {
        problems.push({
          name,
          message: `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index.IndexName}, IndexKey: ${name}`,
        })
      }
    }
  }
  return problems
}

function keyLength(name: string, value: AttributeValue, mostBytes: number, isPartition: boolean): ItemProblem[] {
  if (isEmpty(value)) {
    return [
      {
        name,
        message: `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
      },
    ]
  }
  const bytes = 'S' in value ? utf8Length(value.S) : 'B' in value ? (value.B.length / 4) * 3 - 2 : 0
  if (bytes <= mostBytes) return []
  return [
    {
      name,
      message: isPartition
        ? `One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of${String(mostBytes)} bytes`
        : `One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of ${String(mostBytes)} bytes`,
    },
  ]
}

function isEmpty(value: AttributeValue): boolean {
  return ('S' in value && value.S === '') || ('B' in value && value.B === '')
}

function keyMismatch(name: string, expected: string, actual: string): string {
  return `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${expected} actual: ${actual}`
}
