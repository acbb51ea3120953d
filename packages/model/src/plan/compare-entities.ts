import type {
  EntityDescription,
  IndexKeyDescription,
  KeyDescription,
  ModelDescription,
  PatternDescription,
  SatelliteDescription,
  TableDescription,
} from '../description.ts'
import { textOfTemplates } from '../model/text-of-templates.ts'
import { compareAttributes } from './compare-attributes.ts'
import type { Difference } from './difference.ts'
import { announced, blindPatternOf, obstacleOf } from './predecessor-work.ts'
import { backfillWork, moveWork, rewriteWork } from './usual-work.ts'

/** What changed among the entities of a model. */
export function compareEntities(before: ModelDescription, after: ModelDescription): readonly Difference[] {
  const old = new Map(before.entities.map((entity) => [entity.name, entity]))
  const fresh = new Set(after.entities.map(({ name }) => name))
  return [
    ...after.entities.flatMap((entity) => {
      const known = old.get(entity.name)
      if (known !== undefined) return changedEntity(known, entity, after)
      const other = before.entities.find((each) => !fresh.has(each.name) && isKeyAlike(each, entity))
      return [other === undefined ? addedEntity(before, entity) : renamedEntity(other, entity)]
    }),
    ...before.entities.filter(({ name }) => !fresh.has(name)).map((entity) => removedEntity(after, entity)),
  ]
}

function addedEntity(before: ModelDescription, entity: EntityDescription): Difference {
  const what = `entity ${entity.name}`
  const readers = before.patterns.filter((pattern) => couldRead(pattern, entity))
  if (readers.length === 0) {
    const reason = 'No pattern of old code reads where its items are.'
    return { what, kind: 'compatible', change: 'is new', reason, work: [] }
  }
  const names = readers.map(({ name }) => name).join(', ')
  return {
    what,
    kind: 'unsafe',
    change: 'is new',
    reason: `Old code reads its items in ${names}, and does not know them (UNKNOWN_ENTITY).`,
    work: [
      {
        phase: 'read both',
        action: `Deploy old code with connect(…, { unknownEntities: 'skip' }), or new code that does not write ${entity.name} yet`,
        check: 'No server or function runs older code',
        wayBack: 'Deploy the older code again',
      },
      {
        phase: 'switch',
        action: `Deploy code that writes ${entity.name}`,
        check: 'No errors UNKNOWN_ENTITY',
        wayBack: `Deploy the previous code again: it passes over ${entity.name} items`,
      },
    ],
  }
}

function isKeyAlike(a: EntityDescription, b: EntityDescription): boolean {
  return a.table === b.table && shapeOf(keyText(a.key)) === shapeOf(keyText(b.key))
}

/** Its items are where those of another were, and these say that they are the other. */
function renamedEntity(before: EntityDescription, entity: EntityDescription): Difference {
  return {
    what: `entity ${entity.name}`,
    kind: 'unsafe',
    change: `is new, with the keys of ${before.name}, which is gone: it seems to be renamed`,
    reason: `Items that exist say that they are ${before.name}, which new code does not know, and old code does not know ${entity.name} (UNKNOWN_ENTITY, UNEXPECTED_ENTITY).`,
    work: [
      {
        phase: 'prepare',
        action: `Keep the name ${before.name} for the entity, or give ${entity.name} keys of its own`,
        check: 'The plan no longer says so',
        wayBack: 'Nothing is changed',
      },
    ],
  }
}

