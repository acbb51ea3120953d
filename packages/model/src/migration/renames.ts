import type { CompiledAttribute, EntityRuntime, StoredItem } from '../client/entity-runtime.ts'

/** What the attributes of one version of an entity are called in another, where that is not the same: the table calls both the same,
 *  or one of them says what it was called there. */
export function renamesBetween(from: EntityRuntime, to: EntityRuntime): ReadonlyMap<string, string> {
  const renames = new Map<string, string>()
  for (const attribute of to.attributes) {
    if (from.byName.has(attribute.name)) continue
    const before = from.attributes.find((each) => !to.byName.has(each.name) && isSameOnDisk(each, attribute))
    if (before !== undefined) renames.set(before.name, attribute.name)
  }
  return renames
}

/** An item with other names. If it has both, the old one counts: code that only knows that one may have written it since. */
export function renamed(item: StoredItem, renames: ReadonlyMap<string, string> | undefined): StoredItem {
  if (renames === undefined || renames.size === 0) return item
  const next = Object.fromEntries(Object.entries(item).filter(([name]) => !renames.has(name)))
  for (const [before, after] of renames) {
    const value = item[before]
    if (value !== undefined) next[after] = value
  }
  return next
}

function isSameOnDisk(a: CompiledAttribute, b: CompiledAttribute): boolean {
  return (
    nameOnDisk(a) === nameOnDisk(b) ||
    b.described.readNames?.includes(nameOnDisk(a)) === true ||
    a.described.readNames?.includes(nameOnDisk(b)) === true
  )
}

function nameOnDisk({ described, name }: CompiledAttribute): string {
  return described.storedName ?? name
}
