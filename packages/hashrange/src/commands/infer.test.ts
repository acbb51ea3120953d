import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { connect, entity, model, s } from '@hashrange/model'
import { setUpRequests } from '@hashrange/model/export'
import type { Database } from '../database.ts'
import { open } from '../open.ts'
import { exportCommand } from './export.ts'
import { runModelCommand } from './run-model-command.ts'

const Author = entity('Author', { id: s.string(), email: s.string(), name: s.string() })
  .key({ pk: 'AUTHOR#{id}', sk: 'PROFILE' })
  .unique('email')
const Post = entity('Post', { id: s.string(), at: s.iso('day'), title: s.string(), likes: s.int() })
  .key({ pk: 'AUTHOR#{id}', sk: 'POST#{at}' })
  .index('byTitle', { pk: 'TITLE#{title}', sk: '{at}' })
const blog = model({
  name: 'blog',
  entities: { Author, Post },
  patterns: (p) => ({
    page: p.query({ pk: 'AUTHOR#{id}', order: 'desc', traffic: { rate: 100 } }),
    posts: p.query({ pk: 'AUTHOR#{id}', sk: 'POST#*' }),
    titled: p.query({ on: 'byTitle', pk: 'TITLE#{title}' }),
    write: p.create('Post'),
    join: p.create('Author'),
    like: p.update('Post', { changes: ['likes'] }),
    retitle: p.update('Post', { changes: ['title'] }),
    byEmail: p.lookup('Author', 'email'),
  }),
})
const source = `import { entity, model, s } from '@hashrange/model'
const Author = entity('Author', { id: s.string(), email: s.string(), name: s.string() })
  .key({ pk: 'AUTHOR#{id}', sk: 'PROFILE' }).unique('email')
const Post = entity('Post', { id: s.string(), at: s.iso('day'), title: s.string(), likes: s.int() })
  .key({ pk: 'AUTHOR#{id}', sk: 'POST#{at}' }).index('byTitle', { pk: 'TITLE#{title}', sk: '{at}' })
export const blog = model({ name: 'blog', entities: { Author, Post }, patterns: (p) => ({
    page: p.query({ pk: 'AUTHOR#{id}', order: 'desc', traffic: { rate: 100 } }),
    posts: p.query({ pk: 'AUTHOR#{id}', sk: 'POST#*' }),
    titled: p.query({ on: 'byTitle', pk: 'TITLE#{title}' }),
    write: p.create('Post'),
    join: p.create('Author'),
    like: p.update('Post', { changes: ['likes'] }),
    retitle: p.update('Post', { changes: ['title'] }),
    byEmail: p.lookup('Author', 'email'),
}) })
`
let folder: string
let db: Database
let endpoint: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-infer-'))
  db = await open()
  endpoint = (await db.listen()).endpoint
  for (const { operation, input } of setUpRequests(blog.description)) await db.execute(operation, input)
  const client = connect(blog, db.client)
  for (let i = 1; i <= 5; i++) {
    await client.join({ id: `a${i}`, email: `a${i}@example.com`, name: 'A' })
    for (let day = 1; day <= 4; day++)
      await client.write({ id: `a${i}`, at: `2026-01-0${day}`, title: `T${day}`, likes: 0 })
  }
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})
afterEach(() => vi.restoreAllMocks())

async function run(command: 'infer' | 'coverage' | 'check', ...words: string[]) {
  const out = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const err = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const code = await runModelCommand(command, words)
  return { code, out: out.mock.calls.flat().join('\n'), err: err.mock.calls.flat().join('\n') }
}

/** A record as the audit log writes it. */
let second = 0
const record = (eventName: string, requestParameters: object) =>
  JSON.stringify({
    eventTime: new Date(Date.UTC(2026, 0, 1, 0, 0, second++)).toISOString(),
    eventSource: 'dynamodb.amazonaws.com',
    eventName,
    requestParameters: { tableName: 'blog', ...requestParameters },
  })
const key = (pk: string, sk: string) => ({ key: { pk: { S: pk }, sk: { S: sk } } })

