import { readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLmdbStore, type Store, type Write } from '@hashrange/engine'
import type { Finding, VerifyReport } from '@hashrange/engine/verify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../database.ts'
import { open } from '../open.ts'
import { runVerify } from './run-verify.ts'

let folder: string
let path: string
let told: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-verify-'))
  path = join(folder, 'data')
  told = ''
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => (told += String(text)) !== '')
})

afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

async function fill(db: Database): Promise<void> {
  await db.execute('CreateTable', {
    TableName: 'music',
    AttributeDefinitions: ['pk', 'genre'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'genres',
        KeySchema: [{ AttributeName: 'genre', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (let n = 0; n < 30; n++) {
    await db.execute('PutItem', { TableName: 'music', Item: { pk: { S: `song ${n}` }, genre: { S: 'jazz' } } })
  }
}

async function filled(): Promise<void> {
  const db = await open({ path })
  await fill(db)
  await db.close()
}

/** Removes an entry of the index. */
async function harm(store: Store): Promise<void> {
  const keys: Uint8Array[] = []
  await store.view((snapshot) =>
    snapshot.range({ from: Buffer.of(0x11), to: Buffer.of(0x12) }, (key) => keys.push(key) > 0),
  )
  const [key = Buffer.alloc(0)] = keys
  const writes: Write[] = [{ kind: 'delete', key }]
  await store.transact([], () => ({ writes, answer: undefined }))
}

async function harmFolder(): Promise<void> {
  const store = await openLmdbStore({ path })
  await harm(store)
  await store.close()
}

const verify = (...words: readonly string[]): Promise<number> => {
  told = ''
  return runVerify(words)
}

describe('a data folder', () => {
  test('that is as it should be', async () => {
    await filled()
    expect(await verify('--path', path)).toBe(0)
    expect(told).toMatch(/^Nothing is wrong in .*data: 1 table, 30 items, \d+ pages, \d+ entries in total/)
  })

  test('of which something is wrong, which is told and repaired', async () => {
    await filled()
    await harmFolder()
    expect(await verify('--path', path)).toBe(1)
    expect(told).toMatch(
      /^index-entry: table music \(\d+, us-east-1\), index genres, key \{"pk":\{"S":"song \d+"\}\}$/m,
    )
    expect(told).toContain('The index has no entry for the item.')
    expect(told).toContain(`can be rebuilt from the items: hashrange verify --path ${path} --repair`)

    expect(await verify('--path', path, '--repair')).toBe(0)
    expect(told).toContain('The index has no entry for the item. Repaired.')
    expect(told).toMatch(/Repaired \d+ findings?\. Verifying again\.\nNothing is wrong/)
    expect(await verify('--path', path)).toBe(0)
  })

  test('for programs', async () => {
    await filled()
    await harmFolder()
    expect(await verify('--path', path, '--json')).toBe(1)
    const lines = told
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { finding?: Finding; report?: VerifyReport })
    expect(lines[0]?.finding).toMatchObject({ kind: 'index-entry', isDerived: true, isRepaired: false })
    expect(lines.at(-1)?.report).toMatchObject({ isComplete: true, tables: 1, items: 30 })
    expect(lines.at(-1)?.report?.findings).toBe(lines.length - 1)
  })

  test('whose file is damaged is told of, and not opened to be repaired', async () => {
    await filled()
    const file = join(path, 'data.mdb')
    const bytes = readFileSync(file)
    // Wherever it lies: some of the pages that have it may be free.
    for (let at = bytes.indexOf('song 7'); at !== -1; at = bytes.indexOf('song 7')) bytes.write('song X', at)
    writeFileSync(file, bytes)
    expect(await verify('--path', path)).toBe(1)
    expect(told).toContain('A value does not match its checksum.')
    expect(told).toContain('Restore them from a backup')
    expect(await verify('--path', path, '--repair')).toBe(2)
    expect(told).toContain(
      'The files themselves are damaged and cannot be repaired (data.mdb: A value does not match its checksum.)',
    )
  })

  test('that a crash has left is verified as it will be recovered', async () => {
    const db = await open({ path })
    await fill(db)
    const crashed = join(folder, 'crashed')
    await cp(path, crashed, { recursive: true, filter: (source) => !source.endsWith('lock') })
    await db.close()
    expect(await verify('--path', crashed)).toBe(0)
    expect(told).toContain('was not closed cleanly. Verifying what the next start will recover')
    expect(told).toContain('1 table, 30 items')
  })

  test('that a server is using, is missing, or is none', async () => {
    const db = await open({ path })
    expect(await verify('--path', path)).toBe(2)
    expect(told).toContain(
      'If a server is using it, let the server verify its own data: hashrange verify --endpoint',
    )
    await db.close()
    expect(await verify('--path', join(folder, 'nowhere'))).toBe(2)
    expect(told).toContain('There is no folder')
    expect(await verify('--path', folder)).toBe(2)
    expect(told).toContain('is not a hashrange data folder')
  })

  test('one table of it', async () => {
    await filled()
    await harmFolder()
    expect(await verify('--path', path, '--table', 'music')).toBe(1)
    expect(await verify('--path', path, '--table', 'nothing')).toBe(2)
    expect(told).toContain('There is no table nothing')
  })
})

describe('a running server', () => {
  test('verifies and repairs its own data, and goes on serving', async () => {
    const db = await open({ path })
    await fill(db)
    const { endpoint } = await db.listen()
    let isOver = false
    const isWriting = (): boolean => !isOver
    const writing = (async () => {
      for (let n = 0; isWriting(); n++) {
        await db.execute('PutItem', {
          TableName: 'music',
          Item: { pk: { S: `new ${n % 50}` }, genre: { S: `g${n}` } },
        })
      }
    })()
    expect(await verify('--endpoint', endpoint)).toBe(0)
    expect(told).toMatch(/^Nothing is wrong in http:.*: 1 table, \d+ items, \d+ pages/)
    expect(await verify('--endpoint', endpoint, '--repair')).toBe(0)
    isOver = true
    await writing
    await db.close()
  })

  test('verifies one thing at a time, and nothing for pages', async () => {
    const db = await open()
    const { endpoint } = await db.listen()
    const url = `${endpoint}/_hashrange/verifications`
    const page = await fetch(url, { method: 'POST', headers: { Origin: 'http://localhost:3000' } })
    expect(page.status).toBe(403)
    expect((await fetch(url)).status).toBe(405)
    expect((await fetch(`${url}/x/0`)).status).toBe(404)
    const begun = (await (await fetch(url, { method: 'POST' })).json()) as { id: string }
    const first = await (await fetch(`${url}/${begun.id}/0`)).json()
    expect(await (await fetch(`${url}/${begun.id}/0`)).json()).toEqual(first)
    expect((await fetch(`${url}/${begun.id}/7`)).status).toBe(409)
    expect((await fetch(`${url}/${begun.id}/x`)).status).toBe(409)
    expect((await fetch(`${url}/${begun.id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await fetch(`${url}/${begun.id}/1`)).status).toBe(404)
    await db.close()
  })

  test('that is none', async () => {
    expect(await verify('--endpoint', 'http://127.0.0.1:9')).toBe(2)
    expect(told).toContain('Nothing answers at http://127.0.0.1:9')
    expect(await verify('--endpoint', 'here')).toBe(2)
    expect(told).toContain('--endpoint must be an address')
  })
})

test('places are named once, and rightly', async () => {
  expect(await verify('--path', 'a', '--endpoint', 'http://b')).toBe(2)
  expect(told).toContain('Use only one of them')
  expect(await verify('--store', 'mysql://user:secret@host/db')).toBe(2)
  expect(told).toContain('--store must be the URL of a PostgreSQL database')
  expect(told).not.toContain('secret')
  expect(await verify('--help')).toBe(0)
  expect(told).toContain('The exit code is 0 if nothing is wrong')
})
