import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashrangeMain } from '../support/hashrange-main.ts'
import { ServerProcess } from './server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-copy-'))
let postgres: PostgresServer
let url: string

beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.newDatabase()
}, 60_000)

afterAll(async () => {
  await postgres.remove()
  rmSync(folder, { recursive: true, force: true })
})

function hashrange(...words: readonly string[]): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [hashrangeMain, ...words], { encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

interface Scanned {
  readonly Count: number
  readonly Items: readonly Readonly<Record<string, unknown>>[]
}

test('a folder’s data goes to PostgreSQL and back, by the command', { timeout: 120_000 }, async () => {
  const one = join(folder, 'one')
  const server = await ServerProcess.start(['--no-workbench', '--path', one])
  await server.call('CreateTable', {
    TableName: 'music',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  })
  await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      server.call('PutItem', { TableName: 'music', Item: { pk: { S: `song ${n}` }, n: { N: String(n) } } }),
    ),
  )
  const before = await server.call<Scanned>('Scan', { TableName: 'music' })
  await server.stop()

  expect(hashrange('copy', '--from', `lmdb:${one}`, '--to', url)).toMatchObject({
    status: 0,
    text: expect.stringMatching(/Copied and compared \d+ entries/) as string,
  })
  const onPostgres = await ServerProcess.start(['--no-workbench', '--store', url])
  expect(await onPostgres.call<Scanned>('Scan', { TableName: 'music' })).toEqual(before)
  await onPostgres.call('DeleteItem', { TableName: 'music', Key: { pk: { S: 'song 1' } } })
  await onPostgres.stop()

  // Nothing is ever copied over something.
  expect(hashrange('copy', '--from', `lmdb:${one}`, '--to', url)).toMatchObject({
    status: 1,
    text: expect.stringContaining('already holds data') as string,
  })
  const two = join(folder, 'two')
  expect(hashrange('copy', '--from', url, '--to', `lmdb:${two}`).status).toBe(0)
  const back = await ServerProcess.start(['--no-workbench', '--path', two])
  expect((await back.call<Scanned>('Scan', { TableName: 'music' })).Count).toBe(499)
  await back.stop()
})

test(
  'the schema can be printed, and its role needs no more than to read and write',
  { timeout: 60_000 },
  async () => {
    const database = await postgres.newDatabase()
    await postgres.query(`CREATE ROLE "only these" LOGIN PASSWORD 'password'`)
    const { status, text } = hashrange('schema', '--print', '--role', 'only these', '--shards', '16')
    expect(status).toBe(0)
    await postgres.query(text, database)
    const server = await ServerProcess.start([
      '--no-workbench',
      '--store',
      database.replace('postgres:password', 'only%20these:password'),
    ])
    expect(await server.call('ListTables', {})).toEqual({ TableNames: [] })
    await server.stop()
  },
)
