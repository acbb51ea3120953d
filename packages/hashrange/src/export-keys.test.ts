import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { readExportKeys } from './export-keys.ts'
import { open } from './open.ts'

/** As it is installed: built. */
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const [key, nextKey] = [randomBytes(32), randomBytes(32)]
let folder: string
let buckets: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-exports-'))
  buckets = join(folder, 'buckets')
  mkdirSync(join(buckets, 'bucket'), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const definition = {
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  BillingMode: 'PAY_PER_REQUEST',
}

test('an export with a key is encrypted, and only an import with the key reads it', async () => {
  await using source = await open({ buckets, exportKey: key })
  await source.execute('CreateTable', { TableName: 'Music', ...definition })
  await source.execute('UpdateContinuousBackups', {
    TableName: 'Music',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  await source.execute('PutItem', { TableName: 'Music', Item: { pk: { S: 'a' }, title: { S: 'a secret title' } } })
  const TableArn = 'arn:aws:dynamodb:us-east-1:123456789012:table/Music'
  await source.execute('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket' })
  await expect
    .poll(async () => JSON.stringify(await source.execute('ListExports')))
    .toContain('"ExportStatus":"COMPLETED"')
  const files = filesIn(join(buckets, 'bucket'))
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) expect(readFileSync(file).subarray(0, 6).toString(), file).toBe('HRSEAL')
  const data = files.find((file) => file.includes('/data/')) ?? ''
  const prefix = `${dirname(data).slice(join(buckets, 'bucket').length + 1)}/`

  expect(await imported(source, prefix)).toMatchObject({ ImportStatus: 'COMPLETED', ImportedItemCount: 1 })
  const { Item } = await source.execute('GetItem', { TableName: 'Again', Key: { pk: { S: 'a' } } })
  expect(Item).toEqual({ pk: { S: 'a' }, title: { S: 'a secret title' } })
  for (const exportKey of [undefined, nextKey]) {
    await using other = await open({ buckets, exportKey })
    expect(await imported(other, prefix)).toMatchObject({
      ImportStatus: 'FAILED',
      FailureCode: 'S3AccessDenied',
      FailureMessage: expect.stringMatching(/as exportKey/),
    })
  }
})

test('the commands encrypt and decrypt too, and a replaced key reads what was written before', async () => {
  const path = join(folder, 'data')
  const [old, both] = [join(folder, 'old.key'), join(folder, 'both.key')]
  writeFileSync(old, key.toString('hex'))
  writeFileSync(both, `${nextKey.toString('base64')}\n${key.toString('hex')}\n`)
  const database = await open({ path })
  await database.execute('CreateTable', { TableName: 'Music', ...definition })
  await database.execute('PutItem', { TableName: 'Music', Item: { pk: { S: 'a' }, t: { S: 'a secret title' } } })
  await database.close()
  const to = join(folder, 'exports')
  expect(run('export', '--table', 'Music', '--to', to, '--path', path, '--export-key-file', old)).toMatch(/1 item/)
  for (const file of filesIn(to)) expect(readFileSync(file).subarray(0, 6).toString(), file).toBe('HRSEAL')
  const words = ['import', '--table', 'Again', '--from', to, '--path', path]
  expect(run(...words)).toMatch(
    /is encrypted, and no key was given. Name a file that contains its key with --export-key-file/,
  )
  expect(run(...words, '--export-key-file', both)).toMatch(/Imported 1 item into Again/)
})

describe('keys of exports', () => {
  const given = (text: string) =>
    readExportKeys(undefined, (name) => (name === 'HASHRANGE_EXPORT_KEY' ? text : undefined))

  test('are one to a line, in hexadecimal or base64', () => {
    expect(given(`${key.toString('hex')}\r\n\n ${nextKey.toString('base64')}\n`)).toEqual({ keys: [key, nextKey] })
    expect(readExportKeys(undefined, () => undefined)).toEqual({ keys: [] })
  })

  test.each(['', 'secret', `${key.toString('hex')}\nsecret`])('are not %j, and are not repeated', (text) => {
    const read = given(text)
    expect(read).toEqual({ mistake: expect.stringContaining('openssl rand -hex 32') })
    expect(JSON.stringify(read)).not.toContain('secret')
  })

  test('are checked by open', async () => {
    await expect(open({ exportKey: Buffer.alloc(16) })).rejects.toThrow('exportKey must be')
  })
})

function filesIn(place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

async function imported(database: Database, S3KeyPrefix: string): Promise<unknown> {
  const { ImportTableDescription: asked } = await database.execute('ImportTable', {
    S3BucketSource: { S3Bucket: 'bucket', S3KeyPrefix },
    InputFormat: 'DYNAMODB_JSON',
    InputCompressionType: 'GZIP',
    TableCreationParameters: { TableName: 'Again', ...definition },
  })
  const { ImportArn } = asked as { ImportArn: string }
  const description = async (): Promise<{ ImportStatus: string }> => {
    const { ImportTableDescription: found } = await database.execute('DescribeImport', { ImportArn })
    return found as { ImportStatus: string }
  }
  await expect.poll(async () => (await description()).ImportStatus).not.toBe('IN_PROGRESS')
  return description()
}

function run(...words: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [main, ...words], { cwd: folder, encoding: 'utf8' })
  return stdout + stderr
}
