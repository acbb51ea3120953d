import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lease } from '../work/leases.ts'
import { LinkRefusal } from './link-messages.ts'
import { LinkedStores } from './testing/linked-stores.ts'

const dublin = 'eu-west-1'
const virginia = 'us-east-1'
let stores: LinkedStores
let id: string

beforeAll(async () => {
  stores = await LinkedStores.open([dublin, virginia])
  await stores.in(dublin).createGlobalTable('music', [dublin])
  const ReplicaUpdates = [{ Create: { RegionName: virginia } }]
  await stores.in(dublin).run(dublin, 'UpdateTable', { TableName: 'music', ReplicaUpdates })
  await stores.exchangeAll(2)
  const [table] = [...stores.in(dublin).owned.engine.catalog.all()]
  id = table?.definition.replication?.globalTableId ?? ''
})

afterAll(() => stores.close())

const stopping = new AbortController().signal
const lines = (...all: readonly unknown[]): Buffer =>
  Buffer.from(all.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
const request = (more: object = {}): object => ({
  version: 1,
  from: virginia,
  of: dublin,
  waitMs: 0,
  lagMs: 0,
  known: '',
  tables: [],
  refused: [],
  ...more,
})
const asked = (cursor: unknown): object => request({ tables: [{ id, region: virginia, cursor }] })

const requests: Record<string, () => Buffer> = {
  'no bytes': () => Buffer.alloc(0),
  'random bytes': () => Buffer.from(Array.from({ length: 3_000 }, (_, n) => (n * 7919) % 256)),
  'no newline': () => Buffer.from(JSON.stringify(request())),
  null: () => lines('null'),
  'a list': () => lines([]),
  'another version': () => lines(request({ version: 2 })),
  'a region that is not linked': () => lines(request({ from: 'ap-northeast-1' })),
  'a region that is no name': () => lines(request({ from: '../../etc' })),
  'the writes of a third region': () => lines(request({ of: virginia })),
  'the writes of a region that no server is known for': () => lines(request({ of: 'us-west-2' })),
  'no tables': () => lines(request({ tables: undefined })),
  'too many tables': () => lines(request({ tables: Array.from({ length: 10_001 }, () => 1) })),
  'a cursor that is none': () => lines(asked('x')),
  'positions that are no numbers': () => lines(asked({ positions: { 1: '__proto__' } })),
  'a position in the future': () => lines(asked({ positions: { 1: '99999999999999999999' } })),
  'a view without settings': () => lines(request({ views: [{ id, accountId: '123456789012' }] })),
  'a view with settings that no request could have': () =>
    lines(request({ views: [{ id, accountId: '123456789012', settings: { TableName: 'x' } }] })),
  'deep nesting': () => lines(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
}

test.each(Object.keys(requests))('a request with %s is rejected', async (name) => {
  const bytes = requests[name]?.() ?? Buffer.alloc(0)
  await expect(stores.links(dublin).answerExchange(bytes, stopping)).rejects.toBeInstanceOf(LinkRefusal)
})

const nowMicros = Date.UTC(2026, 0, 2) * 1000
const stamp = { micros: nowMicros, region: dublin }
const answer = (changes: number, cursor: object = { positions: {} }): object => ({
  version: 1,
  from: dublin,
  nowMs: nowMicros / 1000,
  fingerprint: '',
  gone: [],
  isCut: false,
  pages: [{ id, to: virginia, cursor, changes }],
})
const answers: Record<string, () => Buffer> = {
  'fewer changes than it says': () => lines(answer(2), { stamp, item: { pk: { S: 'a' } } }),
  'a change that is not JSON': () => lines(answer(1), '{'),
  'an item without its key': () => lines(answer(1), { stamp, item: { no: { S: 'a' } } }),
  'a key of another type': () => lines(answer(1), { stamp, item: { pk: { N: '1' } } }),
  'a value of no type': () => lines(answer(1), { stamp, item: { pk: { S: 'a' }, x: { Z: 1 } } }),
  'an item that is too large': () =>
    lines(answer(1), { stamp, item: { pk: { S: 'a' }, x: { S: 'x'.repeat(500_000) } } }),
  'an item that nests too deeply': () =>
    lines(
      answer(1),
      `{"stamp":${JSON.stringify(stamp)},"item":{"pk":{"S":"a"},"x":${'{"L":['.repeat(40)}${']}'.repeat(40)}}}`,
    ),
  'no stamp': () => lines(answer(1), { item: { pk: { S: 'a' } } }),
  'a stamp of a third region': () =>
    lines(answer(1), { stamp: { ...stamp, region: 'ap-northeast-1' }, item: { pk: { S: 'a' } } }),
  'a stamp that is far ahead': () =>
    lines(answer(1), { stamp: { ...stamp, micros: 2 ** 53 - 1 }, item: { pk: { S: 'a' } } }),
  'a deletion without a key': () => lines(answer(1), { stamp }),
  'billions of changes': () => lines(answer(4e9)),
  'another region': () => lines({ ...answer(0), from: virginia }),
}

test.each(Object.keys(answers))('a response with %s is rejected, and changes nothing', async (name) => {
  const { store } = stores.in(virginia)
  const lease: Lease = { aborted: false, transact: store.transact.bind(store) }
  const receiver = stores.links(virginia).receiver(dublin, lease)
  await expect(receiver.receive(answers[name]?.() ?? Buffer.alloc(0))).rejects.toBeInstanceOf(LinkRefusal)
  expect(await stores.in(virginia).items(virginia, 'music')).toEqual({})
})

test('names from prototypes are names like others', async () => {
  const { store } = stores.in(virginia)
  const lease: Lease = { aborted: false, transact: store.transact.bind(store) }
  const item = '{"pk":{"S":"__proto__"},"__proto__":{"S":"x"}}'
  const change = `{"stamp":${JSON.stringify(stamp)},"item":${item}}`
  await stores
    .links(virginia)
    .receiver(dublin, lease)
    .receive(lines(answer(1), change))
  expect(JSON.stringify(await stores.in(virginia).get(virginia, 'music', '__proto__'))).toBe(item)
})

test('responses that come again, or in another order, change nothing', async () => {
  const { store, owned } = stores.in(virginia)
  const lease: Lease = { aborted: false, transact: store.transact.bind(store) }
  const written = (after: number, more: object): Buffer =>
    lines(answer(1), { stamp: { ...stamp, micros: nowMicros + after }, ...more })
  const first = written(1, { item: { pk: { S: 'r' }, v: { N: '1' } } })
  const second = written(2, { item: { pk: { S: 'r' }, v: { N: '2' } } })
  const deleted = written(3, { key: { pk: { S: 'r' } } })
  const last = written(4, { item: { pk: { S: 'r' }, v: { N: '4' } } })
  for (const message of [second, first, second, deleted, first, second, last, deleted, first]) {
    await stores.links(virginia).receiver(dublin, lease).receive(message)
  }
  expect(await stores.in(virginia).get(virginia, 'music', 'r')).toEqual({ pk: { S: 'r' }, v: { N: '4' } })
  expect(await owned.engine.conflicts()).toEqual([])
})

test('a request that begins to fill a replica acknowledges nothing when it comes again later', async () => {
  const begin = (): Promise<Buffer> =>
    stores.links(dublin).answerFill(lines({ version: 1, from: virginia, id, region: virginia }))
  await stores.exchangeAll(2)
  stores.advance(10)
  await stores.in(dublin).put(dublin, 'music', { pk: { S: 'unsent' } })
  await expect(begin()).rejects.toBeInstanceOf(LinkRefusal)
  const { links } = await stores.in(dublin).owned.engine.replicationReport()
  expect(links).toMatchObject([{ from: dublin, to: virginia, pending: 1 }])
})
