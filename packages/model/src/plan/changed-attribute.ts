import type { AttributeDescription, EntityDescription, ShardDescription } from '../description.ts'
import { holesOf } from '../model/resolve-template.ts'
import { addedAttribute } from './attribute-presence.ts'
import { changedForm, isSpared } from './changed-form.ts'
import type { Difference } from './difference.ts'
import { announced } from './predecessor-work.ts'
import { backfillWork, rewriteWork } from './usual-work.ts'

/** What changed in an attribute that keeps its name in the model. */
export function changedAttribute(
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
    ...changedType(entity, before, after),
    ...changedShards(entity, before, after),
    ...changedValues(entity, before, after),
    ...changedNeed(entity, before, after),
    ...changedDefault(entity, before, after),
    ...changedSources(entity, before, after),
  ]
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

/** Another type that is stored in the same way: `string` and `enum`, `int` and `number`, other fields of a map. */
function changedType(
  entity: EntityDescription,
  before: AttributeDescription,
  after: AttributeDescription,
): readonly Difference[] {
  const found = changedForm(before, after)
  if (found === undefined) return []
  const [path = '', ...change] = found.split(' ')
  return [
    {
      what: `${entity.name}.${after.name}${path}`,
      kind: 'unsafe',
      change: change.join(' '),
      reason:
        'Code of one version cannot read, or refuses to write back, what only the other allows (INVALID_ITEM, INVALID_VALUE).',
      work: rewriteWork(entity, `Write ${after.name} in a form that both versions allow, where it is not`, {
        readBoth: `Deploy code that reads both forms of ${after.name}, and writes the old one`,
        writeBoth: `Deploy code that writes the new form, and still reads both`,
      }),
    },
  ]
}

/** Items that lack the attribute have the default of whoever reads them. */
function changedDefault(
  entity: EntityDescription,
  before: AttributeDescription,
  after: AttributeDescription,
): readonly Difference[] {
  const [old, now = 'absent'] = [before, after].map(({ defaultValue }) => JSON.stringify(defaultValue))
  if (old === undefined || old === now || !isSpared(after)) return []
  return [
    {
      what: `${entity.name}.${after.name}`,
      kind: 'backfill',
      change: `is ${now} by default instead of ${old}`,
      reason: `Items that lack it, from before it was there, are read with ${old} by old code, and no longer by new code.`,
      work: backfillWork(
        entity,
        `Set ${after.name} in all ${entity.name} items that lack it, before new code reads them`,
      ),
    },
  ]
}

/** What is computed is computed again whenever one of its sources changes, but only by code that knows that. */
function changedSources(
  entity: EntityDescription,
  before: AttributeDescription,
  after: AttributeDescription,
): readonly Difference[] {
  const [old, now] = [before, after].map(({ computedFrom }) => computedFrom?.join(', ') ?? 'nothing')
  if (old === now) return []
  return [
    {
      what: `${entity.name}.${after.name}`,
      kind: 'unsafe',
      change: `is computed from ${now} instead of ${old}`,
      reason: `Items that exist, and those that old code writes, have another value of it than new code expects${isInKeys(entity, after.name) ? ', and so other keys' : ''}.`,
      work: rewriteWork(entity, `Write ${after.name} of all ${entity.name} items again`, {
        writeBoth: `Deploy code that computes ${after.name} from ${now}`,
      }),
    },
  ]
}

function isInKeys({ key, indexKeys, satellites }: EntityDescription, name: string): boolean {
  const templates = [
    ...[{ key }, ...satellites].flatMap(({ key: { partition, sort } }) =>
      sort === undefined ? [partition] : [partition, sort],
    ),
    ...indexKeys.flatMap(({ partition, sort }) => [...partition, ...sort]),
  ]
  return holesOf(templates).includes(name)
}

function changedShards(
  entity: EntityDescription,
  before: AttributeDescription,
  after: AttributeDescription,
): readonly Difference[] {
  if (before.shard === undefined || after.shard === undefined) return []
  const [from, to] = [before.shard.count, after.shard.count]
  const { by } = after.shard
  if (before.shard.by !== by) return [changedShardSource(entity, before.shard, after)]
  if (from === to) return []
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

function changedShardSource(
  entity: EntityDescription,
  { by: from = 'chance' }: ShardDescription,
  { name, shard: { by: to = 'chance' } = { count: 0 } }: AttributeDescription,
): Difference {
  return {
    what: `${entity.name}.${name}`,
    kind: 'unsafe',
    change: `follows from ${to} instead of ${from}`,
    reason: 'Each item belongs to another shard: code of one version does not find what the other writes.',
    work: rewriteWork(entity, `Write the keys of all ${entity.name} items with shards by ${to}`, {
      readBoth: 'Deploy code that looks in both shards',
      writeBoth: `Deploy code that writes shards by ${to}`,
    }),
  }
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
          wayBack: `Deploy the previous code again; it knows the new values`,
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
          action: `Make it optional, but always write it, until no older code runs`,
          check: 'No server or function runs older code',
          wayBack: 'Deploy the older code again',
        },
      ],
    },
  ]
}