function removedEntity(after: ModelDescription, entity: EntityDescription): Difference {
  const readers = after.patterns.filter((pattern) => couldRead(pattern, entity)).map(({ name }) => name)
  const what = `entity ${entity.name}`
  const table = after.tables.find(({ id }) => id === entity.table)
  if (table === undefined) {
    const reason = 'It is deleted with its table.'
    return { what, kind: 'compatible', change: 'is gone', reason, work: [] }
  }
  return {
    what,
    kind: readers.length === 0 ? 'rewrite' : 'unsafe',
    change: 'is gone',
    reason:
      readers.length === 0
        ? 'Its items stay in the table, and are paid for, until they are deleted.'
        : `New code reads items that are left in ${readers.join(', ')}, and does not know them (UNKNOWN_ENTITY).`,
    work: [
      {
        phase: 'stop',
        action: `Deploy code that neither reads nor writes ${entity.name}, and skips unknown entities`,
        check: `No ${entity.name} item is written any more`,
        wayBack: 'Deploy the older code again',
      },
      {
        phase: 'drop',
        action: `Delete all ${entity.name} items`,
        check: 'A backup from before exists',
        wayBack: 'Restore from the backup: this is the step that cannot be undone',
        items: { entity: entity.name, reads: true, writes: 1 },
      },
    ],
  }
}

function changedEntity(
  before: EntityDescription,
  after: EntityDescription,
  model: ModelDescription,
): readonly Difference[] {
  const table = model.tables.find(({ id }) => id === after.table)
  const isMoved = before.table !== after.table
  const [from, to] = [keyText(before.key), keyText(after.key)]
  const differences: Difference[] = []
  if (isMoved) {
    differences.push(
      announced(after, true, {
        what: `entity ${after.name}`,
        change: `is in the table ${after.table} instead of ${before.table}`,
        reason: 'Code of each version looks in another table.',
        snippet: `.in('${after.table}', { was: '${before.table}' })`,
        isSaid: after.was?.table === before.table,
        obstacle: obstacleOf(before, after),
        work: moveWork(after, `the table ${before.table}`, `the table ${after.table}`),
      }),
    )
  }
  if (from !== to && (!isMoved || after.was !== undefined)) {
    differences.push(
      announced(after, true, {
        what: `key of ${after.name}`,
        change: `is ${to} instead of ${from}`,
        reason: 'Code of one version does not find what the other writes, and an item can exist twice.',
        snippet: `.key({ …, was: ${wasText(before.key, after.key)} })`,
        isSaid: after.was !== undefined && keyText(after.was.key) === from,
        obstacle: obstacleOf(before, after) ?? blindInTable(before, queriesOf(model, after, undefined)),
        work: moveWork(after, from, to),
      }),
    )
  }
  return [
    ...differences,
    ...compareAttributes(before, after),
    ...compareIndexKeys(before, after, model),
    ...(isMoved ? [] : leftIndexes(before, after, table)),
    ...compareSatellites(before, after),
  ]
}

/** Indexes as a whole are compared with their tables; here it is about what items carry. */
function compareIndexKeys(
  before: EntityDescription,
  after: EntityDescription,
  model: ModelDescription,
): readonly Difference[] {
  const old = new Map(before.indexKeys.map((key) => [key.index, key]))
  return after.indexKeys.flatMap((key): readonly Difference[] => {
    const known = old.get(key.index)
    const composed = [...key.partition, ...key.sort].filter(({ isNative }) => !isNative)
    if (known === undefined) {
      if (composed.length === 0) return []
      return [
        {
          what: `${after.name} in index ${key.index}`,
          kind: 'unsafe',
          change: `has the key ${indexText(key)}`,
          reason:
            'Items that exist, and those that old code writes, lack the attributes of this key, so that the index does not show them.',
          work: backfillWork(
            after,
            `Write ${composed.map(({ attribute }) => attribute).join(' and ')} into all ${after.name} items`,
            {
              writeBoth: `Deploy code that writes the key of ${key.index}, but does not read the index yet`,
            },
          ),
        },
      ]
    }
    const [from, to] = [indexText(known), indexText(key)]
    if (from === to) return []
    const said = after.was?.indexKeys.find(({ index }) => index === key.index)
    const [pk, sk] = [textOfTemplates(known.partition), textOfTemplates(known.sort)]
    return [
      announced(after, false, {
        what: `${after.name} in index ${key.index}`,
        change: `has the key ${to} instead of ${from}`,
        reason:
          'A query by either version misses the items that have the key of the other. A new index with key attributes of its own can be filled before anyone reads it.',
        snippet: `.index('${key.index}', { …, was: { pk: '${pk}'${sk === '' ? '' : `, sk: '${sk}'`} } })`,
        isSaid: said !== undefined && indexText(said) === from,
        obstacle: blindIn(before, known, queriesOf(model, after, key.index)),
        work: rewriteWork(after, `Write the new key of ${key.index} into all ${after.name} items`, {
          readBoth: `Deploy code that queries ${key.index} by both keys and merges the answers`,
          writeBoth: 'Deploy code that writes the new key',
        }),
      }),
    ]
  })
}

