import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { connect, entity, model, s } from '@hashrange/model'
import { setUpRequests } from '@hashrange/model/export'
import type { Database } from '../database.ts'
import { open } from '../open.ts'
import { runModelCommand } from './run-model-command.ts'

const Person = entity('Person', { id: s.string(), name: s.string(), email: s.string() }).key({
  pk: 'PERSON#{id}',
  sk: 'PERSON',
})
const people = model({ name: 'people', entities: { Person }, patterns: (p) => ({ person: p.get('Person') }) })
const next = `import { entity, model, s } from '@hashrange/model'
const Person = entity('Person', { id: s.string(), first: s.string(), last: s.string(), email: s.string() })
  .key({ pk: 'P#{id}', sk: 'PERSON', was: { pk: 'PERSON#{id}' } })
  .index('byLast', { pk: 'LAST#{last}', sk: '{id}' })
  .unique('email')
export const people = model({ name: 'people', table: { discriminator: 'kind' }, entities: { Person },
  patterns: (p) => ({ person: p.get('Person'), named: p.query({ on: 'byLast', pk: 'LAST#{last}' }) }) })
export const upgrade = { Person: ({ name, ...rest }) => ({ ...rest, first: name.split(' ')[0], last: name.split(' ')[1] }) }
`
const old = `import { entity, model, s } from '@hashrange/model'
const Person = entity('Person', { id: s.string(), name: s.string(), email: s.string() }).key({ pk: 'PERSON#{id}', sk: 'PERSON' })
export const people = model({ name: 'people', entities: { Person }, patterns: (p) => ({ person: p.get('Person') }) })
`
let folder: string
let db: Database
let endpoint: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-migrate-'))
  await writeFile(join(folder, 'old.model.ts'), old)
  await writeFile(join(folder, 'new.model.ts'), next)
  db = await open()
  endpoint = (await db.listen()).endpoint
  for (const { operation, input } of setUpRequests(people.description)) await db.execute(operation, input)
  const client = connect(people, db.client)
  for (const [n, name] of ['Ada Lovelace', 'Alan Turing', 'Grace Hopper'].entries())
    await client.Person.create({ id: String(n), name, email: n === 2 ? '0@example.com' : `${n}@example.com` })
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})
afterEach(() => vi.restoreAllMocks())

async function run(command: 'migrate' | 'plan', ...words: string[]) {
  const told: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void told.push(line))
  vi.spyOn(console, 'error').mockImplementation((line: string) => void told.push(line))
  const code = await runModelCommand(command, [...words, '--endpoint', endpoint])
  return { code, told: told.join('\n') }
}

test('several changes at once: planned from the table, tried, carried out and verified', async () => {
  const [before, after] = [join(folder, 'old.model.ts'), join(folder, 'new.model.ts')]
  const planned = await run('plan', after)
  expect(planned.code).toBe(1)
  expect(planned.told).toContain('3 of 3 sampled Person items have the key that they had before (was).')
  expect(planned.told).toContain('table main tells entities apart by kind instead of entity')
  expect(planned.told).toContain('index byLast is new')
  const dry = await run('migrate', before, after, '--dry-run')
  expect(dry).toMatchObject({ code: 0 })
  expect(dry.told).toContain('Would create the index byLast of people')
  expect(dry.told).toContain('3 items read, 3 to be written')
  // Two people have the same address, which the new model does not allow.
  const refused = await run('migrate', before, after)
  expect(refused.code).toBe(1)
  expect(refused.told).toContain('1 item could not get a unique value')
  expect(refused.told).toContain('Still in the old form: 1 Person, such as PERSON#')
  await connect(people, db.client)
    .Person.update({ id: '2' }, { email: '2@example.com' })
    .catch(() => undefined)
  await connect(people, db.client)
    .Person.update({ id: '0' }, { email: '3@example.com' })
    .catch(() => undefined)
  const done = await run('migrate', before, after)
  expect(done.told).toContain('Verified: 3 Person in the new form')
  expect(done.code).toBe(0)
  const { Items } = await db.client.query({
    TableName: 'people',
    IndexName: 'byLast',
    KeyConditionExpression: 'byLastpk = :last',
    ExpressionAttributeValues: { ':last': { S: 'LAST#Turing' } },
  })
  expect(Items).toEqual([
    {
      pk: { S: 'P#1' },
      sk: { S: 'PERSON' },
      kind: { S: 'Person' },
      id: { S: '1' },
      first: { S: 'Alan' },
      last: { S: 'Turing' },
      email: { S: '1@example.com' },
      byLastpk: { S: 'LAST#Turing' },
      byLastsk: { S: '1' },
    },
  ])
  // Nothing but the items and their guards is left in the table.
  expect((await db.client.scan({ TableName: 'people' })).Count).toBe(6)
  expect(await run('plan', after)).toMatchObject({ code: 0 })
})

test('mistakes are explained', async () => {
  expect(await run('migrate')).toMatchObject({ code: 2 })
  const alone = await run('migrate', join(folder, 'old.model.ts'))
  expect(alone.told).toContain('does not say what its entities were before (was)')
})
