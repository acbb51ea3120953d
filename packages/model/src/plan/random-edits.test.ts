import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { open } from 'hashrange'
import { expect, test } from 'vitest'
import { seededRandom, type Random } from '../check/random.ts'
import { connect } from '../client/connect.ts'
import { createTableInputs } from '../export/create-table-inputs.ts'
import {
  migrateTables,
  migrating,
  predecessorOf,
  prepareTables,
  verifyMigration,
  type Writes,
} from '../migration/index.ts'
import { migrateWithDeaths } from '../migration/testing/ordeal.ts'
import type { AnyModel } from '../model/model.ts'
import { planMigration } from './plan-migration.ts'
import {
  edited,
  editNames,
  fallbackOf,
  fallbacks,
  isOfType,
  firstDraft,
  modelOf,
  valueOf,
  type Draft,
} from './testing/random-models.ts'

/** Pairs of models. HASHRANGE_PLAN_PAIRS=2000 is the long form. */
const pairs = Number(process.env['HASHRANGE_PLAN_PAIRS'] ?? 12)
const first = Number(process.env['HASHRANGE_PLAN_FIRST'] ?? 0)

type Item = Record<string, unknown>
interface Page {
  readonly entries: readonly { readonly entity: string; readonly item: Item }[]
}
type Query = (parameters: Item) => Promise<Page>
type Db = Record<string, Query> & {
  readonly Thing: {
    create(item: Item): Promise<unknown>
    update(key: Item, changes: Item): Promise<unknown>
    modify(key: Item, change: (item: Item) => Item): Promise<unknown>
    delete(key: Item): Promise<unknown>
    get(key: Item): Promise<{ readonly item: Item | undefined }>
  }
  readonly Note: { create(item: Item): Promise<unknown> }
}

interface Version {
  readonly draft: Draft
  readonly db: Db
}

interface Pair {
  readonly seed: number
  readonly random: Random
  readonly before: Draft
  readonly after: Draft
  /** What was edited. */
  readonly names: readonly string[]
}

function draftedPair(seed: number, mostEdits: number, of: readonly string[] = editNames): Pair {
  const random = seededRandom(seed)
  const draw = (count: number, from: readonly string[]): string[] =>
    Array.from({ length: count }, () => from[random.below(from.length)] ?? '')
  const forget = (draft: Draft): Draft => ({
    ...draft,
    attributes: Object.fromEntries(
      Object.entries(draft.attributes).map(([name, { was: _was, ...each }]) => [name, each]),
    ),
  })
  const before = forget(
    draw(random.below(4), editNames).reduce((draft, edit) => edited(draft, edit, random), firstDraft),
  )
  const names = draw(1 + random.below(mostEdits), of)
  const after = names.reduce((draft, edit) => edited(draft, edit, random), before)
  return { seed, random, before, after, names }
}

function tried<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    // Some edits make no model: an attribute under a name that is taken.
    return undefined
  }
}

/** An item with values for the attributes of a version. */
function itemOf(draft: Draft, random: Random, id: string, n: number): Item {
  const item: Item = { group: 'g', id, n, state: random.below(2) ? 'on' : 'off' }
  for (const [name, { type, need }] of Object.entries(draft.attributes)) {
    if (need === 'required' || random.below(2)) item[name] = valueOf(type, random)
  }
  return item
}

/** An item of a version as it is stored: under the names on disk, with its defaults. */
function storedBy(draft: Draft, { group, id, n, state, ...item }: Item): Item {
  const stored: Item = { group, id, n, state }
  for (const [name, { type, need, storedName = name }] of Object.entries(draft.attributes)) {
    const value = item[name] ?? (need === 'default' ? fallbackOf(type) : undefined)
    if (value !== undefined) stored[storedName] = value
  }
  return stored
}

/** How a version should see an item that is stored. */
function seenBy(draft: Draft, { group, id, n, state, ...stored }: Item): Item {
  const seen: Item = { group, id, n, state }
  for (const [name, { storedName = name }] of Object.entries(draft.attributes)) {
    if (stored[storedName] !== undefined) seen[name] = stored[storedName]
  }
  return seen
}

const withoutVersion = ({ version: _version, ...item }: Item): Item => item
/** A version with a default writes it with the item, and others then see it. */
const withoutDefaults = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => !fallbacks.includes(JSON.stringify(value))))
const byId = (items: readonly Item[]): Item[] =>
  items
    .map(withoutVersion)
    .map(withoutDefaults)
    .toSorted((a, b) => String(a['id']).localeCompare(String(b['id'])))

