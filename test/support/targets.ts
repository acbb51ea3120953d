import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, describe } from 'vitest'

/** A running database as a client sees it. */
export interface Target {
  /** A client of the AWS SDK that reaches the database; a DynamoDBClient with a method for each operation. */
  readonly client: () => DynamoDB
}

/** Runs the same suite against a database of its own behind a real socket, and against one embedded in the process. */
export function describeOnTargets(name: string, suite: (target: Target) => void): void {
  describe(`${name}, over HTTP`, () => suite(overHttp()))
  describe(`${name}, embedded`, () => suite(embedded()))
}

/** A served database for clients that are programs of their own. */
export function servedDatabase(): { readonly endpoint: () => string } {
  let database: Database | undefined
  let endpoint = ''
  beforeAll(async () => {
    database = await open()
    endpoint = (await database.listen(0)).endpoint
  })
  afterAll(() => database?.close())
  return { endpoint: () => endpoint }
}

function overHttp(): Target {
  const { endpoint } = servedDatabase()
  const clients: DynamoDB[] = []
  afterAll(() => clients.forEach((client) => client.destroy()))
  return {
    client: () => {
      const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }
      const client = new DynamoDB({ endpoint: endpoint(), region: 'us-east-1', credentials })
      clients.push(client)
      return client
    },
  }
}

function embedded(): Target {
  let database: Database | undefined
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database?.close())
  return {
    client: () => {
      if (database === undefined)
        throw new Error('The database opens before the first test; ask for its client then.')
      return database.client
    },
  }
}
