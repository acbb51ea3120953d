import type { ContextValue, ContextValues } from '../policies/context-values.ts'

type Tags = readonly { readonly Key?: string; readonly Value?: string }[]

/** `aws:RequestTag/…` and `aws:TagKeys`: the tags that a request brings. */
export function requestTagKeys(tags: Tags | undefined): ContextValues | undefined {
  if (tags === undefined || tags.length === 0) return undefined
  const values = new Map<string, ContextValue>()
  for (const { Key, Value } of tags) {
    if (Key !== undefined) values.set(`aws:requesttag/${Key.toLowerCase()}`, Value ?? '')
  }
  values.set(
    'aws:tagkeys',
    tags.flatMap(({ Key }) => (Key === undefined ? [] : [Key])),
  )
  return values
}

/** `aws:TagKeys` of a request that takes tags away. */
export function removedTagKeys(keys: readonly string[]): ContextValues {
  return new Map([['aws:tagkeys', keys]])
}

/** `prefix/name`, such as `aws:principaltag/team`, looked up among tags. The case of a tag's name does not matter to policies. */
export function tagValue(tags: Readonly<Record<string, string>>, key: string, prefix: string): string | undefined {
  let byName = lowerCased.get(tags)
  if (byName === undefined) {
    byName = new Map(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]))
    lowerCased.set(tags, byName)
  }
  return byName.get(key.slice(prefix.length))
}

/** The tags of a principal or a table are the same for many requests. */
const lowerCased = new WeakMap<Readonly<Record<string, string>>, ReadonlyMap<string, string>>()
