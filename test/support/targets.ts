import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { open, type Database, type OpenOptions } from 'hashrange'
import { afterAll, beforeAll, describe } from 'vitest'
import { elsewhere } from './elsewhere.ts'
import { testEndpoint } from './test-endpoint.ts'

/** A running database as a client sees it. */
export interface Target {
  /** A client of the AWS SDK that reaches the database; a DynamoDBClient with a method for each operation. */
  readonly client: () => DynamoDB
  /** Another for its streams. */
  readonly streams: () => DynamoDBStreams
}

/** Runs the same suite against a database of its own behind a real socket, and against one embedded in the process. With
 *  HASHRANGE_TEST_ENDPOINT it runs against that database instead, which may be AWS; a suite that needs options of ours does not. */
export function describeOnTargets(name: string, suite: (target: Target) => void, options: OpenOptions = {}): void {
  const place = testEndpoint()
  if (place !== undefined) {
    describe.skipIf(Object.keys(options).length > 0)(`${name}, at ${place}`, () => suite(elsewhere(place)))
    return
  }
  describe(`${name}, over HTTP`, () => suite(overHttp(options)))
  describe(`${name}, embedded`, () => suite(embedded(options)))
}

/** A served database for clients that are programs of their own. */
export function servedDatabase(options: OpenOptions = {}): { readonly endpoint: () => string } {
  let database: Database | undefined
  let endpoint = ''
  beforeAll(async () => {
    database = await open(options)
    endpoint = (await database.listen(0)).endpoint
  })
  afterAll(() => database?.close())
  return { endpoint: () => endpoint }
}

function overHttp(options: OpenOptions): Target {
  const { endpoint } = servedDatabase(options)
  const made: { destroy(): void }[] = []
  afterAll(() => made.forEach((client) => client.destroy()))
  const config = () => ({ endpoint: endpoint(), region: 'us-east-1', credentials })
  return {
    client: () => kept(new DynamoDB(config()), made),
    streams: () => kept(new DynamoDBStreams(config()), made),
  }
}

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }

function kept<Client extends { destroy(): void }>(client: Client, made: { destroy(): void }[]): Client {
  made.push(client)
  return client
}

function embedded(options: OpenOptions): Target {
  let opened: Database | undefined
  beforeAll(async () => {
    opened = await open(options)
  })
  afterAll(() => opened?.close())
  const database = (): Database => {
    if (opened === undefined) throw new Error('The database opens before the first test; ask for its client then.')
    return opened
  }
  return {
    client: () => database().client,
    streams: () => new DynamoDBStreams(database().clientConfig),
  }
}
