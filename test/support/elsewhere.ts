import { DynamoDB, waitUntilTableExists, waitUntilTableNotExists } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { afterAll } from 'vitest'
import type { Target } from './targets.ts'

/** A database that others may use too. A table that a suite creates is waited for, and deleted after the suite; a table that is there
 *  already is not touched, and the suite that would create it fails. */
export function elsewhere(place: string): Target {
  const clients: { destroy(): void }[] = []
  const tables = new Set<string>()
  const config =
    place === 'aws'
      ? {}
      : { endpoint: place, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
  const newClient = (): DynamoDB => {
    const client = new DynamoDB(config)
    clients.push(client)
    return client
  }
  afterAll(async () => {
    const client = newClient()
    for (const TableName of tables) {
      await client.deleteTable({ TableName }).catch(() => undefined)
      await waitUntilTableNotExists({ client, ...waiting }, { TableName })
    }
    for (const one of clients) one.destroy()
  }, waiting.maxWaitTime * 1000)

  return {
    client: () => {
      const client = newClient()
      client.middlewareStack.add(
        (next, context) => async (args) => {
          const result = await next(args)
          if (context.commandName !== 'CreateTableCommand') return result
          const { TableName = '' } = args.input as { readonly TableName?: string }
          tables.add(TableName)
          // Another client: this one would wait for itself to have waited.
          await waitUntilTableExists({ client: newClient(), ...waiting }, { TableName })
          return result
        },
        { step: 'initialize', name: 'waitForNewTables' },
      )
      return client
    },
    streams: () => {
      const client = new DynamoDBStreams(config)
      clients.push(client)
      return client
    },
  }
}

const waiting = { minDelay: 1, maxDelay: 5, maxWaitTime: 120 }
