import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { _Record } from '@aws-sdk/client-dynamodb-streams'
import { afterAll, expect, test } from 'vitest'
import { rounds } from '../support/rounds.ts'
import { persist } from './persist.ts'
import { ServerProcess } from './server-process.ts'
import { listShards, StreamConsumer, type StreamClients } from './stream-consumer.ts'
import { clientsOf, createTables, until } from './stream-tables.ts'

/** A million takes minutes: `HASHRANGE_STREAM_CHANGES=1000000 npx vitest run test/system/streams-million.test.ts` */
const wantedChanges = Number(process.env['HASHRANGE_STREAM_CHANGES'] ?? rounds(6_000, 20_000))
const writers = 8
const consumers = 4
const batchItems = 25
const itemsPerWriter = 10 * batchItems
const batchesPerWriter = Math.ceil(wantedChanges / writers / batchItems)
const totalChanges = writers * batchItems * batchesPerWriter

const folder = mkdtempSync(join(tmpdir(), 'hashrange-streams-'))
const stopping = { aborted: false }
let server: ServerProcess | undefined

afterAll(async () => {
  stopping.aborted = true
  await server?.kill()
  rmSync(folder, { recursive: true, force: true })
})

test(
  'consumers that share a stream see each change once and each item’s in order, though the server is killed and restarted',
  { timeout: 180_000 + totalChanges },
  async () => {
    server = await ServerProcess.start(['--path', folder])
    const flags = ['--path', folder, '--port', new URL(server.endpoint).port]
    const clients = clientsOf(server.endpoint)
    const streamArn = await createTables(clients)
    const sink = new Sink()
    const startedAtMs = Date.now()

    const reading = Array.from({ length: consumers }, (_, index) =>
      new StreamConsumer(clients, {
        name: `consumer ${index}`,
        streamArn,
        leaseTable: 'leases',
        deliver: (records) => sink.take(records),
      }).run(stopping),
    )
    const progress = { written: 0 }
    const writing = Array.from({ length: writers }, (_, writer) => write(clients, writer, progress))
    // A failure in the background must not wait for the end.
    const failed = Promise.race([Promise.all(reading), Promise.all(writing)])

    await Promise.race([failed, until(() => progress.written > totalChanges / 3)])
    await server.kill()
    server = await ServerProcess.start(flags)
    await Promise.race([failed, until(() => progress.written > (totalChanges * 2) / 3)])
    expect(await server.stop()).toBe(0)
    server = await ServerProcess.start(flags)

    await Promise.all(writing)
    const writtenAtMs = Date.now()
    await Promise.race([Promise.all(reading), until(() => sink.count >= totalChanges)])
    const readAtMs = Date.now()
    // Time for what should not come.
    await new Promise((resolve) => setTimeout(resolve, 500))
    stopping.aborted = true
    await Promise.all(reading)

    expect(sink.count).toBe(totalChanges)
    expect(sink.items).toBe(writers * Math.min(itemsPerWriter, batchesPerWriter * batchItems))
    const shards = await listShards(clients.streams, streamArn)
    if (process.env['HASHRANGE_STREAM_CHANGES'] !== undefined) {
      const perSecond = (milliseconds: number): number => Math.round((totalChanges / milliseconds) * 1000)
      console.log(
        `${totalChanges} changes of ${sink.items} items over ${shards.length} shards: written at ` +
          `${perSecond(writtenAtMs - startedAtMs)}/s, all read ${readAtMs - writtenAtMs} ms after the last write ` +
          `(${perSecond(readAtMs - startedAtMs)}/s in all)`,
      )
    }
    clients.database.destroy()
    clients.streams.destroy()
    expect(await server.stop()).toBe(0)
    server = undefined
  },
)

/** Each item's versions must come as 1, 2, 3, …: one that is missing, doubled or out of order is noticed at once. */
class Sink {
  readonly #versions = new Map<string, number>()
  count = 0

  get items(): number {
    return this.#versions.size
  }

  take(records: readonly _Record[]): void {
    for (const { dynamodb } of records) {
      const name = dynamodb?.Keys?.['pk']?.S ?? ''
      const version = Number(dynamodb?.NewImage?.['version']?.N)
      const expected = (this.#versions.get(name) ?? 0) + 1
      if (version !== expected) throw new Error(`${name}: version ${version} came where ${expected} was due`)
      this.#versions.set(name, version)
      this.count++
    }
  }
}

/** A batch that a crash interrupted is sent again as it was: puts that were made already then change nothing. */
async function write({ database }: StreamClients, writer: number, progress: { written: number }): Promise<void> {
  const padding = 'x'.repeat(100)
  for (let batch = 0; batch < batchesPerWriter; batch++) {
    const version = 1 + Math.floor((batch * batchItems) / itemsPerWriter)
    const first = (batch * batchItems) % itemsPerWriter
    const requests = Array.from({ length: batchItems }, (_, index) => ({
      PutRequest: {
        Item: {
          pk: { S: `writer ${writer}, item ${first + index}` },
          version: { N: String(version) },
          padding: { S: padding },
        },
      },
    }))
    const answer = await persist(() => database.batchWriteItem({ RequestItems: { changes: requests } }))
    expect(answer.UnprocessedItems ?? {}).toEqual({})
    progress.written += batchItems
  }
}
