import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDatabase } from './open-database.ts'
import { runTransfer } from './run-transfer.ts'
import type { TransferCommand } from '../transfer-command.ts'

let folder: string
let told: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-commands-'))
  told = ''
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})

afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

const run = (command: TransferCommand, ...words: string[]): Promise<number> =>
  runTransfer(command, [...words, '--state', join(folder, 'state.json')])

async function fill(path: string): Promise<void> {
  const db = await openDatabase(`lmdb:${path}`, { mayBeNew: true })
  await db.request('CreateTable', {
    TableName: 'music',
    AttributeDefinitions: ['pk', 'year'].map((AttributeName) => ({
      AttributeName,
      AttributeType: AttributeName === 'pk' ? 'S' : 'N',
    })),
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'years',
        KeySchema: [{ AttributeName: 'year', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (let n = 0; n < 70; n++) {
    const Item = { pk: { S: `${n}` }, year: { N: `${n}` }, bytes: { B: 'AQI=' } }
    await db.request('PutItem', { TableName: 'music', Item })
  }
  await db.close()
}

async function itemsOf(path: string, TableName: string): Promise<unknown> {
  const db = await openDatabase(`lmdb:${path}`, {})
  const { Items } = await db.request('Scan', { TableName })
  await db.close()
  return Items
}

describe('hashrange export and import', () => {
  test.each(['json', 'ion'])('move a table from one folder of data to another, as %s', async (format) => {
    const [from, to, files] = [join(folder, 'from'), join(folder, 'to'), join(folder, 'my files')]
    await fill(from)
    expect(await run('export', '--table', 'music', '--to', files, '--path', from, '--format', format)).toBe(0)
    expect(told).toContain('Exported 70 items of music to ')
    expect(await run('import', '--table', 'copied', '--from', files, '--path', to)).toBe(0)
    expect(told).toContain('Imported 70 items into copied in lmdb:')
    expect(await itemsOf(to, 'copied')).toEqual(await itemsOf(from, 'music'))
    const db = await openDatabase(`lmdb:${to}`, {})
    expect(await db.request('DescribeTable', { TableName: 'copied' })).toMatchObject({
      Table: { GlobalSecondaryIndexes: [{ IndexName: 'years', ItemCount: 70 }] },
    })
    await db.close()
    expect(await readdir(folder)).not.toContain('state.json')
  })

  test('list bad rows and put in the rest', async () => {
    const file = join(folder, 'songs.csv')
    const errors = join(folder, 'errors.txt')
    await writeFile(file, 'pk,title\n1,Money\nx,Time\n1,Money again\n2\n3,Breathe\n')
    const words = ['--table', 'songs', '--from', file, '--path', join(folder, 'data'), '--key', 'pk:N']
    expect(await run('import', ...words, '--errors', errors)).toBe(1)
    expect(await readFile(errors, 'utf8')).toMatch(/^songs\.csv, line 5: .*\nsongs\.csv, line 3: .*\n$/)
    expect(told).toContain(
      `2 rows are not valid items for the table and were skipped. See ${errors}. The first: songs.csv, line 5: `,
    )
    expect(await itemsOf(join(folder, 'data'), 'songs')).toEqual(
      expect.arrayContaining([
        { pk: { N: '1' }, title: { S: 'Money again' } },
        { pk: { N: '3' }, title: { S: 'Breathe' } },
      ]),
    )
  })
})

test('a file is imported alone, without those whose names begin like its own', async () => {
  const file = join(folder, 'songs.json')
  await writeFile(file, '{"Item": {"pk": {"S": "1"}}}\n')
  await writeFile(`${file}.old`, '{"Item": {"pk": {"S": "2"}}}\n')
  const data = join(folder, 'data')
  expect(await run('import', '--table', 'songs', '--from', file, '--path', data, '--key', 'pk:S')).toBe(0)
  expect(await itemsOf(data, 'songs')).toEqual([{ pk: { S: '1' } }])
})

test('an import of a file that is cut off names it', async () => {
  const [file, data] = [join(folder, 'songs.json.gz'), join(folder, 'data')]
  await writeFile(file, gzipSync('{"Item":{"pk":{"S":"a"}}}\n').subarray(0, 20))
  expect(await run('import', '--table', 'songs', '--from', file, '--path', data, '--key', 'pk:S')).toBe(1)
  expect(told).toContain('songs.json.gz cannot be read: unexpected end of file.')
})

test('an import into a table that is missing says how to make it', async () => {
  const path = join(folder, 'from')
  const file = join(folder, 'songs.json')
  await fill(path)
  await writeFile(file, '{"Item": {"pk": {"S": "1"}}}\n')
  expect(await run('import', '--table', 'songs', '--from', file, '--path', path)).toBe(2)
  expect(told).toContain('There is no table songs in lmdb:')
  expect(told).toContain('name its key, such as --key artist:S,year:N.')
})

test('an import of something else asks for its format', async () => {
  const path = join(folder, 'from')
  const file = join(folder, 'songs.txt')
  await fill(path)
  await writeFile(file, 'pk,title\n1,Money\n')
  const errors = join(folder, 'errors.txt')
  const words = ['--table', 'music', '--from', file, '--path', path, '--errors', errors]
  expect(await run('import', ...words)).toBe(1)
  expect(await run('import', ...words)).toBe(1)
  expect(told).toMatch(/ Is the --format correct\?\n/)
  // Only the rows of the last run are listed.
  expect((await readFile(errors, 'utf8')).trim().split('\n')).toHaveLength(2)
})

test('a folder that a server may be using is told as such', async () => {
  const path = join(folder, 'from')
  await fill(path)
  const db = await openDatabase(`lmdb:${path}`, {})
  expect(await runTransfer('backups', ['--path', path])).toBe(1)
  expect(told).toContain('is in use by process')
  expect(told).toContain("If a server is using it, give the server's address instead of the folder")
  await db.close()
})

test('hashrange copy copies every table of a folder', async () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  await fill(from)
  expect(await run('copy', '--from', `lmdb:${from}`, '--to', `lmdb:${to}`)).toBe(0)
  expect(told).toContain('Copied 70 items in 1 table from ')
  expect(await itemsOf(to, 'music')).toEqual(await itemsOf(from, 'music'))
})

describe('a mistake', () => {
  test.each([
    [['copy', '--to', 'aws'], '--from is missing. See: hashrange copy --help'],
    [['copy', '--from', 'here', '--to', 'aws'], '"here" is not a database.'],
    [['copy', '--from', 'mysql://me:secret@host/shop', '--to', 'aws'], '"mysql://host/shop" is not a database.'],
    [['export', '--table', 'music', '--to', '.'], '--endpoint or --path is missing.'],
    [['import', '--table', 'music', '--from', '/nowhere/at/all', '--path', '.'], 'There is no file or folder'],
    [['export', '--tabel', 'music'], 'There is no flag --tabel. Did you mean --table?'],
    [
      ['export', '--table', 'music', '--to', '.', '--path', '/nowhere/at/all'],
      'There is no folder /nowhere/at/all.',
    ],
    [['copy', '--from', `lmdb:${tmpdir()}`, '--to', 'aws'], `${tmpdir()} is not a hashrange data folder.`],
  ])('is explained: %j', async ([command, ...words], sentence) => {
    expect(await runTransfer(command as TransferCommand, words)).toBe(2)
    expect(told).toContain(`hashrange: ${sentence}`)
    expect(told.trim().split('\n')).toHaveLength(1)
  })

  test('something else answers at an address', async () => {
    const other = createServer((_, response) => response.end('<!DOCTYPE html>')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const endpoint = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect(await runTransfer('backups', ['--endpoint', endpoint])).toBe(1)
    other.close()
    expect(told).toBe(`hashrange: The server at ${endpoint} does not have the DynamoDB API. Check the address.\n`)
  })

  test('nothing answers at an address', async () => {
    const words = ['--table', 'music', '--to', join(folder, 'out'), '--endpoint', 'http://127.0.0.1:9']
    expect(await run('export', ...words)).toBe(1)
    expect(told).toContain('Nothing answers at http://127.0.0.1:9 (ECONNREFUSED). Is the server running?')
  })
})

test.each(['copy', 'export', 'import'] as const)('hashrange %s --help tells what it does', async (command) => {
  expect(await runTransfer(command, ['--help'])).toBe(0)
  expect(told).toContain(`hashrange ${command}: `)
})
