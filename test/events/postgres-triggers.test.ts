import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServerProcess } from '../system/server-process.ts'

let postgres: PostgresServer
let servers: ServerProcess[]
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-shared-triggers-'))
  writeFileSync(
    join(folder, 'on-change.mjs'),
    `import { appendFileSync } from 'node:fs'
     export const handler = async ({ Records }) => {
       let text = ''
       for (const { dynamodb } of Records) text += [process.ppid, dynamodb.Keys.pk.S, dynamodb.NewImage.value.N].join(' ') + '\\n'
       appendFileSync(${JSON.stringify(join(folder, 'written.txt'))}, text)
     }`,
  )
  postgres = await startPostgres()
  const flags = ['--no-workbench', '--shared', '--store', await postgres.newDatabase()]
  const trigger = ['--function', `on-change=${join(folder, 'on-change.handler')}`, '--trigger', 'changes=on-change']
  servers = await Promise.all([1, 2, 3].map(() => ServerProcess.start([...flags, ...trigger])))
}, 120_000)

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()))
  await postgres.remove()
  rmSync(folder, { recursive: true, force: true })
})

const keys = ['a', 'b', 'c', 'd', 'e', 'f']

async function write(server: ServerProcess, from: number, to: number): Promise<void> {
  for (let value = from; value <= to; value++) {
    const requests = keys.map((pk) => ({ PutRequest: { Item: { pk: { S: pk }, value: { N: String(value) } } } }))
    await server.call('BatchWriteItem', { RequestItems: { changes: requests } })
  }
}

/** Of each item: what was delivered, and which server's function got it. */
function delivered(): ReadonlyMap<string, readonly { readonly by: number; readonly value: number }[]> {
  const path = join(folder, 'written.txt')
  const found = new Map(keys.map((key) => [key, [] as { by: number; value: number }[]]))
  for (const line of existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []) {
    const [by, key = '', value] = line.split(' ')
    found.get(key)?.push({ by: Number(by), value: Number(value) })
  }
  return found
}

const haveAll = (value: number): boolean =>
  [...delivered().values()].every((records) => records.some((record) => record.value === value))

test('each shard is consumed by one of three servers, and by another one when that is killed', async () => {
  const [first] = servers
  if (first === undefined) throw new Error('there are three servers')
  await first.call('CreateTable', {
    TableName: 'changes',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  })
  await write(first, 1, 10)
  await expect.poll(() => haveAll(10)).toBe(true)
  const consumers = new Set([...delivered().values()].flat().map(({ by }) => by))
  const [victim = 0] = consumers
  const others = servers.filter(({ pid }) => pid !== victim)
  const killed = servers.find(({ pid }) => pid === victim)
  expect(killed).toBeDefined()
  await killed?.kill()
  const [survivor] = others
  if (survivor === undefined) throw new Error('two are left')
  await write(survivor, 11, 20)
  await expect.poll(() => haveAll(20)).toBe(true)
  for (const [key, records] of delivered()) {
    // Each change for the first time in order; and never two servers in turn.
    const firsts = records.filter(
      ({ value }, index) => records.findIndex((other) => other.value === value) === index,
    )
    expect(
      firsts.map(({ value }) => value),
      key,
    ).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    const turns = records.filter(({ by }, index) => index === 0 || by !== records[index - 1]?.by)
    expect(turns.length, key).toBeLessThanOrEqual(2)
    expect(records.at(-1)?.by).not.toBe(victim)
  }
})
