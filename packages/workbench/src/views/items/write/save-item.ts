import { attributeOf, equalValues, setAttribute, type AttributeValue, type Item } from '@hashrange/core'
import { ApiError, type Call } from '../../../api/api.ts'
import { schemaKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { baseKey } from '../keys/keys.ts'

export type SaveOutcome =
  | { readonly kind: 'saved' }
  /** It has changed since it was loaded. `theirs` is its current state; undefined if it was deleted. */
  | { readonly kind: 'conflict'; readonly theirs: Item | undefined }

/** Writes an item unless somebody else has changed it since it was loaded. Only what differs is written, so that an attribute
 *  that nobody here has seen stays as well. */
export async function saveItem(
  call: Call,
  table: TableDescription,
  loaded: Item | undefined,
  item: Item,
): Promise<SaveOutcome> {
  try {
    if (loaded === undefined) await call('PutItem', createRequest(table, item))
    else {
      const request = updateRequest(table, loaded, item)
      if (request !== undefined) await call('UpdateItem', request)
    }
    return { kind: 'saved' }
  } catch (error) {
    if (!(error instanceof ApiError) || error.name !== 'ConditionalCheckFailedException') throw error
    return { kind: 'conflict', theirs: error.members['Item'] as Item | undefined }
  }
}

/** Puts an item where none is. */
export function createRequest(table: TableDescription, item: Item): object {
  return {
    TableName: table.TableName,
    Item: item,
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': schemaKeys(table.KeySchema).partition[0] },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
}

/** An expression has at most 4 KB and 300 operators: 120 comparisons fit, whatever the names are. */
const mostCompared = 120

/** Changes what differs, on the condition that the item is as loaded; does nothing if nothing differs. For an item
 *  with very many attributes only the changed ones are compared: the others are not touched anyway. */
export function updateRequest(table: TableDescription, loaded: Item, item: Item): object | undefined {
  const changes = changesBetween(loaded, item)
  if (changes.length === 0) return undefined
  const names: Record<string, string> = {}
  const values: Record<string, AttributeValue> = {}
  const keys = table.KeySchema.map(({ AttributeName }) => AttributeName)
  const all = [...new Set([...Object.keys(loaded), ...changes.map(({ name }) => name)])]
  const changed = changes.map(({ name }) => name)
  const compared = all.length <= mostCompared ? all : [...keys, ...changed]
  const conditions = compared.map((name, at) => {
    names[`#c${String(at)}`] = name
    const value = attributeOf(loaded, name)
    if (value === undefined) return `attribute_not_exists(#c${String(at)})`
    values[`:c${String(at)}`] = value
    return `#c${String(at)} = :c${String(at)}`
  })
  const sets: string[] = []
  const removes: string[] = []
  for (const { name, after } of changes) {
    const placeholder = `#c${String(compared.indexOf(name))}`
    if (after === undefined) removes.push(placeholder)
    else {
      values[`:n${placeholder.slice(2)}`] = after
      sets.push(`${placeholder} = :n${placeholder.slice(2)}`)
    }
  }
  return {
    TableName: table.TableName,
    Key: baseKey(table, loaded),
    UpdateExpression: [
      ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
      ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
}

export interface AttributeChange {
  readonly name: string
  readonly before: AttributeValue | undefined
  readonly after: AttributeValue | undefined
}

export function changesBetween(before: Item, after: Item): readonly AttributeChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    const old = attributeOf(before, name)
    const fresh = attributeOf(after, name)
    const isSame = old === undefined ? fresh === undefined : fresh !== undefined && equalValues(old, fresh)
    return isSame ? [] : [{ name, before: old, after: fresh }]
  })
}

export interface MergeRow {
  readonly name: string
  readonly base: AttributeValue | undefined
  readonly theirs: AttributeValue | undefined
  readonly mine: AttributeValue | undefined
  /** Both have changed it, and not to the same. */
  readonly isConflict: boolean
}

/** What was changed on either side since the item was loaded. */
export function threeWay(base: Item, theirs: Item, mine: Item): readonly MergeRow[] {
  const byThem = new Map(changesBetween(base, theirs).map((change) => [change.name, change.after]))
  const byMe = new Map(changesBetween(base, mine).map((change) => [change.name, change.after]))
  return [...new Set([...byThem.keys(), ...byMe.keys()])].map((name) => {
    const left = attributeOf(theirs, name)
    const right = attributeOf(mine, name)
    const isSame = left === undefined ? right === undefined : right !== undefined && equalValues(left, right)
    return {
      name,
      base: attributeOf(base, name),
      theirs: left,
      mine: right,
      isConflict: byThem.has(name) && byMe.has(name) && !isSame,
    }
  })
}

/** Their item with my changes; where both changed an attribute, as was chosen. */
export function merged(
  base: Item,
  theirs: Item,
  mine: Item,
  choices: ReadonlyMap<string, 'mine' | 'theirs'>,
): Item {
  const result: Record<string, AttributeValue> = {}
  const fromMe = new Map(
    threeWay(base, theirs, mine)
      .filter(({ name, isConflict }) => {
        const choice = choices.get(name)
        if (choice !== undefined) return choice === 'mine'
        return !isConflict && changesBetween(base, mine).some((change) => change.name === name)
      })
      .map(({ name, mine: value }) => [name, value]),
  )
  for (const name of new Set([...Object.keys(theirs), ...fromMe.keys()])) {
    const value = fromMe.has(name) ? fromMe.get(name) : attributeOf(theirs, name)
    if (value !== undefined) setAttribute(result, name, value)
  }
  return result
}