/** Every pattern of a version, against what it should find. */
async function judge(db: Db, draft: Draft, expected: readonly Item[], hasScan = true): Promise<void> {
  const things = async (query: Query | undefined, parameters: Item): Promise<Item[]> =>
    ((await query?.(parameters))?.entries ?? []).filter(({ entity }) => entity === 'Thing').map(({ item }) => item)
  expect(byId(await things(db['inGroup'], { group: 'g' }))).toEqual(byId(expected))
  // While items move, a scan finds some in both forms.
  if (hasScan) expect(byId(await things(db['everything'], {}))).toEqual(byId(expected))
  for (const item of expected) {
    const { item: found } = await db.Thing.get({ group: 'g', id: item['id'] })
    expect(byId([found ?? {}])).toEqual(byId([item]))
  }
  for (const [index, { pk, when }] of Object.entries(draft.indexes)) {
    const member = expected.filter((item) =>
      Object.entries(when ?? {}).every(([key, value]) => item[key] === value),
    )
    if (!pk.includes('{')) expect(byId(await things(db[index], {}))).toEqual(byId(member))
    else
      for (const state of ['on', 'off'])
        expect(byId(await things(db[index], { state }))).toEqual(
          byId(member.filter((item) => item['state'] === state)),
        )
  }
}

/** Runs with the tables of a model; what goes wrong names the pair. */
async function withTables(of: AnyModel, pair: Pair, run: (client: DynamoDB) => Promise<void>): Promise<void> {
  const database = await open()
  const { client } = database
  try {
    for (const input of createTableInputs(of.description)) await client.createTable(input)
    await run(client)
  } catch (cause) {
    const { seed, names, before, after } = pair
    throw new Error(
      `seed ${seed}: ${names.join(', ')}
${JSON.stringify(before)}
${JSON.stringify(after)}`,
      { cause },
    )
  } finally {
    await database.close()
  }
}

const seeds = Array.from({ length: pairs }, (_, i) => first + i)

test('what a plan calls compatible runs side by side, whatever was edited', async () => {
  let compatible = 0
  for (const seed of seeds) {
    const pair = draftedPair(seed, 1)
    const { random, before, after } = pair
    const [old, fresh] = [tried(() => modelOf(before)), tried(() => modelOf(after))]
    if (old === undefined || fresh === undefined) continue
    const plan = planMigration(old.description, fresh.description)
    if (plan.kind !== 'compatible') continue
    compatible++
    await withTables(old, pair, async (client) => {
      await prepareTables(fresh.description, client)
      const items: Item[] = []
      const versions = [
        { draft: before, db: connect(old as never, client) as unknown as Db },
        { draft: after, db: connect(fresh as never, client) as unknown as Db },
      ]
      for (const [v, { draft, db }] of versions.entries()) {
        for (let i = 0; i < 3; i++) {
          const item = itemOf(draft, random, `i${v}${i}`, v * 10 + i)
          await db.Thing.create(item)
          items.push(storedBy(draft, item))
        }
      }
      const judgeAll = async (): Promise<void> => {
        for (const { draft, db } of versions)
          await judge(
            db,
            draft,
            items.map((item) => seenBy(draft, item)),
          )
      }
      await judgeAll()
      for (const { db, draft } of versions) {
        for (const item of items) {
          item['n'] = Number(item['n']) + 100
          item['state'] = random.below(2) ? 'on' : 'off'
          const key = { group: 'g', id: item['id'] }
          const { n, state } = item
          if (random.below(2)) await db.Thing.update(key, { n, state })
          else {
            // Writes what it has read, defaults included.
            await db.Thing.modify(key, (read) => ({ ...read, n, state }))
            Object.assign(item, storedBy(draft, seenBy(draft, item)))
          }
        }
        await judgeAll()
      }
    })
  }
  expect(compatible).toBeGreaterThan(pairs / 20)
})

test('what is migrated, with deaths in between, is what the new model should find', async () => {
  let migrated = 0
  for (const seed of seeds) {
    const pair = draftedPair(seed, 3)
    const { random, before, after } = pair
    const [old, fresh] = [tried(() => modelOf(before)), tried(() => modelOf(after))]
    if (old === undefined || fresh === undefined) continue
    migrated++
    await withTables(old, pair, async (client) => {
      const items: Item[] = []
      const db = connect(old as never, client) as unknown as Db
      for (let i = 0; i < 8; i++) {
        const item = itemOf(before, random, `i${i}`, i)
        await db.Thing.create(item)
        items.push(seenBy(before, storedBy(before, item)))
      }
      const nameBefore = (name: string): string => {
        const { was, storedName = name } = after.attributes[name] ?? {}
        const known = Object.entries(before.attributes).find(
          ([key, each]) => (each.storedName ?? key) === (was ?? storedName),
        )
        return known?.[0] ?? ''
      }
      // What the old items have, in the types of the new ones.
      const upgrade = (item: Item): Item => {
        const next: Item = withoutVersion(item)
        for (const name of Object.keys(before.attributes)) delete next[name]
        for (const [name, { type, need }] of Object.entries(after.attributes)) {
          const from = nameBefore(name)
          // What the new model could write stays as it is.
          const value = isOfType(type, item[from]) ? item[from] : undefined
          if (value !== undefined) next[name] = value
          else if (need === 'required') next[name] = fallbackOf(type)
        }
        return next
      }
      await prepareTables(fresh.description, client)
      const drawn = { random: () => random.next(), deaths: 3, requestsPerLife: 12, upgrade: { Thing: upgrade } }
      await migrateWithDeaths(old, fresh, client, drawn)
      const options = { upgrade: { Thing: upgrade } }
      expect(await migrateTables(old, fresh, client, options)).toMatchObject({ written: 0 })
      const { faults, left } = await verifyMigration(old, fresh, client, options)
      // Items of an entity that is gone are not the migration's to delete.
      expect({ faults, left }).toEqual({ faults: [], left: {} })
      const now = connect(fresh as never, client) as unknown as Db
      await judge(now, after, items.map(upgrade))
      for (const item of items)
        await now.Thing.update({ group: 'g', id: item['id'] }, { n: Number(item['n']) + 100, state: item['state'] })
      await judge(
        now,
        after,
        items.map((item) => upgrade({ ...item, n: Number(item['n']) + 100 })),
      )
    })
  }
  expect(migrated).toBeGreaterThan(pairs / 4)
})

