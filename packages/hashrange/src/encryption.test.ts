import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readEncryptionKey } from './encryption-key.ts'
import { open } from './open.ts'
import type { Database } from './database.ts'

/** As it is installed: built. */
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const key = randomBytes(32)
let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-encryption-'))
  path = join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('an encrypted folder', () => {
  test('has no values of items in its files, at any time, and works as any other', async () => {
    const database = await open({ path, encryptionKey: key })
    await fill(database)
    expect(filesWith('a secret title')).toEqual([])
    await database.close()
    expect(filesWith('a secret title')).toEqual([])
    const again = await open({ path, encryptionKey: key })
    const { Items: items } = await again.execute('Query', {
      TableName: 'Music',
      IndexName: 'ByTitle',
      KeyConditionExpression: 'label = :l',
      ExpressionAttributeValues: { ':l': { S: 'l' } },
    })
    expect(items).toHaveLength(20)
    const { Count: count } = await again.execute('Scan', { TableName: 'Music' })
    expect(count).toBe(20)
    await again.close()
  })

  test.each([
    ['no key', undefined, 'The data is encrypted, and no key was given. Open it with encryptionKey.'],
    ['another key', randomBytes(32), 'The key is not the one that the data was encrypted with.'],
  ])('is not opened with %s, and nothing changes', async (_, wrong, sentence) => {
    await (await filled(key)).close()
    const before = contents()
    await expect(open({ path, encryptionKey: wrong })).rejects.toThrow(sentence)
    expect(contents()).toEqual(before)
    await (await open({ path, encryptionKey: key })).close()
  })

  test('is not made of one that is not encrypted', async () => {
    await (await filled(undefined)).close()
    await expect(open({ path, encryptionKey: key })).rejects.toThrow('the data is not encrypted')
    await (await open({ path })).close()
  })

  test('whose process was killed is recovered with its key', async () => {
    const database = await filled(key)
    const image = join(folder, 'image')
    cpSync(path, image, { recursive: true })
    await database.close()
    path = image
    await expect(open({ path })).rejects.toThrow('no key was given')
    const recovered = await open({ path, encryptionKey: key })
    expect((await recovered.execute('Scan', { TableName: 'Music' }))['Count']).toBe(20)
    await recovered.close()
  })

  test('is verified, compacted, archived and copied to another key by commands', async () => {
    await (await filled(key)).close()
    const files = { key: join(folder, 'key'), next: join(folder, 'next') }
    writeFileSync(files.key, key)
    writeFileSync(files.next, `${randomBytes(32).toString('hex')}\n`)
    const withKey = { HASHRANGE_ENCRYPTION_KEY_FILE: files.key }
    expect(run(['verify', '--path', path], withKey).code).toBe(0)
    expect(run(['verify', '--path', path], {}).text).toContain('The data is encrypted, and no key was given.')
    expect(run(['compact', '--path', path], {}).code).toBe(0)
    expect(run(['snapshot', '--path', path, '--to', join(folder, 'archive')], {}).code).toBe(0)
    expect(filesWith('a secret title', join(folder, 'archive'))).toEqual([])
    const { restoreFolder } = await import('./archive/restore-folder.ts')
    await restoreFolder({ from: join(folder, 'archive'), path: join(folder, 'restored') })
    const restored = await open({ path: join(folder, 'restored'), encryptionKey: key })
    expect((await restored.execute('Scan', { TableName: 'Music' }))['Count']).toBe(20)
    await restored.close()
    const rotated = join(folder, 'rotated')
    const copied = run(
      ['copy', '--from', `lmdb:${path}`, '--to', `lmdb:${rotated}`, '--to-encryption-key-file', files.next],
      withKey,
    )
    expect(copied.code, copied.text).toBe(0)
    expect(filesWith('a secret title', rotated)).toEqual([])
    expect(run(['verify', '--path', rotated], withKey).text).toContain('The key is not the one')
    expect(
      run(['verify', '--path', rotated], { HASHRANGE_ENCRYPTION_KEY: readFileSync(files.next, 'utf8') }).code,
    ).toBe(0)
    const plain = join(folder, 'plain')
    expect(
      run(['copy', '--from', `lmdb:${path}`, '--to', `lmdb:${plain}`, '--to-encryption-key-file', 'none'], withKey)
        .code,
    ).toBe(0)
    expect(filesWith('a secret title', plain)).not.toEqual([])
  })
})

describe('a key', () => {
  const settings = (text: string) => (name: string) => (name === 'HASHRANGE_ENCRYPTION_KEY' ? text : undefined)

  test.each([key.toString('hex'), key.toString('base64'), ` ${key.toString('hex').toUpperCase()}\n`])(
    'may be %j',
    (text) => {
      expect(readEncryptionKey(undefined, settings(text))).toEqual({ key })
    },
  )

  test.each(['', 'secret', key.toString('hex').slice(1), `${key.toString('hex')}00`])('may not be %j', (text) => {
    const read = readEncryptionKey(undefined, settings(text))
    expect(read).toEqual({ mistake: expect.stringContaining('openssl rand -hex 32') })
    if (text !== '') expect(JSON.stringify(read)).not.toContain(text)
  })

  test.each([{ encryptionKey: 'text' }, { encryptionKey: Buffer.alloc(16) }])(
    'is checked by open',
    async (options) => {
      await expect(open({ path, ...options } as never)).rejects.toThrow('encryptionKey must be')
      await expect(open({ encryptionKey: key })).rejects.toThrow('data in memory is not encrypted')
      expect(existsSync(path)).toBe(false)
    },
  )
})

async function filled(encryptionKey: Buffer | undefined): Promise<Database> {
  const database = await open({ path, encryptionKey })
  await fill(database)
  return database
}

async function fill(database: Database): Promise<void> {
  await database.execute('CreateTable', {
    TableName: 'Music',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: ['pk', 'label'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'ByTitle',
        KeySchema: [{ AttributeName: 'label', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
  for (let number = 0; number < 20; number++) {
    const item = { pk: { S: `song ${number}` }, label: { S: 'l' }, title: { S: 'a secret title' } }
    await database.execute('PutItem', { TableName: 'Music', Item: item })
  }
}

function filesWith(text: string, where = path): string[] {
  return readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))
}

/** The checkpoint is written whenever a folder is closed. */
function contents(): string[] {
  return ['data.mdb', 'redo-0', 'redo-1'].map((name) =>
    createHash('sha256')
      .update(readFileSync(join(path, name)))
      .digest('hex'),
  )
}

function run(words: readonly string[], environment: Record<string, string>): { code: number; text: string } {
  try {
    const text = execFileSync(process.execPath, [main, ...words], {
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, ...environment },
      cwd: folder,
    })
    return { code: 0, text }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string }
    return { code: status, text: `${stdout}${stderr}` }
  }
}