describe('hashrange infer', () => {
  test('drafts a model of a table that passes its check', async () => {
    const file = join(folder, 'drafted.model.mjs')
    const { code, err } = await run('infer', '--table', 'blog', '--endpoint', endpoint, '--out', file)
    expect(err).toContain(
      "Post: 20 sampled items with the key 'AUTHOR#{id}' and 'POST#{at}' (sure: all of them fit).",
    )
    expect(code).toBe(0)
    const text = await readFile(file, 'utf8')
    expect(text).toContain(".index('byTitle', { pk: 'TITLE#{title}', sk: '{at}' })")
    expect((await run('check', file)).code).toBe(0)
    expect((await run('infer', '--table', 'blog', '--endpoint', endpoint, '--out', file)).err).toContain(
      'already exists',
    )
    expect((await run('infer', '--table', 'nothing', '--endpoint', endpoint)).err).toContain(
      'There is no table "nothing"',
    )
    expect((await run('infer', '--endpoint', endpoint)).code).toBe(2)
  })

  test('of a table of an AWS profile: its keys, its region and its endpoint, whatever the environment has', async () => {
    const own = await open({ region: 'eu-west-1' })
    try {
      const { endpoint: elsewhere } = await own.listen()
      for (const { operation, input } of setUpRequests(blog.description)) await own.execute(operation, input)
      await connect(blog, own.client).join({ id: 'a1', email: 'a1@example.com', name: 'A' })
      const profile = `[profile work]\nregion = eu-west-1\nendpoint_url = ${elsewhere}\n`
      await writeFile(join(folder, 'config'), profile)
      await writeFile(join(folder, 'credentials'), '[work]\naws_access_key_id = WORK\naws_secret_access_key = x\n')
      vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'))
      vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'))
      vi.stubEnv('AWS_ACCESS_KEY_ID', 'OTHER')
      for (const name of ['AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE', 'AWS_REGION', 'AWS_SESSION_TOKEN'])
        vi.stubEnv(name, undefined)
      const file = join(folder, 'profile.model.ts')
      const { code, err } = await run('infer', '--table', 'blog', '--profile', 'work', '--out', file)
      expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('Wrote') as string })
      expect(process.env['AWS_ACCESS_KEY_ID']).toBeUndefined()
      expect(await readFile(file, 'utf8')).toContain("entity('Author'")
      expect((await run('infer', '--table', 'blog', '--profile', 'wrok')).err).toContain('Did you mean "work"?')
    } finally {
      vi.unstubAllEnvs()
      await own.close()
    }
  })

  test('drafts it from an export, of this command or of AWS', async () => {
    const exported = join(folder, 'exported')
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    expect(await exportCommand(['--table', 'blog', '--to', exported, '--endpoint', endpoint])).toBe(0)
    const drafted = async (from: string, ...words: string[]) => {
      const file = join(folder, 'from-export.model.mjs')
      const { code, err } = await run(
        'infer',
        '--table',
        'blog',
        '--from',
        from,
        '--out',
        file,
        '--force',
        ...words,
      )
      return { code, err, text: code === 0 ? await readFile(file, 'utf8') : '', file }
    }
    const own = await drafted(exported)
    expect(own.text).toContain(".index('byTitle', { pk: 'TITLE#{title}', sk: '{at}' })")
    expect(own.text).toContain('AUTHOR#{id}')
    expect((await run('check', own.file)).code).toBe(0)
    // AWS does not say what the key is, and compresses.
    const aws = join(folder, 'AWSDynamoDB', '01700000000000-abc')
    await mkdir(join(aws, 'data'), { recursive: true })
    const { Items = [] } = await db.client.scan({ TableName: 'blog' })
    const lines = Items.map((Item) => JSON.stringify({ Item })).join('\n')
    await writeFile(join(aws, 'data', 'x.json.gz'), gzipSync(lines))
    await writeFile(join(aws, 'manifest-summary.json'), '{"version":"2020-06-30"}')
    await writeFile(join(aws, 'manifest-files.json'), '{"itemCount":30}')
    expect((await drafted(aws)).err).toContain('--key pk:S,sk:S')
    const theirs = await drafted(aws, '--key', 'pk:S,sk:S', '--sample', '29')
    expect(theirs.text).toContain('AUTHOR#{id}')
    expect(theirs.err).not.toContain('skipped')
    expect((await run('infer', '--table', 'blog', '--from', aws, '--endpoint', endpoint)).err).toContain('either')
  })

  test('drafts the patterns that a log shows, with their rates', async () => {
    const calls = [
      ...Array.from({ length: 10 }, () => record('GetItem', key('AUTHOR#a1', 'PROFILE'))),
      record('Query', { indexName: 'byTitle', keyConditionExpression: '#p = :p' }),
      record('UpdateItem', { ...key('AUTHOR#a1', 'POST#2026-01-01'), updateExpression: 'ADD #l :1' }),
      record('PutItem', key('SOMETHING#else', 'X')),
    ]
    const calledLog = join(folder, 'called.log')
    await writeFile(calledLog, calls.join('\n'))
    const file = join(folder, 'used.model.mjs')
    const { err } = await run(
      'infer',
      '--table',
      'blog',
      '--endpoint',
      endpoint,
      '--out',
      file,
      '--audit-log',
      calledLog,
    )
    expect(err).toContain('Not covered: PutItem of an unknown item in blog, 1 call.')
    const text = await readFile(file, 'utf8')
    const names = [...text.matchAll(/^ {4}(\w+): p\./gm)].map(([, name]) => name)
    expect(new Set(names)).toEqual(new Set(['getAuthor', 'postByTitle', 'updatePost']))
    expect(text).toContain("getAuthor: p.get('Author', { traffic: { rate:")
  })
})

