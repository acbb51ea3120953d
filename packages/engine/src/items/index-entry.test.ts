import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { countsOf } from '../catalog/counts.ts'
import {
  createTableInput,
  openTestEngine,
  testScope,
  type Answer,
  type TestEngine,
} from '../testing/test-engine.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
})

afterEach(() => db.close())

const put = (TableName: string, Item: object): Promise<unknown> => db.run('PutItem', { TableName, Item })
const scan = async (TableName: string, IndexName: string): Promise<Answer['Items']> =>
  (await db.run('Scan', { TableName, IndexName })).Items

/** Items and bytes that the index is said to hold. */
async function counts(TableName: string, indexName: string): Promise<unknown> {
  const index = db.engine.requireTable(testScope, TableName).index(indexName)
  return countsOf(db.store, index?.indexId ?? 0)
}

describe('a sparse index', () => {
  beforeEach(() =>
    db.run(
      'CreateTable',
      createTableInput('tasks', { hash: 'pk', global: { open: { hash: ['open'], range: ['due:N'] } } }),
    ),
  )

  const Key = { pk: { S: 'a' } }
  const item = { ...Key, open: { S: 'yes' }, due: { N: '1' } }
  const update = (UpdateExpression: string, values?: object): Promise<unknown> =>
    db.run('UpdateItem', {
      TableName: 'tasks',
      Key,
      UpdateExpression,
      ...(values && { ExpressionAttributeValues: values }),
    })

  test('holds the items that have all of its key, from when they have it until they do not', async () => {
    await put('tasks', { ...Key, open: { S: 'yes' } })
    expect(await scan('tasks', 'open')).toEqual([])
    await update('SET due = :d', { ':d': { N: '1' } })
    expect(await scan('tasks', 'open')).toEqual([item])
    expect(await counts('tasks', 'open')).toEqual({ items: 1, bytes: 15 })
    await update('REMOVE due')
    expect(await scan('tasks', 'open')).toEqual([])
    await put('tasks', item)
    await put('tasks', Key)
    expect(await scan('tasks', 'open')).toEqual([])
    await put('tasks', item)
    await db.run('DeleteItem', { TableName: 'tasks', Key })
    expect(await scan('tasks', 'open')).toEqual([])
    expect(await counts('tasks', 'open')).toEqual({ items: 0, bytes: 0 })
  })
})

describe('a projection', () => {
  const item = {
    pk: { S: 'a' },
    sk: { S: '1' },
    g: { S: 'g' },
    l: { S: 'l' },
    shown: { M: { x: { L: [{ N: '1' }] } } },
    kept: { S: 'k' },
  }

  beforeEach(async () => {
    const global = {
      all: { hash: ['g'] },
      keys: { hash: ['g'], projection: 'KEYS_ONLY' as const },
      some: { hash: ['g'], range: ['pk'], projection: ['shown', 'absent'] },
    }
    const local = { localKeys: { range: 'l', projection: 'KEYS_ONLY' as const } }
    await db.run('CreateTable', createTableInput('projected', { hash: 'pk', range: 'sk', global, local }))
    await put('projected', item)
  })

  const keys = { pk: item.pk, sk: item.sk, g: item.g }

  test('shows the keys of table and index, and what it includes', async () => {
    expect(await scan('projected', 'all')).toEqual([item])
    expect(await scan('projected', 'keys')).toEqual([keys])
    expect(await scan('projected', 'some')).toEqual([{ ...keys, shown: item.shown }])
    expect(await scan('projected', 'localKeys')).toEqual([{ pk: item.pk, sk: item.sk, l: item.l }])
  })

  test('follows the item', async () => {
    await put('projected', { ...item, shown: { S: 'new' }, absent: { S: 'here' } })
    expect(await scan('projected', 'some')).toEqual([{ ...keys, shown: { S: 'new' }, absent: { S: 'here' } }])
  })

  test('of a global index is all that can be asked of it', async () => {
    const query = {
      TableName: 'projected',
      IndexName: 'some',
      KeyConditionExpression: 'g = :g',
      ExpressionAttributeValues: { ':g': { S: 'g' } },
    }
    expect((await db.refusal('Query', { ...query, Select: 'ALL_ATTRIBUTES' })).message).toBe(
      'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index some because its projection type is not ALL',
    )
    expect((await db.refusal('Query', { ...query, ProjectionExpression: 'pk, kept' })).message).toBe(
      'One or more parameter values were invalid: Global secondary index some does not project [kept]',
    )
    expect((await db.run('Query', { ...query, ProjectionExpression: 'shown.x[0]' })).Items).toEqual([
      { shown: { M: { x: { L: [{ N: '1' }] } } } },
    ])
    const consistent = { ...query, ConsistentRead: true }
    expect((await db.refusal('Query', consistent)).message).toBe(
      'Consistent reads are not supported on global secondary indexes',
    )
  })

  test('of a local index is filled up from the items', async () => {
    const query = {
      TableName: 'projected',
      IndexName: 'localKeys',
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': { S: 'a' } },
    }
    expect((await db.run('Query', { ...query, Select: 'ALL_ATTRIBUTES' })).Items).toEqual([item])
    expect((await db.run('Query', { ...query, ProjectionExpression: 'kept, l' })).Items).toEqual([
      { l: item.l, kept: item.kept },
    ])
  })
})

