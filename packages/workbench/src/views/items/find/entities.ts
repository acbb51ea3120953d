import { attributeOf, type Item } from '@hashrange/core'
import type { ModelledEntities } from '../../../answers/models.ts'
import { schemaKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { entityOf, kindAttributes } from '../../../values/entity-colour.ts'
import type { EntityTerm } from './find-request.ts'

/** What an item is: what the model's attribute says, what it says itself, or how its key begins. */
export function entityNamer(
  table: TableDescription,
  modelled: ModelledEntities | undefined,
): (item: Item) => string | undefined {
  const { partition, sort } = schemaKeys(table.KeySchema)
  // Items that say what they are teach what the beginnings of keys mean: an index may hold no more than keys.
  const learnt = new Map<string, string>()
  return (item) => {
    const prefix = prefixOf(item, [...sort, ...partition])
    const told = modelled === undefined ? undefined : attributeOf(item, modelled.discriminator)
    const name = told !== undefined && 'S' in told ? told.S.slice(0, 60) : entityOf(item)
    if (name === undefined) return prefix === undefined ? undefined : (learnt.get(prefix) ?? prefix)
    if (prefix !== undefined && learnt.size < 500) learnt.set(prefix, name)
    return name
  }
}

/** How items of an entity are distinguished from others. */
export function entityTerms(
  table: TableDescription,
  modelled: ModelledEntities | undefined,
  name: string,
): readonly EntityTerm[] {
  if (modelled?.names.includes(name) === true) {
    return [{ attribute: modelled.discriminator, value: name, isPrefix: false }]
  }
  const { partition, sort } = schemaKeys(table.KeySchema)
  return [
    ...kindAttributes.map((attribute) => ({ attribute, value: name, isPrefix: false })),
    ...[...sort, ...partition].flatMap((attribute) =>
      separators.map((separator) => ({ attribute, value: name + separator, isPrefix: true })),
    ),
  ]
}

const separators = ['#', '|', ':', '/', '~']
/** `ORDER#…`, `order|…`: a word and a separator at the beginning of a key. */
const keyPrefix = /^([A-Za-z][A-Za-z0-9_-]{0,39})[#|:/~]/

function prefixOf(item: Item, keys: readonly string[]): string | undefined {
  for (const name of keys) {
    const value = attributeOf(item, name)
    const word = value !== undefined && 'S' in value ? keyPrefix.exec(value.S)?.[1] : undefined
    if (word !== undefined) return word
  }
  return undefined
}
