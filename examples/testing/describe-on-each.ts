import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { connect, type AnyModel, type Client } from '@hashrange/model'
import { setUpRequests } from '@hashrange/model/export'
import { open } from 'hashrange'
import { describe, expect, onTestFinished, test } from 'vitest'

export interface OpenedModel<M extends AnyModel> {
  readonly db: Client<M>
  /** The client beneath, for a look at what is really stored. */
  readonly client: DynamoDB
  /** Moves the time of the database, and of the defaults that ask for it. */
  readonly passTime: (milliseconds: number) => void
}

export type OpenModel<M extends AnyModel> = () => Promise<OpenedModel<M>>

/** What the clock of every test shows at its beginning. */
export const startOfTest = '2026-06-15T12:00:00.000Z'

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
  let nowMs = Date.parse(startOfTest)
  const database = await open({ clock: { now: () => nowMs }, ttlSweepMs: 10 })
  onTestFinished(() => database.close())
  for (const { operation, input } of setUpRequests(model.description)) await database.execute(operation, input)
  const client = way === 'embedded' ? database.client : clientOver((await database.listen()).endpoint)
  const db = connect(model, client, { now: () => new Date(nowMs) })
  return {
    db: noting(db, used),
    client: database.client,
    passTime: (milliseconds) => {
      nowMs += milliseconds
    },
  }
}

function clientOver(endpoint: string): DynamoDBClient {
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
