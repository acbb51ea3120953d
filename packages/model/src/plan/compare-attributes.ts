import type { AttributeDescription, EntityDescription } from '../description.ts'
import type { Difference } from './difference.ts'
import { holesOf } from '../model/resolve-template.ts'
import { announced } from './predecessor-work.ts'
import { backfillWork, rewriteWork } from './usual-work.ts'

/** What changed among the attributes of an entity. Keys are compared elsewhere. */
export function compareAttributes(before: EntityDescription, after: EntityDescription): readonly Difference[] {
  const old = new Map(before.attributes.map((each) => [each.name, each]))
  const fresh = new Map(after.attributes.map((each) => [each.name, each]))
  const added = after.attributes.filter(({ name, isStored }) => isStored && !old.has(name))
  const removed = before.attributes.filter(({ name, isStored }) => isStored && !fresh.has(name))
  const renames = renamesOf(removed, added)
  return [
    ...renames.map(([from, to]) => renamed(after, from, to)),
    ...added.filter((each) => !renames.some(([, to]) => to === each)).map((each) => addedAttribute(after, each)),
    ...removed
      .filter((each) => !renames.some(([from]) => from === each))
      .map((each) => removedAttribute(before, each)),
    ...after.attributes.flatMap((each) => {
      const known = old.get(each.name)
      return known === undefined ? [] : changedAttribute(after, known, each)
    }),
  ]
}

/** Whether a reader can do without it. */
function isSpared({ isOptional, hasDefault, defaultValue, computedFrom, type }: AttributeDescription): boolean {
  const isConstant = hasDefault && defaultValue !== undefined
  return isOptional || isConstant || computedFrom !== undefined || type === 'version' || type === 'set'
}

