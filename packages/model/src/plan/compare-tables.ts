import type { IndexDescription, ModelDescription, ProjectionDescription, TableDescription } from '../description.ts'
import type { Difference, Work } from './difference.ts'
import { announced } from './predecessor-work.ts'

/** What changed among tables and indexes. */
export function compareTables(before: ModelDescription, after: ModelDescription): readonly Difference[] {
  const old = new Map(before.tables.map((table) => [table.id, table]))
  const fresh = new Set(after.tables.map(({ id }) => id))
  return [
    ...after.tables.flatMap((table) => {
      const known = old.get(table.id)
      return known === undefined ? [addedTable(table)] : changedTable(before, after, known, table)
    }),
    ...before.tables
      .filter(({ id }) => !fresh.has(id))
      .map((table): Difference => ({
        what: `table ${table.id}`,
        kind: 'unsafe',
        change: 'is gone',
        reason: 'Old code reads and writes it until it is stopped.',
        work: [
          work(
            'drop',
            `Delete the table ${table.name}, when no old code runs`,
            'Its requests have ended',
            'Restore it from a backup',
          ),
        ],
      })),
  ]
}

function addedTable(table: TableDescription): Difference {
  return {
    what: `table ${table.id}`,
    kind: 'compatible',
    change: 'is new',
    reason: 'Old code does not know it.',
    work: [work('add', `Create the table ${table.name}`, 'It is ACTIVE', 'Delete it')],
  }
}

function changedTable(
  before: ModelDescription,
  after: ModelDescription,
  old: TableDescription,
  table: TableDescription,
): readonly Difference[] {
  const what = `table ${table.id}`
  const differences: Difference[] = []
  const keys = (each: TableDescription): string =>
    [each.partitionKey, ...(each.sortKey === undefined ? [] : [each.sortKey])]
      .map(({ name, type }) => `${name} (${type})`)
      .join(', ')
  if (keys(old) !== keys(table) || old.name !== table.name) {
    const isKey = keys(old) !== keys(table)
    differences.push({
      what,
      kind: 'unsafe',
      change: isKey
        ? `has the keys ${keys(table)} instead of ${keys(old)}`
        : `is named ${table.name} instead of ${old.name}`,
      reason:
        'The key and the name of a table cannot be changed: it is another table, and all items must be copied.',
      work: [
        work(
          'add',
          `Create the new table${isKey ? ' under another name' : ` ${table.name}`}`,
          'It is ACTIVE',
          'Delete it',
        ),
        work(
          'write both',
          'Deploy code that writes both tables',
          'No server or function runs older code',
          'Deploy the older code again',
        ),
        ...entitiesOf(after, table).map((entity): Work => ({
          ...work(
            'backfill',
            `Copy all ${entity} items to the new table, on the condition that nothing is there`,
            'A second run changes nothing',
            'Delete the new table',
          ),
          items: { entity, reads: true, writes: 1 },
        })),
        work(
          'switch',
          'Deploy code that reads the new table',
          'The old table is no longer read',
          'Deploy the previous code again: both are still written',
        ),
        work('drop', `Delete the table ${old.name}`, 'A backup from before exists', 'Restore it from the backup'),
      ],
    })
  }
  if (old.discriminator !== table.discriminator) differences.push(changedDiscriminator(after, old, table))
  if (old.ttlAttribute !== table.ttlAttribute && table.ttlAttribute !== undefined) {
    const action = `Turn on time to live for ${table.ttlAttribute}${old.ttlAttribute === undefined ? '' : `, instead of ${old.ttlAttribute}; changing it takes up to an hour`}`
    differences.push({
      what,
      kind: old.ttlAttribute === undefined ? 'compatible' : 'backfill',
      change: `expires items by ${table.ttlAttribute}`,
      reason:
        old.ttlAttribute === undefined
          ? 'Items without the attribute do not expire.'
          : `Items that only have ${old.ttlAttribute} no longer expire.`,
      work: [work('add', action, 'DescribeTimeToLive says ENABLED', 'Turn it off')],
    })
  }
  if (old.ttlAttribute !== undefined && table.ttlAttribute === undefined) {
    differences.push({
      what,
      kind: 'compatible',
      change: 'no longer expires items',
      reason: `Time to live stays on in the table: items that have ${old.ttlAttribute} still expire until it is turned off.`,
      work: [
        work(
          'drop',
          `Turn off time to live for ${old.ttlAttribute}, when no old code runs`,
          'DescribeTimeToLive says DISABLED',
          'Turn it on again',
        ),
      ],
    })
  }
  if (old.stream !== table.stream) {
    const isChanged = old.stream !== undefined
    differences.push({
      what,
      kind: isChanged ? 'unsafe' : 'compatible',
      change: `has the stream ${table.stream ?? 'none'} instead of ${old.stream ?? 'none'}`,
      reason: isChanged
        ? 'A stream must be turned off and on again. Consumers of the old one do not see what happens then.'
        : 'Nobody reads it yet.',
      work: [
        work(
          'add',
          `Change the stream${isChanged ? ': let consumers finish, stop writes or accept a gap, and point them at the new stream' : ''}`,
          'DescribeTable shows it',
          'Change it back',
        ),
      ],
    })
  }
  return [...differences, ...compareIndexes(before, after, old, table)]
}