describe('an overloaded index', () => {
  test('holds entities of all kinds in one order', async () => {
    const table = { hash: 'pk', range: 'sk', global: { inverted: { hash: ['sk'], range: ['pk'] } } }
    await db.run('CreateTable', createTableInput('orders', table))
    const keys = [
      ['CUSTOMER#1', 'PROFILE'],
      ['CUSTOMER#1', 'ORDER#1'],
      ['ORDER#1', 'ITEM#1'],
      ['ORDER#2', 'ITEM#1'],
      ['ORDER#1', 'ITEM#2'],
    ] as const
    for (const [pk, sk] of keys) await put('orders', { pk: { S: pk }, sk: { S: sk } })
    const { Items } = await db.run('Query', {
      TableName: 'orders',
      IndexName: 'inverted',
      KeyConditionExpression: 'sk = :i AND begins_with(pk, :o)',
      ExpressionAttributeValues: { ':i': { S: 'ITEM#1' }, ':o': { S: 'ORDER#' } },
    })
    expect(Items).toEqual([
      { pk: { S: 'ORDER#1' }, sk: { S: 'ITEM#1' } },
      { pk: { S: 'ORDER#2' }, sk: { S: 'ITEM#1' } },
    ])
  })
})

describe('a key of four and four attributes', () => {
  const hash = ['h1', 'h2:N', 'h3:B', 'h4']
  const range = ['r1', 'r2:N', 'r3', 'r4:N']

  const item = (pk: string, r1: string, r2: number, r3: string, r4: number): Record<string, object> => ({
    pk: { S: pk },
    h1: { S: 'a' },
    h2: { N: '1' },
    h3: { B: 'AAE=' },
    h4: { S: 'b' },
    r1: { S: r1 },
    r2: { N: `${r2}` },
    r3: { S: r3 },
    r4: { N: `${r4}` },
  })

  beforeEach(async () => {
    const table = { hash: 'pk', global: { wide: { hash, range, projection: 'KEYS_ONLY' as const } } }
    await db.run('CreateTable', createTableInput('wide', table))
    await put('wide', item('5', 'x', 10, 'b', 1))
    await put('wide', item('3', 'x', 9, 'b', -1))
    await put('wide', item('4', 'x', 9, 'b', 3))
    await put('wide', item('2', 'x', 9, 'a', 7))
    await put('wide', item('1', 'wx', 100, 'z', 0))
    await put('wide', { ...item('other', 'x', 9, 'a', 7), h2: { N: '2' } })
    for (const name of ['h1', 'h2', 'h3', 'h4', 'r1', 'r2', 'r3', 'r4']) {
      const { [name]: _, ...lacking } = item(`lacks ${name}`, 'x', 9, 'a', 7)
      await put('wide', lacking)
    }
  })

  const hashCondition = 'h4 = :h4 AND h1 = :h1 AND h3 = :h3 AND h2 = :h2'
  const hashValues = { ':h1': { S: 'a' }, ':h2': { N: '1.0' }, ':h3': { B: 'AAE=' }, ':h4': { S: 'b' } }
  const query = (condition = '', values: object = {}, more: object = {}): object => ({
    TableName: 'wide',
    IndexName: 'wide',
    KeyConditionExpression: `${condition === '' ? '' : `${condition} AND `}${hashCondition}`,
    ExpressionAttributeValues: { ...hashValues, ...values },
    ...more,
  })
  const keysOf = (page: Answer): unknown[] => (page.Items ?? []).map(({ pk }) => pk?.['S'])

  test('sorts by each attribute in turn, and holds no item that lacks one', async () => {
    expect(keysOf(await db.run('Query', query()))).toEqual(['1', '2', '3', '4', '5'])
    expect(keysOf(await db.run('Query', query('', {}, { ScanIndexForward: false })))).toEqual([
      '5',
      '4',
      '3',
      '2',
      '1',
    ])
    expect(await counts('wide', 'wide')).toMatchObject({ items: 6 })
  })

  const x = { ':x': { S: 'x' } }
  const nine = { ':n': { N: '9' } }
  test.each([
    ['r1 = :x', x, ['2', '3', '4', '5']],
    ['begins_with(r1, :w)', { ':w': { S: 'w' } }, ['1']],
    ['r2 <= :n AND r1 = :x', { ...x, ...nine }, ['2', '3', '4']],
    ['r2 > :n AND r1 = :x', { ...x, ...nine }, ['5']],
    ['r3 > :a AND r2 = :n AND r1 = :x', { ...x, ...nine, ':a': { S: 'a' } }, ['3', '4']],
    [
      'r4 BETWEEN :l AND :u AND r3 = :b AND r2 = :n AND r1 = :x',
      { ...x, ...nine, ':b': { S: 'b' }, ':l': { N: '-1' }, ':u': { N: '2' } },
      ['3'],
    ],
    ['r1 = :x AND r2 = :n AND r3 = :b AND r4 = :u', { ...x, ...nine, ':b': { S: 'b' }, ':u': { N: '3' } }, ['4']],
  ])('%s', async (condition, values, expected) => {
    expect(keysOf(await db.run('Query', query(condition, values)))).toEqual(expected)
  })

  test('needs all hash attributes, and of the range attributes a prefix', async () => {
    const some = {
      TableName: 'wide',
      IndexName: 'wide',
      KeyConditionExpression: 'h1 = :h1 AND h2 = :h2 AND h3 = :h3',
      ExpressionAttributeValues: { ':h1': { S: 'a' }, ':h2': { N: '1' }, ':h3': { B: 'AAE=' } },
    }
    expect((await db.refusal('Query', some)).message).toBe(
      'HASH key attributes h4 must have equality conditions specified in the query',
    )
    const unequal = (lacking: string, last: string): string =>
      `RANGE key attributes ${lacking} must have equality conditions specified in the query because a condition is present on key attribute ${last}`
    expect((await db.refusal('Query', query('r2 = :n', nine))).message).toBe(unequal('r1', 'r2'))
    expect((await db.refusal('Query', query('r2 = :n AND r1 > :x', { ...nine, ...x }))).message).toBe(
      unequal('r1', 'r2'),
    )
    const filtered = query('', { ':f': { S: 'x' } }, { FilterExpression: 'r3 = :f' })
    expect((await db.refusal('Query', filtered)).message).toBe(
      'Filter Expression can only contain non-primary key attributes: Primary key attribute: r3',
    )
  })

  test('pages name all keys, and go on from all of them', async () => {
    const found: unknown[] = []
    let start: Answer['LastEvaluatedKey']
    do {
      const page = await db.run('Query', query('', {}, { Limit: 1, ...(start && { ExclusiveStartKey: start }) }))
      found.push(...keysOf(page))
      start = page.LastEvaluatedKey
      if (start !== undefined) {
        expect(Object.keys(start).toSorted()).toEqual(['h1', 'h2', 'h3', 'h4', 'pk', 'r1', 'r2', 'r3', 'r4'])
        const { r2: _, ...ExclusiveStartKey } = start
        expect((await db.refusal('Query', query('', {}, { ExclusiveStartKey }))).message).toBe(
          'The provided starting key is invalid',
        )
      }
    } while (start !== undefined)
    expect(found).toEqual(['1', '2', '3', '4', '5'])
  })

  test('its parts do not run together', async () => {
    const values = { ':h1': { S: 'ab' }, ':h2': { N: '1' }, ':h3': { B: 'AAE=' }, ':h4': { S: 'c' } }
    await put('wide', { ...item('joined', 'x', 9, 'a', 7), h1: { S: 'a' }, h4: { S: 'bc' } })
    expect(keysOf(await db.run('Query', query('', values)))).toEqual([])
    await put('wide', { ...item('joined', 'x', 9, 'a', 7), h1: { S: 'ab' }, h4: { S: 'c' } })
    expect(keysOf(await db.run('Query', query('', values)))).toEqual(['joined'])
  })

  test('the sum of its parts is limited', async () => {
    const long = { ...item('long', 'x'.repeat(1_000), 9, 'y'.repeat(20), 7) }
    await put('wide', long)
    const error = await db.refusal('PutItem', { TableName: 'wide', Item: { ...long, r3: { S: 'y'.repeat(21) } } })
    expect(error.message).toBe(
      'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
    )
  })
})
