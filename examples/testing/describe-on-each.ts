import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { connect, type AnyModel, type Client } from '@hashrange/model'
import { testDatabase } from 'hashrange/testing'
import { describe, expect, onTestFinished, test } from 'vitest'

export interface OpenedModel<M extends AnyModel> {
  readonly db: Client<M>
  /** The client beneath, for a look at what is really stored. */
  readonly client: DynamoDB
  /** Moves the clock of the database and of the model's defaults. */
  readonly advance: (milliseconds: number) => Promise<void>
}

export type OpenModel<M extends AnyModel> = () => Promise<OpenedModel<M>>

/** What the clock of every test shows at its beginning. */
const startOfTest = '2026-06-15T12:00:00.000Z'

/** Runs the same tests twice: within the process, and over HTTP as an application would. Each test opens a database of its
 *  own. In the end every pattern must have been run. */
export function describeOnEach<M extends AnyModel>(model: M, tests: (openModel: OpenModel<M>) => void): void {
  for (const way of ['embedded', 'over HTTP'] as const) {
    describe(`${model.name}, ${way}`, () => {
      const used = new Set<string>()
      tests(() => openModel(model, way, used))

      test('every pattern was run', () => {
        const patterns = model.description.patterns.map(({ name }) => name)
        expect(patterns.filter((name) => !used.has(name))).toEqual([])
      })
    })
  }
}

async function openModel<M extends AnyModel>(
  model: M,
  way: 'embedded' | 'over HTTP',
  used: Set<string>,
): Promise<OpenedModel<M>> {
  const { db, database, client, clock, advance, close } = await testDatabase(model, { clock: startOfTest })
  onTestFinished(close)
  if (way === 'embedded') return { db: noting(db, used), client, advance }
  const { endpoint } = await database.listen()
  const overHttp = connect(model, clientOf(endpoint), { now: () => clock.date })
  return { db: noting(overHttp, used), client, advance }
}

function clientOf(endpoint: string): DynamoDBClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials })
  onTestFinished(() => client.destroy())
  return client
}

/** The same client, which notes what is asked of it. */
function noting<T extends object>(db: T, used: Set<string>): T {
  return new Proxy(db, {
    get: (target, name, receiver): unknown => {
      if (typeof name === 'string') used.add(name)
      return Reflect.get(target, name, receiver)
    },
  })
}