function changedDiscriminator(after: ModelDescription, old: TableDescription, table: TableDescription): Difference {
  const what = `table ${table.id}`
  const nameOf = ({ discriminator }: TableDescription): string => discriminator || 'their keys'
  const change = `tells entities apart by ${nameOf(table)} instead of ${nameOf(old)}`
  const reason = 'New code does not recognise items that lack the new attribute (UNKNOWN_ENTITY).'
  const byHand: readonly Work[] = [
    work(
      'write both',
      'Deploy code that writes both attributes',
      'No server or function runs older code',
      'Deploy the older code again',
    ),
    ...entitiesOf(after, table).map((entity): Work => ({
      ...work(
        'backfill',
        `Set ${table.discriminator} in all ${entity} items`,
        'A second run changes nothing',
        'Nothing needs to be undone',
      ),
      items: { entity, reads: true, writes: 1 },
    })),
    work(
      'switch',
      'Deploy code that reads the new attribute',
      'No errors UNKNOWN_ENTITY',
      'Deploy the code before',
    ),
  ]
  const members = after.entities.filter((entity) => entity.table === table.id)
  const given = {
    what,
    change,
    reason,
    snippet: `table: { …, was: { discriminator: '${old.discriminator || 'by-key'}' } }`,
    isSaid: table.discriminatorBefore === old.discriminator,
    work: byHand,
  }
  const [first, ...others] = members.map((entity) => announced(entity, false, given))
  if (first === undefined) return { what, kind: 'compatible', change, reason, work: [] }
  return { ...first, work: [...first.work, ...others.flatMap((each) => each.work)] }
}

function compareIndexes(
  before: ModelDescription,
  after: ModelDescription,
  old: TableDescription,
  table: TableDescription,
): readonly Difference[] {
  const known = new Map(old.indexes.map((index) => [index.name, index]))
  const fresh = new Set(table.indexes.map(({ name }) => name))
  return [
    ...table.indexes.flatMap((index) => {
      const was = known.get(index.name)
      if (was === undefined) return [addedIndex(after, index)]
      if (definitionText(was) === definitionText(index)) return []
      const more = moreInIndex(before, old, was, index)
      return [more === undefined ? changedIndex(after, was, index) : narrowedIndex(index, more)]
    }),
    ...old.indexes
      .filter(({ name }) => !fresh.has(name))
      .map((index): Difference => {
        const readers = before.patterns.filter((pattern) => pattern.index === index.name).map(({ name }) => name)
        return {
          what: `index ${index.name}`,
          kind: readers.length === 0 ? 'compatible' : 'unsafe',
          change: 'is gone',
          reason:
            readers.length === 0
              ? 'No pattern reads it.'
              : `Old code reads it, in ${readers.join(', ')}, until it is stopped.`,
          work: [
            work(
              'drop',
              `Delete the index ${index.name}, when no old code runs`,
              'Its reads have ended (CloudWatch)',
              'Create it again, which takes as long as building it',
            ),
          ],
        }
      }),
  ]
}

