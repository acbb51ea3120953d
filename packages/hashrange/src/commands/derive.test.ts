import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { open } from '../open.ts'
import type { Database } from '../database.ts'
import { runModelCommand } from './run-model-command.ts'

let folder: string
let file: string
let told: string
let database: Database
let endpoint: string

const source = `import { entity, model, s } from '@hashrange/model'
import { count, derive, marks } from '@hashrange/model/derived'

const Note = entity('Note', { userId: s.ulid(), noteId: s.ulid() })
  .key({ pk: 'USER#{userId}', sk: 'NOTE#{noteId}' })
  .volume({ items: 1000, perPartition: 10 })
const Notes = entity('Notes', { team: s.string(), notes: s.int().default(0) }).key({ pk: 'TEAM#{team}', sk: 'NOTES' })
const Mark = marks()
export const notes = model({
  name: 'notes',
  table: { stream: 'NEW_AND_OLD_IMAGES' },
  entities: { Note, Notes, Mark },
  patterns: (p) => ({ write: p.create('Note', { traffic: { rate: 900 } }), all: p.get('Notes') }),
})
export const derived = derive(notes, { all: count(Note, { by: () => ({ team: 'us' }), into: Notes, set: 'notes' }) }, { marks: Mark })
`

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-derive-'))
  file = join(folder, 'notes.model.ts')
  await writeFile(file, source)
  told = ''
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (told += `${text}\n`))
  database = await open()
  endpoint = (await database.listen()).endpoint
})

afterEach(async () => {
  vi.restoreAllMocks()
  await database.close()
  await rm(folder, { recursive: true })
})

test('derived items are compared, rebuilt and compared again', async () => {
  await database.client.createTable({
    TableName: 'my-notes',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
  })
  for (const id of ['01J00000000000000000000001', '01J00000000000000000000002']) {
    const Item = {
      pk: { S: 'USER#u' },
      sk: { S: `NOTE#${id}` },
      entity: { S: 'Note' },
      userId: { S: 'u' },
      noteId: { S: id },
    }
    await database.client.putItem({ TableName: 'my-notes', Item })
  }
  const words = [file, '--endpoint', endpoint, '--table', 'my-notes']
  expect(await runModelCommand('derive', [...words, '--verify'])).toBe(1)
  expect(told).toContain('2 items compared, 1 difference.\n  all: TEAM#us NOTES notes is 0, not 2\n')
  told = ''
  expect(await runModelCommand('derive', [...words, '--rebuild', '--verify', '--rate', '5000'])).toBe(0)
  expect(told).toMatch(
    /^Rebuilt: \d+ items read, \d+ items? written, \d+ read and \d+ write units\.\n3 items compared, 0 differences\.\n$/,
  )
  told = ''
  expect(await runModelCommand('derive', [...words, '--verify', '--json'])).toBe(0)
  expect(JSON.parse(told)).toMatchObject({ verified: { compared: 3, differences: [] } })
})

test('mistakes are explained', async () => {
  const mistakes: [string[], string][] = [
    [[], 'Name one model file.'],
    [[file], 'Say what to do: --rebuild or --verify.'],
    [[file, '--verify'], '--endpoint is missing.'],
    [[file, '--verify', '--endpoint', 'nowhere'], '"nowhere" is not a place.'],
    [[file, '--verify', '--endpoint', 'aws', '--rate', 'fast'], '--rate must be a whole number'],
  ]
  for (const [words, message] of mistakes) {
    told = ''
    expect(await runModelCommand('derive', words)).toBe(2)
    expect(told).toContain(message)
  }
})

test('check measures what is derived, and says where it is hot', async () => {
  const code = await runModelCommand('check', [file, '--items', '100'])
  expect(code, told).toBe(0)
  expect(told).toContain('notes: derived items, in write + read units of the handler for one change')
  expect(told).toMatch(/Note +all +4 \+ 0 .* 100 % of Notes/)
  expect(told).toContain('warning derivation all hot-derived-item')
  expect(told).toContain(
    "Spread it: add shard: s.shard(36) to Notes, write its partition key as 'TEAM#{team}#{shard}'",
  )
})