describe('hashrange coverage', () => {
  test('shows what was called, what never was, and what no pattern covers', async () => {
    const file = join(folder, 'blog.model.mjs')
    await writeFile(file, source)
    second = 0
    const names = { expressionAttributeNames: { '#likes': 'likes' } }
    const calls = [
      ...Array.from({ length: 40 }, () =>
        record('Query', { keyConditionExpression: '#pk = :pk', scanIndexForward: false }),
      ),
      record('UpdateItem', { ...key('AUTHOR#a1', 'POST#2026-01-01'), ...names, updateExpression: 'ADD #likes :n' }),
      record('TransactWriteItems', {
        tableName: undefined,
        transactItems: [
          {
            put: {
              tableName: 'blog',
              ...key('AUTHOR#a9', 'PROFILE'),
              conditionExpression: 'attribute_not_exists(#pk)',
            },
          },
          { put: { tableName: 'blog', ...key('UNIQUE#Author#email#x', 'UNIQUE') } },
        ],
      }),
      record('GetItem', key('UNIQUE#Author#email#x', 'UNIQUE')),
      record('GetItem', key('AUTHOR#a9', 'PROFILE')),
      record('Scan', {}),
      record('DeleteItem', key('AUTHOR#a1', 'POST#2026-01-01')),
      'not a record',
    ]
    const calledLog = join(folder, 'coverage.log')
    await writeFile(calledLog, calls.join('\n'))
    const { code, out } = await run('coverage', file, '--audit-log', calledLog, '--strict')
    expect(code).toBe(1)
    expect(out).toMatch(/^page +40 +0\.\d+ +100 +1 % of the declared rate/m)
    expect(out).toMatch(/^like +1/m)
    expect(out).toMatch(/^join +1/m)
    expect(out).toMatch(/^byEmail +1/m)
    expect(out).toContain('Never called: posts, titled, write, retitle.')
    expect(out).toContain('  Scan of blog: 1')
    expect(out).toContain('  DeleteItem of Post: 1')
    expect(out).not.toContain('GetItem')
    expect((await run('coverage', file)).err).toContain('--audit-log is missing')
    await writeFile(calledLog, '{}')
    expect((await run('coverage', file, '--audit-log', calledLog)).err).toContain('no calls on items')
  })
})