/** One that went and one that came, both required, of the same type: probably the same under another name. */
function renamesOf(
  removed: readonly AttributeDescription[],
  added: readonly AttributeDescription[],
): readonly (readonly [AttributeDescription, AttributeDescription])[] {
  return removed.flatMap((from) => {
    const said = added.find(({ readNames: [before] = [] }) => before === (from.storedName ?? from.name))
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

function renamed(entity: EntityDescription, from: AttributeDescription, to: AttributeDescription): Difference {
  const stored = from.storedName ?? from.name
  const isSaid = to.readNames?.[0] === stored
  return announced(entity, false, {
    what: `${entity.name}.${to.name}`,
    change: isSaid
      ? `is called ${to.storedName ?? to.name} instead of ${stored}`
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
}

/** The model's name stays, but not that in the table. */
function renamedInTable(
  entity: EntityDescription,
  attribute: AttributeDescription,
  from: string,
  to: string,
): Difference {
  return announced(entity, false, {
    what: `${entity.name}.${attribute.name}`,
    change: `is called ${to} in the table instead of ${from}`,
    reason: 'Code of one version does not find the attribute in items that the other has written.',
    snippet: `${attribute.name}: ….was('${from}')`,
    isSaid: attribute.readNames?.[0] === from,
    work: rewriteWork(entity, `Set ${to} to the value of ${from}, where it is missing`, {
      readBoth: `Deploy code that reads ${to}, and ${from} where that is missing`,
      writeBoth: `Deploy code that writes both ${from} and ${to}`,
      drop: `Remove ${from} from all items`,
    }),
  })
}

function addedAttribute(entity: EntityDescription, attribute: AttributeDescription): Difference {
  const what = `${entity.name}.${attribute.name}`
  const change = 'is new'
  if (isSpared(attribute)) {
    const reason = 'Items without it are read with its default, or without it.'
    return { what, kind: 'compatible', change, reason, work: [] }
  }
  return {
    what,
    kind: 'unsafe',
    change: 'is new and required',
    reason: `Items that exist lack it, and so do those that old code still writes: new code cannot read them (INVALID_ITEM).`,
    work: [
      ...backfillWork(entity, `Set ${attribute.name} in all ${entity.name} items that lack it`, {
        readBoth: `Deploy ${attribute.name} as .optional(), and write it from now on`,
      }),
      {
        phase: 'switch',
        action: `Deploy ${attribute.name} as required`,
        check: `No item lacks it: count with a filter attribute_not_exists(${attribute.name})`,
        wayBack: `Deploy it as .optional() again`,
      },
    ],
  }
}

function removedAttribute(entity: EntityDescription, attribute: AttributeDescription): Difference {
  const what = `${entity.name}.${attribute.name}`
  if (isSpared(attribute)) {
    const reason = 'New code ignores it in items that have it, and old code can do without it.'
    return { what, kind: 'compatible', change: 'is gone', reason, work: [] }
  }
  return {
    what,
    kind: 'unsafe',
    change: 'is gone, and was required',
    reason: 'Old code cannot read what new code writes without it (INVALID_ITEM).',
    work: [
      {
        phase: 'read both',
        action: `Deploy ${attribute.name} as .optional() first, everywhere`,
        check: 'No server or function runs older code',
        wayBack: 'Deploy the older code again',
      },
      {
        phase: 'stop',
        action: `Deploy code without ${attribute.name}`,
        check: 'No errors INVALID_ITEM',
        wayBack: `Deploy the code before; items written meanwhile lack ${attribute.name}`,
      },
    ],
  }
}

function changedAttribute(
  entity: EntityDescription,
  before: AttributeDescription,
  after: AttributeDescription,
): readonly Difference[] {
  const what = `${entity.name}.${after.name}`
  if (before.storedAs !== after.storedAs || before.precision !== after.precision) {
    const form = (each: AttributeDescription): string => each.precision ?? each.storedAs
    return [
      {
        what,
        kind: 'unsafe',
        change: `is stored as ${form(after)} instead of ${form(before)}`,
        reason: 'Code of each version refuses, or sorts wrongly, what the other has written.',
        work: rewriteWork(entity, `Write ${after.name} in its new form`, {
          readBoth: `Deploy code that reads both forms: s.codec() with a decode that accepts either`,
          writeBoth: `Deploy code that writes the new form, and still reads both`,
        }),
      },
    ]
  }
  const [from, to] = [before.storedName ?? before.name, after.storedName ?? after.name]
  return [
    ...(from === to || !after.isStored ? [] : [renamedInTable(entity, after, from, to)]),
    ...changedShards(entity, before, after),
    ...changedValues(entity, before, after),
    ...changedNeed(entity, before, after),
  ]
}

function changedShards(
  entity: EntityDescription,
  before: AttributeDescription,
  after: AttributeDescription,
): readonly Difference[] {
  const [from, to] = [before.shard?.count, after.shard?.count]
  if (from === undefined || to === undefined || from === to) return []
  const { by } = after.shard ?? {}
  const { partition, sort } = entity.key
  const isInKey = holesOf(sort === undefined ? [partition] : [partition, sort]).includes(after.name)
  return [
    announced(entity, isInKey && by !== undefined, {
      what: `${entity.name}.${after.name}`,
      change: `has ${to} shards instead of ${from}`,
      reason:
        to > from
          ? 'Old code does not read the new shards, and with a hash, each item belongs to another shard.'
          : 'New code does not read the shards that are no longer there.',
      snippet: `${after.name}: s.shard(${to}, ${by === undefined ? '' : `'${by}', `}{ was: ${from} })`,
      isSaid: entity.was?.shards[after.name] === from,
      work: rewriteWork(entity, `Write the keys of all ${entity.name} items with ${to} shards`, {
        readBoth: `Deploy code that reads ${Math.max(from, to)} shards and still writes ${from}`,
        writeBoth: `Deploy code that writes ${to} shards`,
      }),
    }),
  ]
}

function changedValues(
  entity: EntityDescription,
  before: AttributeDescription,
  after: AttributeDescription,
): readonly Difference[] {
  const what = `${entity.name}.${after.name}`
  if (before.type !== 'enum' || after.type !== 'enum') return []
  const added = (after.values ?? []).filter((value) => !(before.values ?? []).includes(value))
  const removed = (before.values ?? []).filter((value) => !(after.values ?? []).includes(value))
  const differences: Difference[] = []
  if (added.length > 0) {
    differences.push({
      what,
      kind: 'unsafe',
      change: `can also be ${added.join(', ')}`,
      reason: 'Old code reads a value that its types do not know, and refuses to write it back (INVALID_VALUE).',
      work: [
        {
          phase: 'read both',
          action: `Deploy code that knows ${added.join(', ')} but does not write it yet, everywhere`,
          check: 'No server or function runs older code',
          wayBack: 'Deploy the older code again',
        },
        {
          phase: 'switch',
          action: `Deploy code that writes ${added.join(', ')}`,
          check: 'No errors INVALID_VALUE',
          wayBack: `Deploy the code before; it knows the new values`,
        },
      ],
    })
  }
  if (removed.length > 0) {
    differences.push({
      what,
      kind: 'unsafe',
      change: `can no longer be ${removed.join(', ')}`,
      reason:
        'New code reads a value that its types do not know from items that have it, or that old code still gives it, and refuses to write it back (INVALID_VALUE).',
      work: rewriteWork(entity, `Give items with ${removed.join(', ')} another value`, {
        readBoth: `Deploy code that no longer writes ${removed.join(', ')}, but reads it`,
      }),
    })
  }
  return differences
}

function changedNeed(
  entity: EntityDescription,
  before: AttributeDescription,
  after: AttributeDescription,
): readonly Difference[] {
  const what = `${entity.name}.${after.name}`
  if (isSpared(before) && !isSpared(after)) {
    const required = addedAttribute(entity, after)
    return [{ ...required, what, change: 'is required now' }]
  }
  if (isSpared(before) || !isSpared(after)) return []
  return [
    {
      what,
      kind: 'unsafe',
      change: 'is no longer required',
      reason: 'Old code cannot read an item without it (INVALID_ITEM).',
      work: [
        {
          phase: 'read both',
          action: `Deploy it as no longer required, but always write it, until no older code runs`,
          check: 'No server or function runs older code',
          wayBack: 'Deploy the older code again',
        },
      ],
    },
  ]
}
