import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rounds } from '../support/rounds.ts'
import { daxClient, type DaxClient } from './dax-client.ts'

const TableName = 'Visits'
const clientCount = rounds(5, 1000)
const visitsEach = 4
/** Each client asks for the servers and for their health all the time, and gives up soon: too much for so many in one process. */
const patient = {
  clusterUpdateInterval: 600_000,
  healthCheckInterval: 600_000,
  healthCheckTimeout: 60_000,
  connectTimeout: 60_000,
}
const connectedAtOnce = 20

let db: Database
let endpoint = ''
let clients: DaxClient[] = []

beforeAll(async () => {
  db = await open()
  await db.execute('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'Id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'Id', AttributeType: 'N' }],
  })
  const server = await db.listen({ daxPort: 0 })
  endpoint = server.endpoint
  clients = Array.from({ length: clientCount }, () => daxClient(server.daxEndpoint, undefined, patient))
})
afterAll(async () => {
  for (const client of clients) client.shutdown()
  await db.close()
})

test(
  `${clientCount} clients at once read what they wrote, and count together without losing a visit`,
  { timeout: 20_000 + clientCount * 300 },
  async () => {
    for (let first = 0; first < clientCount; first += connectedAtOnce) {
      const some = clients.slice(first, first + connectedAtOnce)
      await Promise.all(some.map((client) => client.getItem({ TableName, Key: { Id: { N: '0' } } })))
    }
    await Promise.all(clients.map((client, index) => visit(client, String(index + 1))))
    const { Item } = await db.execute('GetItem', { TableName, Key: { Id: { N: '0' } } })
    expect(Item).toMatchObject({ Visits: { N: String(clientCount * visitsEach) } })
    const page = await (await fetch(`${endpoint}/metrics`)).text()
    expect(Number(/^hashrange_dax_connections (\d+)$/m.exec(page)?.[1])).toBeGreaterThanOrEqual(clientCount)
  },
)

async function visit(client: DaxClient, id: string): Promise<void> {
  const Key = { Id: { N: id } }
  for (let round = 0; round < visitsEach; round++) {
    const Item = { ...Key, [`Round${round}`]: { S: id } }
    await client.putItem({ TableName, Item })
    expect((await client.getItem({ TableName, Key })).Item).toEqual(Item)
    await client.updateItem({
      TableName,
      Key: { Id: { N: '0' } },
      UpdateExpression: 'ADD Visits :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    })
  }
}
