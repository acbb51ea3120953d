import { pascalCase } from '../export/source-text.ts'
import { textIn } from './infer-template.ts'
import type { RawGroup, RawItem, RawTable } from './raw-model.ts'

export interface ItemGroup extends RawGroup {
  readonly name: string
}

const usualNames =
  /^(_*entity|_*entity_?type|_*type|__typename|_et|item_?type|__edb_e__|kind|record_?type|object_?type)$/i

/** More kinds than a table has; an attribute with as many values says something else. */
const mostKinds = 100

/** The attribute that says of every item what it is; undefined if none does. Under any name, one whose values go with keys that
 *  begin differently is. */
export function findDiscriminator(table: RawTable): string | undefined {
  const items = table.groups.flatMap((group) => group.items)
  const keys = new Set(
    [
      table,
      ...table.indexes.map(({ partitionKeys: [partitionKey], sortKeys: [sortKey] }) => ({ partitionKey, sortKey })),
    ].flatMap(({ partitionKey, sortKey }) => [partitionKey?.name, sortKey?.name]),
  )
  const names = Object.keys(items[0] ?? {}).filter(
    (name) => !keys.has(name) && items.every((item) => typeof item[name]?.['S'] === 'string'),
  )
  return names.find((name) => usualNames.test(name)) ?? names.find((name) => tellsKeysApart(table, items, name))
}

function tellsKeysApart({ partitionKey, sortKey }: RawTable, items: readonly RawItem[], name: string): boolean {
  const kinds = new Map<string, RawItem[]>()
  for (const item of items) {
    const kind = textIn(item, name) ?? ''
    kinds.set(kind, [...(kinds.get(kind) ?? []), item])
    if (kinds.size > mostKinds) return false
  }
  // One item proves nothing: its own values are what its keys begin with.
  const proving = [...kinds.values()].filter((own) => own.length > 1)
  if (proving.length < 2) return false
  const beginnings = proving.map((own) =>
    [partitionKey.name, sortKey?.name ?? ''].map((key) => beginningOf(own.map((item) => textIn(item, key) ?? ''))),
  )
  const isAlike = (a = '', b = ''): boolean => a.startsWith(b) || b.startsWith(a)
  return beginnings.every((one, i) =>
    beginnings.every((other, j) => i >= j || !one.every((text, k) => isAlike(text, other[k]))),
  )
}

/** What all texts begin with. */
function beginningOf([first = '', ...others]: readonly string[]): string {
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

/** The items by what they are: as the file groups them, then by discriminator, then by the look of their keys. */
export function groupItems(table: RawTable, discriminator: string | undefined): readonly ItemGroup[] {
  const groups = table.groups.flatMap((group) => {
    if (group.name !== undefined) return [named(group, group.name, discriminator)]
    return split(table, group.items, discriminator)
  })
  if (groups.length > 0) return groups
  return [{ name: pascalCase(table.name), attributes: [...table.declared.keys()], items: [] }]
}

/** Stored items are recognised by their discriminator, so that is what the entity must be called. */
function named(group: RawGroup, name: string, discriminator: string | undefined): ItemGroup {
  if (discriminator === undefined) return { ...group, name }
  const kinds = new Set(group.items.map((item) => textIn(item, discriminator)))
  const [kind] = kinds
  return { ...group, name: kinds.size === 1 && kind !== undefined ? kind : name }
}

function split(
  table: RawTable,
  items: readonly RawItem[],
  discriminator: string | undefined,
): readonly ItemGroup[] {
  const groups = new Map<string, RawItem[]>()
  const words = discriminator === undefined ? wordsOf(table, items) : new Set<string>()
  for (const item of items) {
    const kind = discriminator === undefined ? look(table, item, words) : (textIn(item, discriminator) ?? '')
    const known = groups.get(kind)
    if (known === undefined) groups.set(kind, [item])
    else known.push(item)
  }
  const names = new Set<string>()
  return [...groups].map(([kind, members]) => {
    const wanted = discriminator === undefined ? nameOfLook(table, kind) : kind
    let name = wanted
    for (let n = 2; names.has(name); n++) name = `${wanted}${n}`
    names.add(name)
    return { name, attributes: [], items: members }
  })
}

const separator = /[#|/:]/

/** How often a word must begin a key to be a part of its form: `user` in `user:17` is, the name of a user is not. */
const wordShare = 0.05

/** The words that many keys begin with, in any case, and before a separator. */
function wordsOf(table: RawTable, items: readonly RawItem[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const key of keysOf(table)) {
    for (const item of items) {
      const [word, ...rest] = (textIn(item, key) ?? '').split(separator)
      if (rest.length > 0 && /^[$_]*[a-z][a-z_$-]*$/i.test(word ?? ''))
        counts.set(`${key} ${word}`, (counts.get(`${key} ${word}`) ?? 0) + 1)
    }
  }
  return new Set(
    [...counts].flatMap(([word, count]) => (count > 1 && count >= items.length * wordShare ? [word] : [])),
  )
}

/** The key with everything but its words taken out: `["CUSTOMER#","ORDER##"]`. Words in capitals are, wherever they stand. */
function look(table: RawTable, item: RawItem, words: ReadonlySet<string>): string {
  const forms = keysOf(table).map((key) =>
    (textIn(item, key) ?? '')
      .split(separator)
      .map((part, i) => (/^[A-Z][A-Z_]*$/.test(part) || (i === 0 && words.has(`${key} ${part}`)) ? part : ''))
      .join('#'),
  )
  return JSON.stringify(forms)
}

function keysOf({ partitionKey, sortKey }: RawTable): readonly string[] {
  return [partitionKey.name, ...(sortKey === undefined ? [] : [sortKey.name])]
}

/** The last key that has a word names the item: an order under its customer is an order. */
function nameOfLook(table: RawTable, kind: string): string {
  const parts = JSON.parse(kind) as readonly string[]
  const word = parts
    .flatMap((part) => part.split('#').slice(0, 1))
    .findLast((each) => each !== '' && !/^(META(DATA)?|INFO|DETAILS?|ROOT|SELF|A)$/i.test(each))
  return pascalCase(
    word
      ?.toLowerCase()
      .replaceAll(/[$_-]+/g, ' ')
      .trim() ?? table.name,
  )
}
