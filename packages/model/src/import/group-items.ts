import { pascalCase } from '../export/source-text.ts'
import { textIn } from './infer-template.ts'
import type { RawGroup, RawItem, RawTable } from './raw-model.ts'

export interface ItemGroup extends RawGroup {
  readonly name: string
}

const usualNames =
  /^(_*entity|_*entity_?type|_*type|__typename|_et|item_?type|__edb_e__|kind|record_?type|object_?type)$/i

/** The attribute that says of every item what it is; undefined if none does. */
export function findDiscriminator({ groups, partitionKey, sortKey }: RawTable): string | undefined {
  const items = groups.flatMap((group) => group.items)
  const names = Object.keys(items[0] ?? {}).filter((name) => name !== partitionKey.name && name !== sortKey?.name)
  return names.find((name) => usualNames.test(name) && items.every((item) => typeof item[name]?.['S'] === 'string'))
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
  for (const item of items) {
    const kind = discriminator === undefined ? look(table, item) : (textIn(item, discriminator) ?? '')
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

/** The key with everything but its words in capitals taken out: `["CUSTOMER#","ORDER##"]`. */
function look({ partitionKey, sortKey }: RawTable, item: RawItem): string {
  const words = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])].map(({ name }) =>
    (textIn(item, name) ?? '')
      .split('#')
      .map((part) => (/^[A-Z][A-Z_]*$/.test(part) ? part : ''))
      .join('#'),
  )
  return JSON.stringify(words)
}

/** The last key that has a word names the item: an order under its customer is an order. */
function nameOfLook(table: RawTable, kind: string): string {
  const parts = JSON.parse(kind) as readonly string[]
  const word = parts
    .flatMap((part) => part.split('#').slice(0, 1))
    .findLast((each) => each !== '' && !/^(META(DATA)?|INFO|DETAILS?|ROOT|SELF|A)$/.test(each))
  return pascalCase(word?.toLowerCase() ?? table.name)
}
