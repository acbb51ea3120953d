import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { assertFolderSound } from '../support/assert-folder-sound.ts'
import { hashrangeMain } from '../support/hashrange-main.ts'
import { ServerProcess } from './server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-compact-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const TableName = 'orders'
const run = promisify(execFile)
const hashrange = (...words: string[]): Promise<{ readonly stdout: string }> =>
  run(process.execPath, [hashrangeMain, ...words])

test('a server that is written to gives space back, and loses nothing', async () => {
  const path = join(folder, 'busy')
  const server = await ServerProcess.start(['--path', path])
  const orders = new Orders(server)
  await orders.createTable()
  await orders.putAll(0, 1_000)
  await orders.deleteAll(100, 1_000)
  const before = sizeOf(path)
  const work = { isDone: false }
  const writing = Promise.all([0, 1, 2].map((client) => orders.write(client, () => work.isDone)))
  const { stdout } = await hashrange('compact', '--endpoint', server.endpoint)
  const { stdout: again } = await hashrange('compact', '--endpoint', server.endpoint)
  work.isDone = true
  await writing
  expect(stdout).toMatch(/^The data file of http:\S+ was \d.* and is now \d.*\.$/m)
  expect(again).toContain('is now')
  expect(sizeOf(path)).toBeLessThan(before / 2)
  expect(await orders.stored()).toEqual(orders.expected)
  expect((await hashrange('verify', '--endpoint', server.endpoint)).stdout).toContain('Nothing is wrong')
  await server.kill()
  await assertFolderSound(path)

  const next = await ServerProcess.start(['--path', path])
  expect(await new Orders(next).stored()).toEqual(orders.expected)
  expect(await next.stop()).toBe(0)
  expect(readdirSync(path).filter((name) => /copy|new/.test(name))).toEqual([])
  await assertFolderSound(path)
}, 180_000)

test('a folder that a server uses is told how to be compacted', async () => {
  const path = join(folder, 'used')
  const server = await ServerProcess.start(['--path', path])
  await expect(hashrange('compact', '--path', path)).rejects.toMatchObject({
    stderr: expect.stringContaining('hashrange compact --endpoint http://127.0.0.1:8000') as string,
  })
  expect((await fetch(`${server.endpoint}/_hashrange/compactions`, { method: 'POST', headers: page })).status).toBe(
    403,
  )
  expect((await fetch(`${server.endpoint}/_hashrange/compactions`)).status).toBe(405)
  expect((await fetch(`${server.endpoint}/_hashrange/compactions/%41`)).status).toBe(404)
  expect(await server.stop()).toBe(0)
  expect((await hashrange('compact', '--path', path)).stdout).toContain('is now')
}, 60_000)

const page = { Origin: 'http://localhost:3000' }

/** A table, and what it must hold. */
class Orders {
  readonly expected = new Map<string, string>()
  readonly #server: ServerProcess

  constructor(server: ServerProcess) {
    this.#server = server
  }

  async createTable(): Promise<void> {
    await this.#server.call('CreateTable', {
      TableName,
      AttributeDefinitions: ['pk', 'state'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byState',
          KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    })
  }

  async putAll(from: number, to: number): Promise<void> {
    await inTurns(from, to, (number) => this.#put(`order ${number}`, 'x'.repeat(1_500)))
  }

  async deleteAll(from: number, to: number): Promise<void> {
    await inTurns(from, to, (number) => this.#delete(`order ${number}`))
  }

  /** Puts and deletes orders of its own until it is done. */
  async write(client: number, isDone: () => boolean): Promise<void> {
    for (let count = 0; !isDone(); count++) {
      const pk = `order ${client + 3 * ((count * 7) % 300)}`
      await (count % 4 === 3 ? this.#delete(pk) : this.#put(pk, `version ${count} ${'y'.repeat(count % 900)}`))
      await pause(5)
    }
  }

  /** By the index, which must be the same. */
  async stored(): Promise<ReadonlyMap<string, string>> {
    const stored = new Map<string, string>()
    let start: object | undefined
    do {
      const answer: { Items: Order[]; LastEvaluatedKey?: object } = await this.#server.call('Query', {
        TableName,
        IndexName: 'byState',
        KeyConditionExpression: '#state = :open',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':open': { S: 'open' } },
        ...(start !== undefined && { ExclusiveStartKey: start }),
      })
      for (const { pk, note } of answer.Items) stored.set(pk.S, note.S)
      start = answer.LastEvaluatedKey
    } while (start !== undefined)
    return stored
  }

  async #put(pk: string, note: string): Promise<void> {
    await this.#server.call('PutItem', {
      TableName,
      Item: { pk: { S: pk }, state: { S: 'open' }, note: { S: note } },
    })
    this.expected.set(pk, note)
  }

  async #delete(pk: string): Promise<void> {
    await this.#server.call('DeleteItem', { TableName, Key: { pk: { S: pk } } })
    this.expected.delete(pk)
  }
}

interface Order {
  readonly pk: { readonly S: string }
  readonly note: { readonly S: string }
}

async function inTurns(from: number, to: number, work: (number: number) => Promise<void>): Promise<void> {
  for (let start = from; start < to; start += 100) {
    await Promise.all(Array.from({ length: Math.min(100, to - start) }, (_, index) => work(start + index)))
  }
}

function sizeOf(path: string): number {
  return statSync(join(path, 'data.mdb')).size
}