function addedIndex(model: ModelDescription, index: IndexDescription): Difference {
  const what = `index ${index.name}`
  if (index.kind === 'local') {
    return {
      what,
      kind: 'unsafe',
      change: 'is a new local index',
      reason: 'Local indexes can only be made with their table. Use a global index, or plan for another table.',
      work: [
        work(
          'prepare',
          `Give the index a pk, so that it is global`,
          'The plan no longer says so',
          'Nothing is changed',
        ),
      ],
    }
  }
  return {
    what,
    kind: 'compatible',
    change: 'is new',
    reason: 'DynamoDB builds it while the table is in use. Code that reads it must wait until it is ACTIVE.',
    work: [
      ...membersOf(model, index).map((entity): Work => ({
        ...work(
          'add',
          `Create the index ${index.name}: its entries for ${entity}`,
          'Its IndexStatus is ACTIVE, Backfilling is false',
          'Delete the index',
        ),
        items: { entity, reads: false, writes: 1, isOfIndex: true },
      })),
      work(
        'switch',
        `Deploy code that reads ${index.name}`,
        'Its patterns find what they should',
        'Deploy the code before',
      ),
    ],
  }
}

/** What an index copies only because items could still have these names; undefined if it differs in anything else. */
function moreInIndex(
  { entities }: ModelDescription,
  { discriminatorBefore }: TableDescription,
  was: IndexDescription,
  index: IndexDescription,
): readonly string[] | undefined {
  if (was.projection.type !== 'INCLUDE' || index.projection.type !== 'INCLUDE') return undefined
  const { attributes } = index.projection
  const more = was.projection.attributes.filter((name) => !attributes.includes(name))
  const names = entities.flatMap((entity) => entity.attributes.flatMap(({ readNames: [name] = [] }) => name ?? []))
  const isOld = more.every((name) => name === discriminatorBefore || names.includes(name))
  const wider = { ...index, projection: { ...index.projection, attributes: [...attributes, ...more] } }
  return isOld && definitionText(wider) === definitionText(was) ? more : undefined
}

function narrowedIndex(index: IndexDescription, more: readonly string[]): Difference {
  const names = more.map((name) => `'${name}'`).join(', ')
  return {
    what: `index ${index.name}`,
    kind: 'compatible',
    change: `no longer projects ${more.join(', ')}`,
    reason: `The projection of an index cannot be changed, and an old name does no harm. Tools that compare definitions need to see it: keep ${names} in the projection until you replace the index.`,
    work: [],
  }
}

function changedIndex(model: ModelDescription, was: IndexDescription, index: IndexDescription): Difference {
  return {
    what: `index ${index.name}`,
    kind: 'unsafe',
    change: `is ${definitionText(index)} instead of ${definitionText(was)}`,
    reason:
      'The key and the projection of an index cannot be changed: under the same name it must be deleted first, and nobody can read it meanwhile.',
    work: [
      work(
        'prepare',
        `Give the new index another name, such as ${index.name}2`,
        'The plan shows it as new',
        'Nothing is changed',
      ),
      ...membersOf(model, index).map((entity): Work => ({
        ...work(
          'add',
          `Create the new index: its entries for ${entity}`,
          'Its IndexStatus is ACTIVE, Backfilling is false',
          'Delete it',
        ),
        items: { entity, reads: false, writes: 1, isOfIndex: true },
      })),
      work(
        'switch',
        'Deploy code that reads the new index',
        'The old index is no longer read',
        'Deploy the code before',
      ),
      work('drop', `Delete the old index ${index.name}`, 'Its reads have ended (CloudWatch)', 'Create it again'),
    ],
  }
}

function work(phase: Work['phase'], action: string, check: string, wayBack: string): Work {
  return { phase, action, check, wayBack }
}

function entitiesOf({ entities }: ModelDescription, { id }: TableDescription): readonly string[] {
  return entities.filter(({ table }) => table === id).map(({ name }) => name)
}

function membersOf({ entities }: ModelDescription, { name }: IndexDescription): readonly string[] {
  return entities
    .filter(({ indexKeys }) => indexKeys.some(({ index }) => index === name))
    .map((entity) => entity.name)
}

function definitionText({ kind, partitionKeys, sortKeys, projection }: IndexDescription): string {
  const keys = [...partitionKeys, ...sortKeys].map(({ name, type }) => `${name} (${type})`)
  return `${kind}, by ${keys.join(', ')}, with ${projectionText(projection)}`
}

function projectionText(projection: ProjectionDescription): string {
  if (projection.type !== 'INCLUDE') return projection.type
  return [...projection.attributes].toSorted().join(', ')
}
