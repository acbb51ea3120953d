import type { _Record } from '@aws-sdk/client-dynamodb-streams'
import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rounds } from '../support/rounds.ts'
import { persist } from './persist.ts'
import { ServerProcess } from './server-process.ts'
import { listShards, StreamConsumer, type StreamClients } from './stream-consumer.ts'
import { clientsOf, createTables, until } from './stream-tables.ts'

const wantedChanges = Number(process.env['HASHRANGE_STREAM_CHANGES'] ?? rounds(4_800, 12_000))
const writers = 6
const itemsPerBatch = 20
const itemsPerWriter = 5 * itemsPerBatch
const batchesPerWriter = Math.ceil(wantedChanges / writers / itemsPerBatch)
const totalChanges = writers * batchesPerWriter * itemsPerBatch

const stopping = { aborted: false }
let postgres: PostgresServer
let flags: readonly string[]
let servers: ServerProcess[]

beforeAll(async () => {
  postgres = await startPostgres()
  flags = ['--no-workbench', '--shared', '--store', await postgres.newDatabase()]
  servers = await Promise.all([1, 2, 3].map(() => ServerProcess.start(flags)))
}, 60_000)

afterAll(async () => {
  stopping.aborted = true
  await Promise.all(servers.map((server) => server.kill()))
  await postgres.remove()
})

test(
  'a stream that is written through three servers and read through three shows each change once, each item’s in order, while they are restarted in turn',
  { timeout: 120_000 + wantedChanges * 2 },
  async () => {
    const clients = servers.map(({ endpoint }) => clientsOf(endpoint))
    const [first] = clients
    if (first === undefined) throw new Error('there are three servers')
    const streamArn = await createTables(first)
    const seen = new SeenChanges()
    const reading = clients.map((client, index) =>
      new StreamConsumer(client, {
        name: `consumer ${index}`,
        streamArn,
        leaseTable: 'leases',
        deliver: (records) => seen.take(records),
      }).run(stopping),
    )
    const progress = { written: 0 }
    const writing = Array.from({ length: writers }, (_, writer) => write(clients, writer, progress))
    const failed = Promise.race([Promise.all(reading), Promise.all(writing)])

    for (const [index, server] of servers.entries()) {
      const share = (totalChanges * (index + 1)) / (servers.length + 1)
      await Promise.race([failed, until(() => progress.written > share)])
      expect(await server.stop()).toBe(0)
      servers[index] = await ServerProcess.start([...flags, '--port', new URL(server.endpoint).port])
    }
    await changeTable(first)

    await Promise.all(writing)
    await Promise.race([Promise.all(reading), until(() => seen.count >= totalChanges)])
    // Time for what should not come.
    await new Promise((resolve) => setTimeout(resolve, 500))
    stopping.aborted = true
    await Promise.all(reading)

    expect(seen.count).toBe(totalChanges)
    // Consumers recognise by it what they have had before.
    expect(seen.eventIds.size).toBe(totalChanges)
    expect((await listShards(first.streams, streamArn)).length).toBeGreaterThanOrEqual(4)
    for (const { database, streams } of clients) {
      database.destroy()
      streams.destroy()
    }
  },
)

/** Each item's versions must come as 1, 2, 3, …: one that is missing, doubled or out of order is noticed at once. */
class SeenChanges {
  readonly #versions = new Map<string, number>()
  readonly eventIds = new Set<string>()
  count = 0

  take(records: readonly _Record[]): void {
    for (const { eventID, dynamodb } of records) {
      this.eventIds.add(eventID ?? '')
      const name = dynamodb?.Keys?.['pk']?.S ?? ''
      const version = Number(dynamodb?.NewImage?.['version']?.N)
      const expected = (this.#versions.get(name) ?? 0) + 1
      if (version !== expected) throw new Error(`${name}: version ${version} came where ${expected} was due`)
      this.#versions.set(name, version)
      this.count++
    }
  }
}

/** Each batch through another server: an item's versions come from all of them. A batch that was interrupted is sent again. */
async function write(
  clients: readonly StreamClients[],
  writer: number,
  progress: { written: number },
): Promise<void> {
  for (let batch = 0; batch < batchesPerWriter; batch++) {
    const version = 1 + Math.floor((batch * itemsPerBatch) / itemsPerWriter)
    const from = (batch * itemsPerBatch) % itemsPerWriter
    const requests = Array.from({ length: itemsPerBatch }, (_, index) => ({
      PutRequest: {
        Item: { pk: { S: `writer ${writer}, item ${from + index}` }, version: { N: String(version) } },
      },
    }))
    let turn = writer + batch
    const answer = await persist(() => {
      const client = clients[turn++ % clients.length]
      if (client === undefined) throw new Error('there are clients')
      return client.database.batchWriteItem({ RequestItems: { changes: requests } })
    })
    expect(answer.UnprocessedItems ?? {}).toEqual({})
    progress.written += itemsPerBatch
  }
}

/** The log gets another reader: a change of the table that all servers must follow in the middle of their writes. */
async function changeTable({ database }: StreamClients): Promise<void> {
  await persist(() =>
    database.updateContinuousBackups({
      TableName: 'changes',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  )
}
