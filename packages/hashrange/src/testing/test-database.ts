import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { AnyModel, Client } from '@hashrange/model'
import { connect } from '@hashrange/model'
import { modelSamples, putRequests, setUpRequests } from '@hashrange/model/export'
import { consoleLogger, sharedAccountId } from '@hashrange/server'
import { engineCapacityOptions, type CapacityOptions } from '../capacity-options.ts'
import { Database } from '../database.ts'
import { openEngine } from '../open-engine.ts'
import { assertNoConflicts } from './assert-no-conflicts.ts'
import { TestClock } from './test-clock.ts'

export interface TestDatabaseOptions<Db = unknown> extends CapacityOptions {
  /** A number fills the tables with sample data, the same for the same number. A function puts in what the test needs. */
  readonly seed?: number | ((db: Db) => unknown)
  /** Files that declare further tables: a template of CloudFormation or SAM, serverless.yml, the folder of `cdk synth`, a plan of Terraform. */
  readonly apply?: string | readonly string[]
  /** What time it is when the test begins. It stands still until the test moves it. */
  readonly clock?: Date | string | number
}

/** A database that is one test's own. */
export interface TestDatabase {
  /** The embedded database: `execute`, `listen`, `clientConfig`. */
  readonly database: Database
  /** A client of the AWS SDK for it. */
  readonly client: DynamoDB
  readonly clock: TestClock
  /** Moves the clock, and removes the items whose time to live is over by then. */
  readonly advance: (milliseconds: number) => Promise<void>
  /** Fails if a write to a global table was lost to a write in another region. Sends everything first. */
  readonly assertNoConflicts: () => Promise<void>
  /** A database that begins with everything that this one has now, and is apart from it: one for each test, from one that was
   *  seeded once. It takes a few milliseconds, however much there is. It has the same clock. */
  readonly branch: () => Promise<TestDatabase>
  /** Remembers everything as it is now, for `reset`. */
  readonly save: () => Promise<void>
  /** Sets everything back to what it was at the last `save`. */
  readonly reset: () => Promise<void>
  readonly close: () => Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface ModelTestDatabase<M extends AnyModel> extends TestDatabase {
  /** The model, connected: a function for each pattern, a client for each entity. */
  readonly db: Client<M>
  readonly branch: () => Promise<ModelTestDatabase<M>>
}

/** Opens a database in memory, with the tables of a model.
 *
 *      const { db, advance, close } = await testDatabase(shop)
 *      await db.Customer.create({ … })
 *      await advance(60_000)
 *      await close()
 *
 *  Identifiers and dates that the model makes come from the test's clock and a fixed seed, so that a test sees the same ones each time. */
export function testDatabase<M extends AnyModel>(
  model: M,
  options?: TestDatabaseOptions<Client<M>>,
): Promise<ModelTestDatabase<M>>
export function testDatabase(model?: undefined, options?: TestDatabaseOptions<DynamoDB>): Promise<TestDatabase>
export async function testDatabase(
  model?: AnyModel,
  options: TestDatabaseOptions<never> = {},
): Promise<TestDatabase | ModelTestDatabase<AnyModel>> {
  const clock = new TestClock(options.clock ?? Date.UTC(2026, 0, 15, 9, 30))
  const opened = await openEngine(
    { kind: 'memory' },
    {
      clock,
      ...engineCapacityOptions(options),
      // The test decides when time has passed; nothing expires behind its back.
      expirySweepMs: 2 ** 31 - 1,
      onBackgroundError: (error) => consoleLogger.error('hashrange: a background task failed:', error),
    },
  )
  const database = new Database(opened, { accountId: sharedAccountId, region: 'us-east-1' }, consoleLogger)
  try {
    if (options.apply !== undefined) await database.apply(options.apply)
    if (model === undefined) {
      await seedWith(options.seed, database.client)
      return testOf(database, clock)
    }
    for (const { operation, input } of setUpRequests(model.description)) await database.execute(operation, input)
    const test = modelTestOf(database, clock, model)
    if (typeof options.seed === 'number') await putSamples(database, model, options.seed, clock)
    else await seedWith(options.seed, test.db)
    return test
  } catch (error) {
    await database.close()
    throw error
  }
}

function testOf(database: Database, clock: TestClock): TestDatabase {
  const close = (): Promise<void> => database.close()
  return {
    database,
    get client() {
      return database.client
    },
    clock,
    advance: async (milliseconds) => {
      clock.advance(milliseconds)
      await database.expireItems()
    },
    assertNoConflicts: () => assertNoConflicts(database),
    branch: async () => testOf(await database.branch(), clock),
    save: () => database.save(),
    reset: () => database.reset(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function modelTestOf(database: Database, clock: TestClock, model: AnyModel): ModelTestDatabase<AnyModel> {
  const db = connect(model, database.client, { now: () => clock.date, random: sequence() })
  // The clients are made when first asked for, so they are not copied.
  return Object.assign(testOf(database, clock), {
    db,
    branch: async () => modelTestOf(await database.branch(), clock, model),
  })
}

async function seedWith(seed: TestDatabaseOptions<never>['seed'], db: unknown): Promise<void> {
  if (typeof seed === 'number')
    throw new Error('Sample data needs a model. Give testDatabase a model, or seed it with a function.')
  await seed?.(db as never)
}

async function putSamples(database: Database, model: AnyModel, seed: number, clock: TestClock): Promise<void> {
  const samples = modelSamples(model, { seed, now: clock.date })
  for (const [table, requests] of Object.entries(putRequests(samples))) {
    for (let i = 0; i < requests.length; i += 25) {
      await database.execute('BatchWriteItem', { RequestItems: { [table]: requests.slice(i, i + 25) } })
    }
  }
}

/** The generator mulberry32 with a fixed seed. Its numbers look independent, however many of them go into each item. */
function sequence(): () => number {
  let state = 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
