import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { fileURLToPath } from 'node:url'
import { open } from '../open.ts'
import { plantSeeds } from '../seed/plant-seeds.ts'
import { readSeeds } from '../seed/read-seeds.ts'
import { openDatabase } from './open-database.ts'
import { runTransfer } from './run-transfer.ts'

let folder: string
let told: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-seed-'))
  told = ''
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (told += `${text}\n`))
})

afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

const at = (name: string): string => join(folder, name)
const seed = (...words: string[]): Promise<number> => runTransfer('seed', [...words, '--path', at('data')])

async function withOrders(): Promise<void> {
  const db = await open({ path: at('data') })
  await db.execute('CreateTable', {
    TableName: 'Orders',
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'S' },
      { AttributeName: 'n', AttributeType: 'N' },
    ],
    KeySchema: [
      { AttributeName: 'id', KeyType: 'HASH' },
      { AttributeName: 'n', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await db.close()
}

async function itemsIn(TableName: string): Promise<unknown[]> {
  const database = await openDatabase(`lmdb:${at('data')}`, {})
  const { Items } = await database.request('Scan', { TableName })
  await database.close()
  return Items as unknown[]
}

describe('seed', () => {
  test.each<[string, string, string]>([
    ['Orders.json', 'a list of plain items', '[{"id":"a","n":1,"tags":["x",null,{"ok":true}]}]'],
    ['Orders.json', 'one item', '{"id":"a","n":1,"tags":["x",null,{"ok":true}]}'],
    [
      'any.json',
      'lists by table',
      '{"Orders":[{"id":"b","n":2},{"id":"a","n":1},{"id":"a","n":1,"tags":["x",null,{"ok":true}]},{"id":"b","n":2}]}',
    ],
    [
      'any.json',
      'the form of BatchWriteItem',
      '{"Orders":[{"PutRequest":{"Item":{"id":{"S":"a"},"n":{"N":"1"},"tags":{"L":[{"S":"x"},{"NULL":true},{"M":{"ok":{"BOOL":true}}}]}}}}]}',
    ],
    [
      'Orders.jsonl',
      'an item per line, in DynamoDB JSON',
      '{"Item":{"id":{"S":"a"},"n":{"N":"1"},"tags":{"L":[{"S":"x"},{"NULL":true},{"M":{"ok":{"BOOL":true}}}]}}}\n\n{"id":{"S":"b"},"n":{"N":"2"}}\n',
    ],
  ])('takes %s: %s', async (name, _, content) => {
    await withOrders()
    await writeFile(at(name), content)
    expect([await seed(at(name)), told]).toEqual([0, expect.stringMatching(/^ {2}Orders: [12] items? from /)])
    expect(await itemsIn('Orders')).toContainEqual({
      id: { S: 'a' },
      n: { N: '1' },
      tags: { L: [{ S: 'x' }, { NULL: true }, { M: { ok: { BOOL: true } } }] },
    })
  })

  test('takes a folder, with CSV whose key types are the table’s', async () => {
    await withOrders()
    await mkdir(at('seeds'))
    await writeFile(at('seeds/Orders.csv'), 'id,n,name\na,1,"x,y"\n')
    await writeFile(at('seeds/Orders.more.json'), '[{"id":"b","n":2.5,"__proto__":"kept","constructor":{"S":1}}]')
    await writeFile(at('seeds/README.md'), '# not data')
    expect([await seed(at('seeds')), told]).toEqual([0, expect.any(String)])
    const items = await itemsIn('Orders')
    expect(items).toContainEqual({ id: { S: 'a' }, n: { N: '1' }, name: { S: 'x,y' } })
    expect(JSON.stringify(items)).toContain('"__proto__":{"S":"kept"}')
  })

  test('takes a NoSQL Workbench model: its tables, indexes and sample data', async () => {
    const key = (AttributeName: string, AttributeType: string) => ({ AttributeName, AttributeType })
    const model = {
      ModelName: 'Discussion',
      DataModel: [
        {
          TableName: 'Forum',
          KeyAttributes: { PartitionKey: key('Name', 'S'), SortKey: key('At', 'N') },
          NonKeyAttributes: [],
          TableFacets: [{ FacetName: 'F', TableData: [{ Name: { S: 'b' }, At: { N: '2' } }] }],
          GlobalSecondaryIndexes: [
            {
              IndexName: 'ByAuthor',
              KeyAttributes: { PartitionKey: key('Author', 'S') },
              Projection: { ProjectionType: 'KEYS_ONLY' },
            },
          ],
          TableData: [{ Name: { S: 'a' }, At: { N: '1' }, Author: { S: 'x' } }],
        },
      ],
    }
    await writeFile(at('model.json'), JSON.stringify(model))
    expect([await seed(at('model.json')), told]).toEqual([0, expect.stringContaining('Forum: 2 items')])
    const database = await openDatabase(`lmdb:${at('data')}`, {})
    const found = await database.request('Query', {
      TableName: 'Forum',
      IndexName: 'ByAuthor',
      KeyConditionExpression: 'Author = :x',
      ExpressionAttributeValues: { ':x': { S: 'x' } },
    })
    await database.close()
    expect(found['Count']).toBe(1)
  })

  test('takes a model: its tables, and items of every entity; again changes nothing', async () => {
    const file = join(import.meta.dirname, '../../../../examples/music/music.model.ts')
    expect([await seed(file), told]).toEqual([0, expect.stringMatching(/ items from the model /)])
    const database = await openDatabase(`lmdb:${at('data')}`, {})
    const { TableNames } = await database.request('ListTables', {})
    await database.close()
    const names = TableNames as string[]
    const before = await itemsIn(names[0] ?? '')
    expect(before.length).toBeGreaterThan(10)
    expect(await seed(file)).toBe(0)
    expect(await itemsIn(names[0] ?? '')).toEqual(before)
  })

  test('numbers within texts are texts, however long', async () => {
    await withOrders()
    const t = `\\" 0.12345678901234567890 \\${'\n'.repeat(300_000)}\\`
    await writeFile(at('Orders.json'), JSON.stringify([{ id: 'a', n: 1, t }]))
    expect([await seed(at('Orders.json')), told]).toEqual([0, expect.stringContaining('1 item from')])
    expect(await itemsIn('Orders')).toEqual([{ id: { S: 'a' }, n: { N: '1' }, t: { S: t } }])
  })

  test.each<[string, Uint8Array]>([
    ['Orders.json', Buffer.from('\ufeff[{"id":"a","n":1,"t":"é"}]')],
    ['Orders.json', Buffer.from('\ufeff[{"id":"a","n":1,"t":"é"}]', 'utf16le')],
    ['Orders.json', Buffer.from('\ufeff[{"id":"a","n":1,"t":"é"}]', 'utf16le').swap16()],
    ['Orders.csv', Buffer.from('\ufeffid,n,t\r\na,1,é\r\n', 'utf16le')],
    ['Orders.jsonl', Buffer.from('\ufeff{"id":"a","n":1,"t":"é"}\r\n')],
    ['Orders.json.gz', gzipSync('[{"id":"a","n":1,"t":"é"}]')],
    ['Orders.more.CSV.GZ', gzipSync('id,n,t\na,1,é\n')],
  ])('takes %s as programs on Windows write it, or compressed: %#', async (name, content) => {
    await withOrders()
    await mkdir(at('seeds'))
    await writeFile(at(`seeds/${name}`), content)
    expect([await seed(at('seeds')), told]).toEqual([0, expect.stringContaining('Orders: 1 item from')])
    expect(await itemsIn('Orders')).toEqual([{ id: { S: 'a' }, n: { N: '1' }, t: { S: 'é' } }])
  })

  test.each<[string, string]>([
    ['Orders.json', '[{"Item":{"id":{"S":"a"},"n":{"N":"1.0"}}},{"id":"a","n":1,"last":true}]'],
    ['Orders.jsonl', '{"id":{"S":"a"},"n":{"N":"1.0"}}\n{"id":{"S":"a"},"n":{"N":"1"},"last":{"BOOL":true}}\n'],
    ['Orders.csv', 'id,n,last\na,1e0,\na,01,yes\n'],
  ])('of items in %s whose keys are the same number, the last one counts', async (name, content) => {
    await withOrders()
    await writeFile(at(name), content)
    expect([await seed(at(name)), told]).toEqual([0, expect.stringContaining('Orders: 1 item from')])
    expect(await itemsIn('Orders')).toMatchObject([{ id: { S: 'a' }, n: { N: '1' }, last: {} }])
  })

  test('looks for the server that HASHRANGE_ENDPOINT names', async () => {
    await writeFile(at('Orders.json'), '[{"id":"a","n":1}]')
    vi.stubEnv('HASHRANGE_ENDPOINT', 'http://127.0.0.1:9')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect([await runTransfer('seed', [at('Orders.json')]), told]).toEqual([
      expect.any(Number),
      expect.stringContaining('http://127.0.0.1:9'),
    ])
  })

  test.each<[string, string | Uint8Array, string]>([
    ['missing.json', '', 'There is no file or folder'],
    ['Nothing.json', '[{"id":"a"}]', 'has items for the table Nothing, which does not exist'],
    ['Orders.json', '{"id":', 'Orders.json is not JSON: '],
    ['Orders.json', '[\n{"id":"a","n":1},\n]', 'Orders.json is not JSON: '],
    ['Orders.json', '{"id":"a","n":1}\n{"id":', 'line 2: this is not JSON'],
    ['Orders.json', '[1]', 'item 1 of Orders is not an item'],
    ['Orders.json', '7', 'contains no items'],
    ['Orders.json', `[{"id":"a","n":${'['.repeat(3000)}${']'.repeat(3000)}}]`, 'is nested too deeply'],
    ['Orders.json', '[{"id":"a","n":12345678901234567890}]', 'too many digits for plain JSON'],
    ['Orders.json', '[{"id":"a","n":0.12345678901234567890}]', 'too many digits for plain JSON'],
    ['Orders.json', '[{"id":"a","n":1e400}]', 'the number 1e400 cannot be read exactly from plain JSON'],
    ['Orders.json', '[{"id":"a","n":-1e-400}]', 'the number -1e-400 cannot be read exactly'],
    ['Orders.json', `[{"id":"a","n":0.${'123'.repeat(20)}}]`, 'too many digits for plain JSON'],
    [
      'Orders.json',
      '{"id":"a","n":1}\n{"id":"b","n":1.0000000000000000001}\n',
      'line 2: the number 1.0000000000000000001 has',
    ],
    ['Orders.json', Buffer.from('[{"id":"é","n":1}]', 'latin1'), 'is not text in UTF-8'],
    ['Orders.json.gz', gzipSync('[{"id":"a","n":1}]').subarray(0, 20), 'Orders.json.gz cannot be unpacked'],
    ['Orders.json.gz', gzipSync(Buffer.alloc(65 * 1024 * 1024)), 'is larger than 64 MB'],
    ['Orders.csv', 'id,n,n\na,1,2\n', 'Orders.csv, line 2: The header has the column "n" twice'],
    ['Orders.csv', 'id,n\ra,1\r', 'Orders.csv ends its lines with CR alone. Save it with LF or CR LF.'],
    ['Orders.csv', 'id,n\na,many\n', 'The table Orders rejected an item of'],
  ])('refuses %s, whatever is wrong with it: %#', async (name, content, sentence) => {
    await withOrders()
    if (content !== '') await writeFile(at(name), content)
    expect([await seed(at(name)), told]).toEqual([2, expect.stringContaining(sentence)])
    expect(await itemsIn('Orders')).toEqual([])
  })
})

test('a model is seeded with what is there by itself, so that what is derived can be computed from it', async () => {
  const file = fileURLToPath(new URL('../../../../examples/reviews/reviews.model.ts', import.meta.url))
  expect(await seed(file)).toBe(0)
  const db = await open({ path: at('data') })
  const { Items } = await db.execute('Scan', { TableName: 'reviews' })
  await db.close()
  const entities = (Items as readonly { readonly entity: { readonly S: string } }[]).map(({ entity }) => entity.S)
  expect([...new Set(entities)].toSorted()).toEqual(['Product', 'Review'])
})

test('a start that is killed while it fills a table is made up for by the next one', async () => {
  await withOrders()
  const items = Array.from({ length: 60 }, (_, n) => ({ id: 'a', n }))
  await writeFile(at('Orders.json'), JSON.stringify(items))
  const seeds = await readSeeds([at('Orders.json')], () => Promise.resolve([]))
  const planting = { onlyEmpty: true, tell: (line: string) => void (told += `${line}\n`) }
  const database = await openDatabase(`lmdb:${at('data')}`, {})
  let written = 0
  const killed: typeof database = {
    ...database,
    request: async (operation, input, region) => {
      if (operation === 'BatchWriteItem' && ++written > 1) throw new Error('killed')
      return database.request(operation, input, region)
    },
  }
  await expect(plantSeeds(killed, seeds, planting)).rejects.toThrow('killed')
  expect((await database.request('Scan', { TableName: 'Orders' }))['Count']).toBeLessThan(60)
  expect(await plantSeeds(database, seeds, planting)).toBe(60)
  expect((await database.request('Scan', { TableName: 'Orders' }))['Count']).toBe(60)
  await database.request('DeleteItem', { TableName: 'Orders', Key: { id: { S: 'a' }, n: { N: '1' } } })
  expect(await plantSeeds(database, seeds, planting)).toBe(0)
  await database.close()
  expect(told).toContain('left alone, because it has items')
})
