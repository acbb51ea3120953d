import type { AttributeDescription, EntityDescription } from '../description.ts'
import { addedAttribute, removedAttribute } from './attribute-presence.ts'
import { changedAttribute } from './changed-attribute.ts'
import type { Difference } from './difference.ts'
import { announced } from './predecessor-work.ts'
import { rewriteWork } from './usual-work.ts'

/** What changed among the attributes of an entity. Keys are compared elsewhere. */
export function compareAttributes(before: EntityDescription, after: EntityDescription): readonly Difference[] {
  const old = new Map(before.attributes.map((each) => [each.name, each]))
  const fresh = new Map(after.attributes.map((each) => [each.name, each]))
  const added = after.attributes.filter(({ name, isStored }) => isStored && !old.has(name))
  const removed = before.attributes.filter(({ name, isStored }) => isStored && !fresh.has(name))
  const renames = renamesOf(removed, added)
  return [
    ...renames.flatMap(([from, to]) => renamed(after, from, to)),
    ...added
      .filter((each) => !renames.some(([, to]) => to === each))
      .map((each) => reusedName(before, after, each) ?? addedAttribute(after, each)),
    ...removed
      .filter((each) => !renames.some(([from]) => from === each))
      .map((each) => removedAttribute(before, each)),
    ...after.attributes.flatMap((each) => {
      const known = old.get(each.name)
      return known === undefined ? [] : changedAttribute(after, known, each)
    }),
  ]
}

/** One that went and one that came, both required, of the same type: probably the same under another name. */
function renamesOf(
  removed: readonly AttributeDescription[],
  added: readonly AttributeDescription[],
): readonly (readonly [AttributeDescription, AttributeDescription])[] {
  return removed.flatMap((from) => {
    const stored = storedNameOf(from)
    const said = added.find((each) => each.readNames?.[0] === stored || storedNameOf(each) === stored)
    if (said !== undefined) return [[from, said] as const]
    const alike = (each: AttributeDescription): boolean =>
      each.type === from.type && each.storedAs === from.storedAs
    const to = added.filter((each) => alike(each) && each.isOptional === from.isOptional)
    const [only] = to
    return only !== undefined && to.length === 1 && removed.filter(alike).length === 1
      ? [[from, only] as const]
      : []
  })
}

function storedNameOf({ name, storedName = name }: AttributeDescription): string {
  return storedName
}

function renamed(
  entity: EntityDescription,
  from: AttributeDescription,
  to: AttributeDescription,
): readonly Difference[] {
  const what = `${entity.name}.${to.name}`
  const stored = storedNameOf(from)
  if (storedNameOf(to) === stored) {
    const reason = `Only the model calls it something else: in the table it is still ${stored}.`
    const change = `is the model's name instead of ${from.name}`
    return [{ what, kind: 'compatible', change, reason, work: [] }, ...changedAttribute(entity, from, to)]
  }
  const isSaid = to.readNames?.[0] === stored
  const difference = announced(entity, false, {
    what,
    change: isSaid
      ? `is called ${storedNameOf(to)} instead of ${stored}`
      : `${from.name} is gone and ${to.name} is new, with the same type: it seems to be renamed`,
    reason: `Code of one version does not find the attribute in items that the other has written. If they are different things, ignore this.`,
    snippet: `${to.name}: ….was('${stored}')`,
    isSaid,
    work: rewriteWork(entity, `Set ${to.name} to the value of ${from.name}, where it is missing`, {
      readBoth: `Deploy code that reads ${to.name}, and ${from.name} where that is missing`,
      writeBoth: `Deploy code that writes both ${from.name} and ${to.name}`,
      drop: `Remove ${from.name} from all items`,
    }),
  })
  return isSaid
    ? [difference, ...changedAttribute(entity, { ...from, storedName: storedNameOf(to) }, to)]
    : [difference]
}

/** A new attribute under a name that in the items of before is something else. */
function reusedName(
  before: EntityDescription,
  after: EntityDescription,
  attribute: AttributeDescription,
): Difference | undefined {
  const stored = storedNameOf(attribute)
  const other = before.attributes.find((each) => each.isStored && storedNameOf(each) === stored)
  if (other === undefined) return undefined
  return {
    what: `${after.name}.${attribute.name}`,
    kind: 'unsafe',
    change: `is new, and called ${stored} in the table`,
    reason: `Items that exist, and those that old code writes, have ${other.name} under that name: new code takes it for ${attribute.name}.`,
    work: [
      {
        phase: 'prepare',
        action: `Give ${attribute.name} another name in the table, with .as()`,
        check: 'The plan shows it as new',
        wayBack: 'Nothing is changed',
      },
    ],
  }
}