/** Edits that a model can say of itself. */
const sayable = ['rename', 'renameOnDisk', 'sortKey', 'index', 'discriminator', 'sortKey', 'index']

test('a model that says what it was: no version ever answers wrongly, while items move', async () => {
  let moved = 0
  for (const seed of seeds) {
    const pair = draftedPair(seed, 3, sayable)
    const { random, before, after } = pair
    const [old, fresh, alone] = [
      tried(() => modelOf(before)),
      tried(() => modelOf(after, before)),
      tried(() => modelOf(after)),
    ]
    if (old === undefined || fresh === undefined || alone === undefined) continue
    if (planMigration(old.description, fresh.description).kind !== 'rewrite') continue
    moved++
    await withTables(old, pair, async (client) => {
      const version = (writes: Writes): Version => ({
        draft: after,
        db: connect(fresh as never, client, { migration: migrating({ writes }) }) as unknown as Db,
      })
      const only = (of: AnyModel, draft: Draft): Version => ({
        draft,
        db: connect(of as never, client) as unknown as Db,
      })
      // No two have the same: it may be guarded.
      let number = 0
      // Under the names of the new model.
      const items = new Map<string, Item>()
      const nameBefore = (name: string): string => {
        const { was } = after.attributes[name] ?? {}
        const known = Object.entries(before.attributes).find(([key, each]) => (each.storedName ?? key) === was)
        return was === undefined ? name : (known?.[0] ?? name)
      }
      const renamed = (item: Item, nameOf: (name: string) => [string, string]): Item => {
        const { group, id, n, state } = item
        const names = Object.keys(after.attributes).map(nameOf)
        return { group, id, n, state, ...Object.fromEntries(names.map(([from, to]) => [to, item[from]])) }
      }
      const inBefore = (item: Item): Item => renamed(item, (name) => [name, nameBefore(name)])
      const round = async (versions: readonly Version[]): Promise<void> => {
        const { db, draft } = versions[random.below(versions.length)] ?? only(fresh, after)
        const id = `i${random.below(8)}`
        const known = items.get(id)
        const key = { group: 'g', id }
        if (known === undefined) {
          const item = seenBy(draft, storedBy(draft, itemOf(draft, random, id, ++number)))
          await db.Thing.create(item)
          items.set(id, draft === after ? item : renamed(item, (name) => [nameBefore(name), name]))
        } else if (random.below(4) === 0) {
          await db.Thing.delete(key)
          items.delete(id)
        } else {
          const changes = { n: ++number, state: random.below(2) ? 'on' : 'off' }
          if (random.below(2)) await db.Thing.update(key, changes)
          else await db.Thing.modify(key, (read) => ({ ...read, ...changes }))
          items.set(id, { ...known, ...changes })
        }
        for (const each of versions) {
          const seen = [...items.values()].map((item) => (each.draft === after ? item : inBefore(item)))
          await judge(each.db, each.draft, seen, false)
        }
      }
      const phase = async (rounds: number, ...versions: readonly Version[]): Promise<void> => {
        for (let i = 0; i < rounds; i++) await round(versions)
      }
      const migrate = async (): Promise<void> => {
        const drawn = { random: () => random.next(), deaths: 1, requestsPerLife: 20 }
        await migrateWithDeaths(predecessorOf(fresh) ?? old, fresh, client, drawn)
      }
      await prepareTables(fresh.description, client)
      await phase(6, only(old, before), version('was'))
      await phase(4, version('was'), version('both'))
      await phase(4, version('both'), version('new'))
      await migrate()
      await phase(4, version('both'), version('new'))
      await phase(2, version('new'))
      await migrate()
      const { faults, left } = await verifyMigration(predecessorOf(fresh) ?? old, fresh, client)
      expect({ faults, left }).toEqual({ faults: [], left: {} })
      await phase(3, version('new'), only(alone, after))
    })
  }
  expect(moved).toBeGreaterThan(pairs / 20)
})
