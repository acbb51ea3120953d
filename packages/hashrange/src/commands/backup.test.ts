import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../database.ts'
import { open } from '../open.ts'
import type { TransferCommand } from '../transfer-command.ts'
import { runTransfer } from './run-transfer.ts'

const TableName = 'music'
let database: Database
let endpoint: string
let told: string
let progress: string

beforeEach(async () => {
  database = await open()
  endpoint = (await database.listen()).endpoint
  await fill(database)
  told = ''
  progress = ''
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => (progress += String(text)) !== '')
})

afterEach(async () => {
  vi.restoreAllMocks()
  await database.close()
})

const run = (command: TransferCommand, ...words: string[]): Promise<number> =>
  runTransfer(command, [...words, '--endpoint', endpoint])

async function fill(filled: Database): Promise<void> {
  await filled.execute('CreateTable', {
    TableName,
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'year', AttributeType: 'N' },
    ],
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
  for (let n = 0; n < 40; n++) {
    await filled.execute('PutItem', { TableName, Item: { pk: { S: `${n}` }, year: { N: `${n}` } } })
  }
}

const itemsOf = async (name: string): Promise<unknown> =>
  (await database.execute('Scan', { TableName: name }))['Items']

describe('a backup', () => {
  test('is taken, listed, and restored by its name after its table has gone', async () => {
    const items = await itemsOf(TableName)
    expect(await run('backup', '--table', TableName, '--name', 'before')).toBe(0)
    expect(told).toMatch(
      /^Backed up 40 items \(\d+ bytes\) of music in http:.*: arn:aws:dynamodb:.*table\/music\/backup\//,
    )
    expect(progress).toMatch(/music to before: 100%, 40 items, \d+ bytes/)
    await database.execute('DeleteTable', { TableName })

    told = ''
    expect(await run('backups')).toBe(0)
    expect(told).toMatch(
      /^NAME +TABLE +STATUS +SIZE +CREATED +TYPE +ARN\nbefore +music +AVAILABLE +\d+ bytes +20\S+Z +USER +arn:\S+\n$/,
    )

    told = ''
    expect(await run('restore', '--backup', 'before', '--to', 'restored')).toBe(0)
    expect(told).toMatch(/^Restored 40 items \(\d+ bytes\) from before to restored in http:/)
    expect(progress).toContain('before to restored: 100%, 40 items')
    expect(await itemsOf('restored')).toEqual(items)
    expect(await database.execute('DescribeTable', { TableName: 'restored' })).toMatchObject({
      Table: { TableStatus: 'ACTIVE', GlobalSecondaryIndexes: [{ IndexName: 'years', ItemCount: 40 }] },
    })
  })

  test('gets a name with the table and the time, and is restored by its ARN', async () => {
    expect(await run('backup', '--table', TableName)).toBe(0)
    expect(progress).toMatch(/music to music-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d: /)
    const arn = /arn:\S+/.exec(told)?.[0] ?? ''
    expect(await run('restore', '--backup', arn, '--to', 'restored')).toBe(0)
    expect(await itemsOf('restored')).toEqual(await itemsOf(TableName))
  })

  test('whose name others have too is asked for by its ARN', async () => {
    for (let n = 0; n < 2; n++) expect(await run('backup', '--table', TableName, '--name', 'twice')).toBe(0)
    told = ''
    expect(await run('restore', '--backup', 'twice', '--to', 'restored')).toBe(2)
    expect(told).toMatch(
      /^hashrange: There are 2 backups named "twice"\. Use the ARN of one of them: arn:\S+, arn:\S+\n$/,
    )
  })
})

