import {
  attributeOf,
  base64Defect,
  canonicalNumber,
  setAttribute,
  type AttributeValue,
  type Item,
} from '@hashrange/core'
import { typeOfKey, type SourceKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'

/** What to find: a partition, perhaps a part of it, perhaps one entity. */
export interface FindText {
  /** The values of the partition key's attributes, as typed. */
  readonly partition: readonly string[]
  /** The beginning of the sort key; the whole of it, if it is a number. */
  readonly sort: string
  readonly isDescending: boolean
  /** One entity: an item meets any of these. */
  readonly entity: readonly EntityTerm[]
  /** Looks through everything for partition keys that begin like this. */
  readonly isPrefix: boolean
}

/** Items of an entity have an attribute that says so, or a key that begins so. */
export interface EntityTerm {
  readonly attribute: string
  readonly value: string
  readonly isPrefix: boolean
}

export interface KeyFind {
  readonly operation: 'Query' | 'Scan'
  readonly input: Readonly<Record<string, unknown>>
}

export type FindResult =
  | { readonly kind: 'everything' }
  | { readonly kind: 'find'; readonly find: KeyFind }
  | { readonly kind: 'mistake'; readonly message: string }

/** The request that finds it. */
export function findRequest(table: TableDescription, keys: SourceKeys, text: FindText): FindResult {
  const filters: string[] = []
  const names: Record<string, string> = {}
  const values: Record<string, AttributeValue> = {}
  const typed = keys.partition.map((_, at) => text.partition[at] ?? '')
  const isKeyed = typed.some((value) => value !== '') && !text.isPrefix
  try {
    if (text.isPrefix) {
      for (const [at, name] of keys.partition.entries()) {
        if (typed[at] === undefined || typed[at] === '') continue
        names[`#p${String(at)}`] = name
        values[`:p${String(at)}`] = keyValue(typeOfKey(table, name), typed[at])
        filters.push(`begins_with(#p${String(at)}, :p${String(at)})`)
      }
    }
    const key = isKeyed ? keyCondition(table, keys, typed, text.sort) : undefined
    const entity = text.entity
      // The filter of a Query may not be about its own key.
      .filter(({ attribute }) => key === undefined || ![...keys.partition, ...keys.sort].includes(attribute))
      .filter(({ attribute, isPrefix }) => !isPrefix || typeOfKey(table, attribute) === 'S')
      .map(({ attribute, value, isPrefix }, at) => {
        names[`#e${String(at)}`] = attribute
        values[`:e${String(at)}`] = { S: value }
        return isPrefix ? `begins_with(#e${String(at)}, :e${String(at)})` : `#e${String(at)} = :e${String(at)}`
      })
    if (entity.length > 0) filters.push(entity.length === 1 ? entity.join('') : `(${entity.join(' OR ')})`)
    if (key === undefined && filters.length === 0) return { kind: 'everything' }
    return {
      kind: 'find',
      find: {
        operation: key === undefined ? 'Scan' : 'Query',
        input: {
          ...(key !== undefined && { KeyConditionExpression: key.expression }),
          ...(key !== undefined && text.isDescending && { ScanIndexForward: false }),
          ...(filters.length > 0 && { FilterExpression: filters.join(' AND ') }),
          ExpressionAttributeNames: { ...names, ...key?.names },
          ExpressionAttributeValues: { ...values, ...key?.values },
        },
      },
    }
  } catch (error) {
    return { kind: 'mistake', message: error instanceof Error ? error.message : String(error) }
  }
}

/** The condition of one whole partition. */
export function partitionCondition(keys: SourceKeys, partition: Item) {
  const names: Record<string, string> = {}
  const values: Record<string, AttributeValue> = {}
  const terms = keys.partition.map((name, at) => {
    names[`#p${String(at)}`] = name
    const value = attributeOf(partition, name)
    if (value !== undefined) values[`:p${String(at)}`] = value
    return `#p${String(at)} = :p${String(at)}`
  })
  return {
    KeyConditionExpression: terms.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  }
}

/** What was typed, as a value of a key's type. Throws with what is wrong. */
export function keyValue(type: 'S' | 'N' | 'B', text: string): AttributeValue {
  if (type === 'S') return { S: text }
  if (type === 'N') return { N: canonicalNumber(text.trim()) }
  const defect = base64Defect(text.trim())
  if (defect !== undefined) throw new Error(defect)
  return { B: text.trim() }
}

function keyCondition(table: TableDescription, keys: SourceKeys, typed: readonly string[], sort: string) {
  const missing = keys.partition.filter((_, at) => typed[at] === '')
  if (missing.length > 0) {
    throw new Error(`A Query needs the full partition key. Also enter ${missing.join(' and ')}.`)
  }
  const partition: Record<string, AttributeValue> = {}
  for (const [at, name] of keys.partition.entries()) {
    setAttribute(partition, name, keyValue(typeOfKey(table, name), typed[at] ?? ''))
  }
  const condition = partitionCondition(keys, partition)
  const [sortName] = keys.sort
  if (sort === '' || sortName === undefined) {
    return {
      expression: condition.KeyConditionExpression,
      names: condition.ExpressionAttributeNames,
      values: condition.ExpressionAttributeValues,
    }
  }
  const type = typeOfKey(table, sortName)
  const term = type === 'N' ? '#s = :s' : 'begins_with(#s, :s)'
  return {
    expression: `${condition.KeyConditionExpression} AND ${term}`,
    names: { ...condition.ExpressionAttributeNames, '#s': sortName },
    values: { ...condition.ExpressionAttributeValues, ':s': keyValue(type, sort) },
  }
}
