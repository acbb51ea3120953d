import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allPages, createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

beforeAll(async () => {
  db = await openTestEngine()
  await db.run('CreateTable', createTableInput('items', { hash: 'pk' }))
  await db.run('CreateTable', createTableInput('others', { hash: 'pk' }))
})
afterAll(() => db.close())

const key = (pk: string): object => ({ pk: { S: pk } })
/** An item of 390 KB, but of three megabytes of JSON. */
const longList = { L: Array.from({ length: 390_000 }, () => ({ S: '' })) }
const largeMap = { M: Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [i.toString(36), { S: '' }])) }
const largeSet = { SS: Array.from({ length: 40_000 }, (_, i) => i.toString(36)) }
const times = (count: number, text: (index: number) => string, between: string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(between)

/** The processor's time, since a machine may be busy with something else. Everything here took many times as much. */
async function cpuSecondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

async function refusalOf(operation: string, input: object): Promise<string> {
  return db.run(operation, input).then(
    () => 'none',
    (error: Error) => error.message,
  )
}

describe('an update', () => {
  beforeAll(() => db.run('PutItem', { TableName: 'items', Item: { ...key('list'), a: longList } }))

  test.each([
    ['that sets one list many times', `SET ${times(300, (i) => `b${i} = a`, ',')}`],
    ['that appends lists many times', `SET ${times(120, (i) => `b${i} = list_append(a, a)`, ',')}`],
  ])('%s is refused for its size before it is carried out', async (_, UpdateExpression) => {
    const update = { TableName: 'items', Key: key('list'), UpdateExpression }
    const seconds = await cpuSecondsOf(async () => {
      expect(await refusalOf('UpdateItem', update)).toBe(
        'Item size to update has exceeded the maximum allowed size',
      )
    })
    expect(seconds).toBeLessThan(1.5)
  })

  test('that adds to, and deletes from, many sets is one of all its members', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `s${i}`)
    const Item = { ...key('sets'), ...Object.fromEntries(names.map((name) => [name, { SS: ['x', 'y'] }])) }
    await db.run('PutItem', { TableName: 'items', Item })
    const large = { TableName: 'items', Key: key('sets'), ExpressionAttributeValues: { ':s': largeSet } }
    const seconds = await cpuSecondsOf(async () => {
      const add = { ...large, UpdateExpression: `ADD ${names.map((name) => `${name} :s`).join(',')}` }
      expect(await refusalOf('UpdateItem', add)).toContain('exceeded the maximum allowed size')
      await db.run('UpdateItem', {
        ...large,
        ExpressionAttributeValues: { ':s': { SS: [...largeSet.SS, 'not there'] } },
        UpdateExpression: `DELETE ${names.map((name) => `${name} :s`).join(',')}`,
      })
    })
    expect(seconds).toBeLessThan(2)
    // The large set has an x and a y, and an attribute without members goes.
    expect((await db.run('GetItem', { TableName: 'items', Key: key('sets') })).Item).toEqual(key('sets'))
  })
})

describe('a condition', () => {
  test('that compares the same large values again and again does so once', async () => {
    await db.run('PutItem', { TableName: 'items', Item: { ...key('map'), m: largeMap, s: largeSet } })
    const seconds = await cpuSecondsOf(() =>
      db.run('UpdateItem', {
        TableName: 'items',
        Key: key('map'),
        UpdateExpression: 'SET z = :z',
        ConditionExpression: times(70, () => 'm = :m AND s = :s', ' AND '),
        ExpressionAttributeValues: { ':z': { S: '' }, ':m': largeMap, ':s': largeSet },
      }),
    )
    expect(seconds).toBeLessThan(3)
  })

  test('looks through texts and bytes in linear time', async () => {
    const text = 'a'.repeat(190_000)
    const Item = { ...key('text'), t: { S: text }, b: { B: Buffer.from(text).toString('base64') } }
    await db.run('PutItem', { TableName: 'items', Item })
    const sought = `${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`
    const update = {
      TableName: 'items',
      Key: key('text'),
      UpdateExpression: 'SET z = :z',
      ConditionExpression: times(50, () => 'contains(t, :t) OR contains(b, :b)', ' OR '),
      ExpressionAttributeValues: {
        ':z': { S: '' },
        ':t': { S: sought },
        ':b': { B: Buffer.from(sought).toString('base64') },
      },
    }
    const seconds = await cpuSecondsOf(async () => {
      expect(await refusalOf('UpdateItem', update)).toBe('The conditional request failed')
    })
    expect(seconds).toBeLessThan(3)
  })
})

describe('a page', () => {
  beforeAll(async () => {
    for (let from = 0; from < 500; from += 25) {
      const puts = Array.from({ length: 25 }, (_, i) => ({ PutRequest: { Item: key(`${from + i}`) } }))
      await db.run('BatchWriteItem', { RequestItems: { others: puts } })
    }
  })

  test('whose filter is very large ends early, and the next goes on', async () => {
    const AttributeValueList = Array.from({ length: 50_000 }, (_, i) => ({ S: `${i % 2 === 0 ? i : -i}` }))
    const pages = await allPages(db, 'Scan', {
      TableName: 'others',
      ScanFilter: { pk: { ComparisonOperator: 'IN', AttributeValueList } },
    })
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.reduce((sum, { ScannedCount }) => sum + (ScannedCount ?? 0), 0)).toBe(500)
    expect(pages.reduce((sum, { Count }) => sum + (Count ?? 0), 0)).toBe(250)
  })

  test('of a usual filter does not', async () => {
    const pages = await allPages(db, 'Scan', {
      TableName: 'others',
      FilterExpression: times(30, () => 'contains(pk, :v)', ' OR '),
      ExpressionAttributeValues: { ':v': { S: '1' } },
    })
    expect(pages).toHaveLength(1)
  })

  test('projects very many names at the cost of those that an item has', async () => {
    const AttributesToGet = ['pk', ...Array.from({ length: 200_000 }, (_, i) => `a${i}`)]
    const seconds = await cpuSecondsOf(async () => {
      expect((await db.run('Scan', { TableName: 'others', AttributesToGet })).Items).toHaveLength(500)
    })
    expect(seconds).toBeLessThan(3)
  })
})

describe('items of very many values', () => {
  const keys = Array.from({ length: 8 }, (_, i) => key(`many ${i}`))

  beforeAll(async () => {
    for (const one of keys) await db.run('PutItem', { TableName: 'items', Item: { ...one, a: longList } })
  })

  test('are read by a batch in several turns of the event loop', async () => {
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    const asked = { Keys: keys, ProjectionExpression: 'pk' }
    const { Responses } = (await db.run('BatchGetItem', { RequestItems: { items: asked } })) as {
      Responses?: Record<string, unknown[]>
    }
    clearInterval(counting)
    expect(Responses?.['items']).toHaveLength(8)
    expect(turns).toBeGreaterThan(2)
  })

  test('are changed by a transaction, but not too many of them', async () => {
    const update = (one: object): object => ({
      Update: {
        TableName: 'items',
        Key: one,
        UpdateExpression: 'SET z = :z',
        ExpressionAttributeValues: { ':z': { S: '' } },
      },
    })
    expect(await refusalOf('TransactWriteItems', { TransactItems: keys.map(update) })).toContain(
      'Change fewer of them at once.',
    )
    expect(await refusalOf('TransactWriteItems', { TransactItems: keys.slice(0, 2).map(update) })).toBe('none')
  })
})