function queriesOf(
  { patterns }: ModelDescription,
  { name, table }: EntityDescription,
  index: string | undefined,
): readonly PatternDescription[] {
  return patterns.filter(
    (pattern) =>
      pattern.action === 'query' &&
      pattern.table === table &&
      pattern.index === index &&
      pattern.entities.includes(name),
  )
}

/** An item can be under both keys in a table: whoever cannot search the old one reads the new one, once all items have it. */
function blindInTable(before: EntityDescription, patterns: readonly PatternDescription[]): string | undefined {
  const blind = blindPatternOf(before, [before.key.partition], patterns)
  return blind === undefined
    ? undefined
    : `${blind} Let such code wait until both forms are written and all items are copied beside their old form, and then read only the new form (reads: 'new').`
}

/** An item has only one key in one index, so that a new key needs another index where the old one cannot be searched. */
function blindIn(
  before: EntityDescription,
  { index, partition }: IndexKeyDescription,
  patterns: readonly PatternDescription[],
): string | undefined {
  const blind = blindPatternOf(before, partition, patterns)
  return blind === undefined ? undefined : `${blind} Give the new key an index of its own, beside ${index}.`
}

/** Indexes that stay, but without the items of this entity. */
function leftIndexes(
  before: EntityDescription,
  after: EntityDescription,
  table: TableDescription | undefined,
): readonly Difference[] {
  const isThere = (name: string): boolean => table?.indexes.some((index) => index.name === name) === true
  const left = before.indexKeys.filter(
    ({ index }) => isThere(index) && !after.indexKeys.some((key) => key.index === index),
  )
  return left.map(({ index, partition, sort }) => {
    const attributes = [...partition, ...sort].flatMap(({ isNative, attribute }) => (isNative ? [] : [attribute]))
    return {
      what: `${after.name} in index ${index}`,
      kind: 'unsafe',
      change: 'is gone',
      reason:
        'Old code misses what new code writes. Items that exist, and those that old code writes, are still in the index, where new code does not expect them.',
      work: [
        {
          phase: 'read both',
          action: `Deploy code that no longer reads ${after.name} items from ${index}, everywhere`,
          check: 'No server or function runs older code',
          wayBack: 'Deploy the older code again',
        },
        ...rewriteWork(
          after,
          `Remove ${attributes.join(' and ') || `the key of ${index}`} from all ${after.name} items`,
        ),
      ],
    }
  })
}

function compareSatellites(before: EntityDescription, after: EntityDescription): readonly Difference[] {
  const old = new Map(before.satellites.map((each) => [each.name, each]))
  const fresh = new Map(after.satellites.map((each) => [each.name, each]))
  const added = after.satellites.filter(({ name }) => !old.has(name))
  const changed = after.satellites.filter((each) => {
    const known = old.get(each.name)
    return known !== undefined && satelliteText(known) !== satelliteText(each)
  })
  return [
    ...added.map((each) => addedSatellite(after, each)),
    ...changed.map((each): Difference => ({
      what: each.name,
      kind: 'unsafe',
      change: `is ${satelliteText(each)} instead of ${satelliteText(old.get(each.name) ?? each)}`,
      reason: 'Code of each version keeps other items, and finds none of the other.',
      work: rewriteWork(after, `Write the new ${each.name} items, and delete the old ones`, {
        writeBoth: 'Deploy code that keeps both',
      }),
    })),
    ...before.satellites
      .filter(({ name }) => !fresh.has(name))
      .map((each): Difference => ({
        what: each.name,
        kind: 'rewrite',
        change: 'is gone',
        reason:
          'The items that were kept for it stay in the table. New code no longer keeps them, so that old code may find wrong ones: stop reading them first.',
        work: [
          {
            phase: 'stop',
            action: `Deploy code that does not read ${each.name}, then code that does not keep it`,
            check: 'No server or function runs older code',
            wayBack: `Deploy the older code, and write the ${each.name} items again`,
          },
          {
            phase: 'drop',
            action: `Delete all ${each.name} items`,
            check: 'No reader asks for them',
            wayBack: 'They follow from their items: write them again',
            items: { entity: after.name, reads: true, writes: 1 },
          },
        ],
      })),
  ]
}

