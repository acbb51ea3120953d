import { CreateTableCommand, DynamoDB, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import { open } from 'hashrange'
import { expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../check/random.ts'
import { connect } from '../index.ts'
import { createTableInputs } from '../export/create-table-inputs.ts'
import { migrateTables, verifyMigration } from './index.ts'
import {
  assertMigrated,
  delayed,
  groupName,
  inParallel,
  migrateWithDeaths,
  planted,
  reading,
  throttled,
  traffic,
  type OrdealOptions,
} from './testing/ordeal.ts'
import {
  bothReadFirst,
  bothReadSecond,
  byId,
  byTime,
  firstIndex,
  guarded,
  movedInIndex,
  oldFormOf,
  recordClient,
  secondIndex,
  sharded,
  type RecordModel,
} from './testing/record-models.ts'
import { Reference } from './testing/reference.ts'

/** Items of each round. HASHRANGE_MIGRATION_ITEMS=1000000 is the long form, which takes minutes for each kind. */
const items = Number(process.env['HASHRANGE_MIGRATION_ITEMS'] ?? 12)
const isLong = items > 1000
const perGroup = isLong ? 50 : 6
const deaths = isLong ? 50 : 2
const timeout = isLong ? 7_200_000 : 180_000

async function begin(
  model: RecordModel,
): Promise<{ client: DynamoDB; options: OrdealOptions; seedOf: RecordModel }> {
  const client = await openClient()
  for (const input of createTableInputs(model.description)) await client.send(new CreateTableCommand(input))
  const groups = Math.max(1, Math.round(items / perGroup))
  const first = planted(groups, perGroup)
  const drawn = seededRandom(7)
  const options = {
    random: () => drawn.next(),
    groups,
    perGroup,
    reference: new Reference(first),
    // A migration goes on for as long as it finds items in the old form: clients must not write faster than it reads.
    restMs: isLong ? 50 : 10,
  }
  const db = connect(model as never, client) as unknown as {
    batchWrite(build: (b: { Row: { put(item: object): unknown } }) => unknown): Promise<unknown>
  }
  await inParallel(groups, async (n) => {
    const group = groupName(n)
    await db.batchWrite((b) => first.ids.map((id) => b.Row.put({ group, id, ...first.valueOf(group, id) })))
  })
  return { client, options, seedOf: model }
}

/** Our own database; or another one that says it is DynamoDB, if HASHRANGE_MIGRATION_ENDPOINT names it. */
async function openClient(): Promise<DynamoDB> {
  const endpoint = process.env['HASHRANGE_MIGRATION_ENDPOINT']
  if (endpoint === undefined) {
    const database = await open()
    onTestFinished(() => database.close())
    return database.client
  }
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDB({ endpoint, region: 'us-east-1', credentials })
  onTestFinished(() => client.destroy())
  await client.deleteTable({ TableName: 'rows' }).catch(() => undefined)
  while ((await client.listTables()).TableNames?.includes('rows') === true) await some(50)
  return client
}

/** A request is for up to a hundred items. */
const requestsPerLife = Math.max(12, items / 2500)
const some = (ms = isLong ? 5000 : 10): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

test.each([
  ['4 shards become 16', sharded(4), sharded(16, 4), sharded(16)],
  ['16 shards become 4', sharded(16), sharded(4, 16), sharded(4)],
  ['a new sort key', byId, byTime, undefined],
  ['a new partition key, read through an index,', firstIndex, movedInIndex, undefined],
])(
  '%s while old and new code run: no wrong answer, nothing lost or doubled',
  async (_name, before, after, alone) => {
    const { client, options } = await begin(before)
    const { random } = options
    const version = (writes: 'was' | 'both' | 'new') => recordClient(after, delayed(client, random), writes)
    // Code that only knows the old form, and code that knows both.
    await traffic(options, [recordClient(before, client), version('was')], some())
    // Where the new keys are elsewhere, code that only knows the old form can still read.
    const readers = before === firstIndex ? [reading(recordClient(before, client))] : []
    await traffic(options, [version('was'), version('both'), ...readers], some())
    const old = oldFormOf(after)
    const migrated = await (async () => {
      const migration = migrateWithDeaths(old, after, client, { random, deaths, requestsPerLife })
      await traffic(options, [version('was'), version('both'), version('new')], migration)
      return migration
    })()
    expect(migrated.deaths).toBeGreaterThan(0)
    // Nobody writes the old form any more: what is left is brought over.
    const rest = migrateWithDeaths(old, after, client, { random, deaths: 1, requestsPerLife })
    await traffic(options, [version('new'), version('new')], rest)
    const last = recordClient(alone ?? after, client, alone === undefined ? 'new' : undefined)
    await traffic(options, [version('new'), last], some())
    const verified = await assertMigrated(options, old, after, client, last)
    report(options, migrated, verified.items['Row'])
  },
  timeout,
)

test(
  'an index is replaced while old and new code run',
  async () => {
    const { client, options } = await begin(firstIndex)
    const { random } = options
    const [table] = createTableInputs(bothReadFirst.description)
    const second = table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === 'second')
    await client.send(
      new UpdateTableCommand({
        TableName: 'rows',
        AttributeDefinitions: table?.AttributeDefinitions,
        GlobalSecondaryIndexUpdates: [
          { Create: { IndexName: 'second', KeySchema: second?.KeySchema, Projection: second?.Projection } },
        ],
      }),
    )
    while (
      (await client.describeTable({ TableName: 'rows' })).Table?.GlobalSecondaryIndexes?.some(
        (each) => each.IndexStatus !== 'ACTIVE',
      ) === true
    )
      await some(20)
    const [first, middle, later, last] = [firstIndex, bothReadFirst, bothReadSecond, secondIndex].map((each) =>
      recordClient(each, client),
    )
    if (first === undefined || middle === undefined || later === undefined || last === undefined) throw new Error()
    await traffic(options, [first, middle], some())
    const filled = migrateWithDeaths(firstIndex, bothReadFirst, client, {
      random,
      deaths,
      requestsPerLife,
      keeps: 'both',
    })
    await traffic(options, [middle, middle], filled)
    await assertMigrated(options, firstIndex, bothReadFirst, client, later)
    await traffic(options, [middle, later], some())
    const emptied = migrateWithDeaths(bothReadSecond, secondIndex, client, { random, deaths, requestsPerLife })
    await traffic(options, [later, last], emptied)
    const verified = await assertMigrated(options, bothReadSecond, secondIndex, client, last)
    report(options, await filled, verified.items['Row'])
  },
  timeout,
)

test(
  'a guard is added while old and new code run',
  async () => {
    const { client, options } = await begin(byId)
    const { random } = options
    const [old, now] = [recordClient(byId, client), recordClient(guarded, client)]
    await traffic(options, [old, now], some())
    const early = migrateWithDeaths(byId, guarded, client, { random, deaths, requestsPerLife })
    await traffic(options, [old, now], early)
    const migration = migrateWithDeaths(byId, guarded, client, { random, deaths, requestsPerLife })
    await traffic(options, [now, now], migration)
    const verified = await assertMigrated(options, byId, guarded, client, now)
    expect(verified.satellites).toBe(verified.items['Row'])
    const db = connect(guarded, client)
    const group = groupName(0)
    for (const id of options.reference.ids(group)) {
      const present = options.reference.present(group, id)
      if (present === undefined) continue
      expect((await db.byNumber({ group, n: present.n })).item).toMatchObject({ id })
      await expect(db.Row.create({ group, id: 'other', ...present })).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
    }
    report(options, await migration, verified.items['Row'])
  },
  timeout,
)

test('two workers share the parts, slow down when they are throttled, and count what would be done', async () => {
  const { client } = await begin(sharded(4))
  const [old, after] = [oldFormOf(sharded(16, 4)), sharded(16, 4)]
  const { items: rows, written: planned } = await migrateTables(old, after, client, { isDry: true })
  expect(planned).toBeGreaterThan(0)
  expect((await verifyMigration(old, after, client)).left['Row']).toBe(planned)
  const workers = await Promise.all(
    ['a', 'b'].map((worker) => migrateTables(old, after, throttled(client, 9), { worker, segments: 3 })),
  )
  expect(workers.map(({ elsewhere }) => elsewhere).reduce((a, b) => a + b)).toBeGreaterThan(0)
  expect(Math.max(...workers.map(({ throttles }) => throttles))).toBeGreaterThan(0)
  const verified = await verifyMigration(old, after, client)
  expect(verified).toMatchObject({ items: { Row: rows }, left: {}, faultCount: 0 })
  // Progress is not left behind.
  expect((await client.scan({ TableName: 'rows', Select: 'COUNT' })).Count).toBe(rows)
})

function report({ reference }: OrdealOptions, { deaths: died }: { readonly deaths: number }, count = 0): void {
  if (isLong)
    console.log(`${count} items, ${reference.writes} writes, ${reference.answers} answers judged, ${died} deaths`)
}