describe('the past of a table', () => {
  const at = (time: string, to = 'restored') => run('restore', '--table', TableName, '--at', time, '--to', to)

  test('is restored to a second, and to the latest moment', async () => {
    let nowMs = Date.UTC(2026, 5, 15, 12)
    await database.close()
    database = await open({ clock: { now: () => nowMs } })
    endpoint = (await database.listen()).endpoint
    await fill(database)
    await database.execute('UpdateContinuousBackups', {
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    const items = await itemsOf(TableName)
    nowMs += 10_000
    await database.execute('DeleteItem', { TableName, Key: { pk: { S: '7' } } })
    nowMs += 10_000
    expect(await at('2026-06-15T12:00:05Z')).toBe(0)
    expect(await itemsOf('restored')).toEqual(items)
    expect(await at('latest', 'now')).toBe(0)
    expect(await itemsOf('now')).toEqual(await itemsOf(TableName))
    expect(await at('2026-06-15T13:00:05+01:00', 'zoned')).toBe(0)
    expect(await itemsOf('zoned')).toEqual(items)

    told = ''
    expect(await at('2026-06-14', 'early')).toBe(1)
    expect(told).toMatch(
      /^hashrange: RestoreDateTime .* must be within .*\. Use --at with a time between these two/,
    )
  })

  test('that was not recorded cannot be restored', async () => {
    expect(await at('latest')).toBe(1)
    expect(told).toContain(
      `Point in time recovery is not enabled for table 'music'. You can only restore to a time after`,
    )
  })
})

test('a folder of data needs no server, and no table of the backup', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hashrange-backup-'))
  try {
    const own = await open({ path: folder, accountId: '111122223333', region: 'eu-west-1' })
    await fill(own)
    await own.close()
    expect(await runTransfer('backup', ['--table', TableName, '--name', 'kept', '--path', folder])).toBe(0)
    const emptied = await open({ path: folder, accountId: '111122223333', region: 'eu-west-1' })
    await emptied.execute('DeleteTable', { TableName })
    await emptied.close()
    expect(await runTransfer('restore', ['--backup', 'kept', '--to', TableName, '--path', folder])).toBe(0)
    expect(told).toContain('Restored 40 items')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('no backups are told as such', async () => {
  expect(await run('backups', '--table', TableName)).toBe(0)
  expect(told).toBe(`There are no backups of music in ${endpoint}.\n`)
})

describe('what cannot be done is explained', () => {
  test.each([
    [
      1,
      ['backup', '--table', 'nothing'],
      'Table: nothing not found. Each access key (AWS_ACCESS_KEY_ID) and region',
    ],
    [1, ['backup', '--table', 'music', '--name', 'a b'], "Value 'a b' at 'backupName' failed"],
    [2, ['backup'], '--table is missing. See: hashrange backup --help'],
    [2, ['restore', '--to', 'x'], '--backup, or --table with --at, is missing. See: hashrange restore --help'],
    [2, ['restore', '--table', 'music', '--to', 'x'], '--at is missing.'],
    [
      2,
      ['restore', '--table', 'music', '--at', 'noon', '--to', 'x'],
      '--at must be a time such as 2026-06-15T12:00:00Z',
    ],
    [2, ['restore', '--backup', 'b', '--table', 'music', '--to', 'x'], 'not both.'],
    [2, ['restore', '--backup', 'b', '--to', 'restored'], 'no backup named "b" in '],
    [1, ['restore', '--backup', 'arn:x', '--to', 'restored'], 'failed to satisfy constraint'],
  ] as const)('%i %j', async (code, [command, ...words], sentence) => {
    expect(await run(command, ...words)).toBe(code)
    expect(told).toMatch(/^hashrange: .*\n$/)
    expect(told).toContain(sentence)
  })

  test('a name that is taken', async () => {
    await run('backup', '--table', TableName, '--name', 'before')
    told = ''
    expect(await run('restore', '--backup', 'before', '--to', TableName)).toBe(1)
    expect(told).toContain('Table already exists: music. Choose another name with --to')
  })
})

test.each(['backup', 'backups', 'restore'] as const)('hashrange %s --help tells what it does', async (command) => {
  expect(await run(command, '--help')).toBe(0)
  expect(told).toContain(`hashrange ${command}: `)
})