function addedSatellite(entity: EntityDescription, satellite: SatelliteDescription): Difference {
  const isGuard = satellite.kind === 'unique'
  return {
    what: satellite.name,
    kind: 'unsafe',
    change: isGuard ? 'must be unique' : 'is a new index item',
    reason: isGuard
      ? 'Items that exist have no guard, and old code writes none: two items can get the same value.'
      : 'Items that exist have none, and old code writes none, so that a query misses them.',
    work: backfillWork(
      entity,
      isGuard
        ? `Write a guard for each ${entity.name}, and list those whose value is taken`
        : `Write the index items of all ${entity.name} items`,
      { writeBoth: `Deploy code that keeps ${satellite.name}${isGuard ? '' : ', but does not read it yet'}` },
      // Each is written in a transaction that checks its item. Whether one is there, and has an owner, is read before and after.
      { writes: 2, isTransaction: true, readsEach: 4 },
    ),
  }
}

/** Whether a query finds items with the keys of this entity: their templates begin alike. */
function couldRead(pattern: PatternDescription, entity: EntityDescription): boolean {
  if (pattern.table !== entity.table || !['query', 'scan'].includes(pattern.action)) return false
  const key = entity.indexKeys.find(({ index }) => index === pattern.index)
  if (pattern.index !== undefined && key === undefined) return false
  if (pattern.action === 'scan') return true
  const partition = pattern.index === undefined ? [entity.key.partition] : (key?.partition ?? [])
  if (shapeOf(textOfTemplates(partition)) !== shapeOf(textOfTemplates(pattern.partition ?? []))) return false
  if (pattern.sort === undefined || pattern.sort.kind === 'between') return true
  const sort = pattern.index === undefined ? entity.key.sort : key?.sort[0]
  const [wanted] = pattern.sort.templates
  const own = literalOf(sort?.text ?? '')
  const asked = literalOf(wanted?.text ?? '')
  return own.startsWith(asked) || asked.startsWith(own)
}

/** A key without the names in it: `ORDER#{}`. */
function shapeOf(text: string): string {
  return text.replaceAll(/\{[^}]*\}/g, '{}')
}

/** What a template begins with. */
function literalOf(text: string): string {
  return text.split('{')[0]?.replace(/\*$/, '') ?? ''
}

/** Only what has changed. */
function wasText(before: KeyDescription, after: KeyDescription): string {
  const parts = [
    ...(before.partition.text === after.partition.text ? [] : [`pk: '${before.partition.text}'`]),
    ...(before.sort === undefined || before.sort.text === after.sort?.text ? [] : [`sk: '${before.sort.text}'`]),
  ]
  return `{ ${parts.join(', ')} }`
}

function keyText({ partition, sort }: KeyDescription): string {
  return sort === undefined ? partition.text : `${partition.text} ${sort.text}`
}

function indexText({ partition, sort, when = [] }: IndexKeyDescription): string {
  const condition = when.map(({ attribute, values }) => `${attribute} is ${values.join(' or ')}`)
  const key = [textOfTemplates(partition), ...(sort.length === 0 ? [] : [textOfTemplates(sort)])].join(' ')
  return condition.length === 0 ? key : `${key} when ${condition.join(' and ')}`
}

function satelliteText({ kind, key, include, each }: SatelliteDescription): string {
  const parts = [
    kind === 'unique' ? 'a guard' : 'an index item',
    keyText(key),
    ...(each === undefined ? [] : [`for each ${each}`]),
  ]
  return include.length === 0 ? parts.join(' ') : `${parts.join(' ')} with ${include.join(', ')}`
}
