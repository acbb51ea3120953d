import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createTableInput,
  openTestEngine,
  type Answer,
  type TestConsumedCapacity,
  type TestEngine,
} from '../testing/test-engine.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
  await db.run('CreateTable', createTableInput('plain', { hash: 'pk' }))
  await db.run(
    'CreateTable',
    createTableInput('indexed', {
      hash: 'pk',
      range: 'sk',
      global: { wide: { hash: ['gpk'] }, narrow: { hash: ['npk'], projection: ['shown'] } },
      local: { local: { range: 'lsk', projection: 'KEYS_ONLY' } },
    }),
  )
})

afterEach(() => db.close())

/** What an answer says of capacity, without the table's name: `total`, or `[total, table, indexes]`. */
function arms(consumed: TestConsumedCapacity | undefined): unknown {
  if (consumed === undefined) return undefined
  if (consumed.Table === undefined) return consumed.CapacityUnits
  const indexes = { ...consumed.GlobalSecondaryIndexes, ...consumed.LocalSecondaryIndexes }
  return [
    consumed.CapacityUnits,
    consumed.Table.CapacityUnits,
    Object.fromEntries(Object.entries(indexes).map(([name, { CapacityUnits }]) => [name, CapacityUnits])),
  ]
}

async function consumedBy(operation: string, body: object, wanted = 'INDEXES'): Promise<unknown> {
  const answer = await db.run(operation, { ...body, ReturnConsumedCapacity: wanted })
  return arms(answer.ConsumedCapacity)
}

interface ManyTables {
  readonly ConsumedCapacity: readonly TestConsumedCapacity[]
}

async function consumedByMany(operation: string, body: object): Promise<unknown> {
  const answer = await db.run<ManyTables>(operation, { ...body, ReturnConsumedCapacity: 'INDEXES' })
  return answer.ConsumedCapacity.map(arms)
}

const key = { pk: { S: 'a' }, sk: { S: '1' } }
const text = (length: number): { S: string } => ({ S: 'x'.repeat(length) })
/** An item of exactly so many bytes in the table `plain`. */
const plainItem = (pk: string, sizeBytes: number): object => ({ pk: { S: pk }, t: text(sizeBytes - pk.length - 3) })

describe('reads of single items', () => {
  test.each([
    [1, 1, 0.5],
    [4_096, 1, 0.5],
    [4_097, 2, 1],
    [409_600, 100, 50],
  ])('an item of %i bytes costs %d, or %d when eventual', async (sizeBytes, consistent, eventual) => {
    const Key = { pk: { S: 'a' } }
    await db.run('PutItem', { TableName: 'plain', Item: sizeBytes === 1 ? Key : plainItem('a', sizeBytes) })
    expect(await consumedBy('GetItem', { TableName: 'plain', Key, ConsistentRead: true })).toEqual([
      consistent,
      consistent,
      {},
    ])
    expect(await consumedBy('GetItem', { TableName: 'plain', Key }, 'TOTAL')).toBe(eventual)
  })

  test('a missing item is paid for, and a projection saves nothing', async () => {
    const Key = { pk: { S: 'a' } }
    expect(await consumedBy('GetItem', { TableName: 'plain', Key })).toEqual([0.5, 0.5, {}])
    await db.run('PutItem', { TableName: 'plain', Item: plainItem('a', 10_000) })
    const projected = { TableName: 'plain', Key, ProjectionExpression: 'pk' }
    expect(await consumedBy('GetItem', projected)).toEqual([1.5, 1.5, {}])
  })

  test('BatchGetItem rounds each item by itself and tells of each table', async () => {
    await db.run('PutItem', { TableName: 'plain', Item: plainItem('a', 5_000) })
    await db.run('PutItem', { TableName: 'plain', Item: plainItem('b', 100) })
    const RequestItems = {
      plain: { Keys: ['a', 'b', 'none'].map((pk) => ({ pk: { S: pk } })) },
      indexed: { Keys: [key], ConsistentRead: true },
    }
    expect(await consumedByMany('BatchGetItem', { RequestItems })).toEqual([
      [2, 2, {}],
      [1, 1, {}],
    ])
  })

  test('TransactGetItems costs twice, missing items included, and says that it was reading', async () => {
    await db.run('PutItem', { TableName: 'plain', Item: plainItem('a', 5_000) })
    const TransactItems = ['a', 'none'].map((pk) => ({ Get: { TableName: 'plain', Key: { pk: { S: pk } } } }))
    expect(await db.run('TransactGetItems', { TransactItems, ReturnConsumedCapacity: 'INDEXES' })).toMatchObject({
      ConsumedCapacity: [
        {
          TableName: 'plain',
          CapacityUnits: 6,
          ReadCapacityUnits: 6,
          Table: { CapacityUnits: 6, ReadCapacityUnits: 6 },
        },
      ],
    })
  })
})

describe('reads of many items', () => {
  beforeEach(async () => {
    for (let n = 0; n < 5; n++) {
      const Item = { pk: { S: 'a' }, sk: { S: `${n}` }, lsk: { S: `${n}` }, gpk: { S: 'g' }, t: text(3_000) }
      await db.run('PutItem', { TableName: 'indexed', Item })
    }
  })

  const query = {
    TableName: 'indexed',
    KeyConditionExpression: 'pk = :a',
    ExpressionAttributeValues: { ':a': { S: 'a' } },
  }

  test('a page is rounded as a whole', async () => {
    // 5 × 3,015 bytes are a little less than 4 × 4,096.
    expect(await consumedBy('Query', { ...query, ConsistentRead: true })).toEqual([4, 4, {}])
    expect(await consumedBy('Query', query)).toEqual([2, 2, {}])
    expect(await consumedBy('Scan', { TableName: 'indexed' })).toEqual([2, 2, {}])
    expect(await consumedBy('Query', { ...query, Limit: 2 })).toEqual([1, 1, {}])
  })

  test('filter, projection and COUNT save nothing', async () => {
    const variants = [
      { FilterExpression: 'attribute_exists(nothing)' },
      { ProjectionExpression: 'sk' },
      { Select: 'COUNT' },
    ]
    for (const variant of variants) {
      expect(await consumedBy('Query', { ...query, ...variant }, 'TOTAL')).toBe(2)
      expect(await consumedBy('Scan', { TableName: 'indexed', ...variant }, 'TOTAL')).toBe(2)
    }
  })

  test('a query that finds nothing is paid for', async () => {
    const empty = { ...query, ExpressionAttributeValues: { ':a': { S: 'none' } } }
    expect(await consumedBy('Query', empty)).toEqual([0.5, 0.5, {}])
    expect(await consumedBy('Query', { ...empty, ConsistentRead: true })).toEqual([1, 1, {}])
  })

  test('an index is paid for by the size of its entries', async () => {
    const local = { ...query, IndexName: 'local' }
    expect(await consumedBy('Query', local)).toEqual([0.5, 0, { local: 0.5 }])
    expect(await consumedBy('Query', { ...local, ConsistentRead: true })).toEqual([1, 0, { local: 1 }])
    expect(await consumedBy('Scan', { TableName: 'indexed', IndexName: 'wide' })).toEqual([2, 0, { wide: 2 }])
  })

  test.each([{ Select: 'ALL_ATTRIBUTES' }, { ProjectionExpression: 'sk, t' }])(
    'a local index that lacks what %j asks for fetches each item, rounded by itself',
    async (variant) => {
      const local = { ...query, IndexName: 'local', ...variant }
      expect(await consumedBy('Query', { ...local, ConsistentRead: true })).toEqual([6, 5, { local: 1 }])
      expect(await consumedBy('Query', local)).toEqual([3, 2.5, { local: 0.5 }])
      const { Items = [] }: Answer = await db.run('Query', local)
      expect(Items.map(({ t }) => t)).toEqual(Array.from({ length: 5 }, () => text(3_000)))
    },
  )
})

describe('writes of single items', () => {
  test.each([
    [1_024, 1],
    [1_025, 2],
    [409_600, 400],
  ])('an item of %i bytes costs %d', async (sizeBytes, units) => {
    const Item = plainItem('a', sizeBytes)
    expect(await consumedBy('PutItem', { TableName: 'plain', Item })).toEqual([units, units, {}])
  })

  test('the larger of before and after counts', async () => {
    const Key = { pk: { S: 'a' } }
    const large = { TableName: 'plain', Item: plainItem('a', 3_000) }
    await db.run('PutItem', large)
    expect(await consumedBy('PutItem', { TableName: 'plain', Item: Key }, 'TOTAL')).toBe(3)
    expect(await consumedBy('PutItem', large, 'TOTAL')).toBe(3)
    expect(await consumedBy('UpdateItem', { TableName: 'plain', Key, UpdateExpression: 'REMOVE t' }, 'TOTAL')).toBe(
      3,
    )
    await db.run('PutItem', large)
    expect(await consumedBy('DeleteItem', { TableName: 'plain', Key }, 'TOTAL')).toBe(3)
    expect(await consumedBy('DeleteItem', { TableName: 'plain', Key }, 'TOTAL')).toBe(1)
  })

  test('BatchWriteItem sums up by table', async () => {
    await db.run('PutItem', { TableName: 'plain', Item: plainItem('gone', 2_000) })
    const RequestItems = {
      plain: [
        { PutRequest: { Item: plainItem('a', 1_500) } },
        { DeleteRequest: { Key: { pk: { S: 'gone' } } } },
        { DeleteRequest: { Key: { pk: { S: 'none' } } } },
      ],
      indexed: [{ PutRequest: { Item: { ...key, gpk: { S: 'g' } } } }],
    }
    expect(await consumedByMany('BatchWriteItem', { RequestItems })).toEqual([
      [5, 5, {}],
      [2, 1, { wide: 1 }],
    ])
  })
})

describe('index arms of a write', () => {
  const item = { ...key, gpk: { S: 'g' }, npk: { S: 'n' }, lsk: { S: 'l' }, shown: { S: 's' }, inside: { S: 'h' } }
  const put = (Item: object): Promise<unknown> => consumedBy('PutItem', { TableName: 'indexed', Item })
  const update = (UpdateExpression: string, values?: object): Promise<unknown> =>
    consumedBy('UpdateItem', {
      TableName: 'indexed',
      Key: key,
      UpdateExpression,
      ...(values && { ExpressionAttributeValues: values }),
    })
  const v = { ':v': { S: 'other' } }

  test('an insert costs one in each index that holds the item', async () => {
    expect(await put(key)).toEqual([1, 1, {}])
    expect(await put(item)).toEqual([4, 1, { wide: 1, narrow: 1, local: 1 }])
  })

  test('what changes nothing costs the indexes nothing', async () => {
    await put(item)
    expect(await put(item)).toEqual([1, 1, {}])
    expect(await update('SET inside = inside')).toEqual([1, 1, {}])
  })

  test('an attribute costs the indexes that project it', async () => {
    await put(item)
    expect(await update('SET inside = :v', v)).toEqual([2, 1, { wide: 1 }])
    expect(await update('SET shown = :v', v)).toEqual([3, 1, { wide: 1, narrow: 1 }])
    expect(await update('REMOVE shown')).toEqual([3, 1, { wide: 1, narrow: 1 }])
  })

  test('a change of an index key costs a removal and an insert', async () => {
    await put(item)
    expect(await update('SET npk = :v', v)).toEqual([4, 1, { wide: 1, narrow: 2 }])
    expect(await update('SET lsk = :v', v)).toEqual([4, 1, { wide: 1, local: 2 }])
  })

  test('a removal costs one, by key and with the item', async () => {
    await put(item)
    expect(await update('REMOVE npk')).toEqual([3, 1, { wide: 1, narrow: 1 }])
    expect(await consumedBy('DeleteItem', { TableName: 'indexed', Key: key })).toEqual([
      3,
      1,
      { wide: 1, local: 1 },
    ])
  })

  test('each half of a key change is rounded by itself, and sizes are those of the entries', async () => {
    await put({ ...item, inside: text(1_500) })
    expect(await update('SET gpk = :v, inside = :h', { ...v, ':h': text(2_500) })).toEqual([
      // The item goes from 1.5 to 2.5 KB, the entries of `narrow` and `local` stay small and the same.
      8,
      3,
      { wide: 5 },
    ])
  })

  test('TOTAL adds the arms up and does not show them', async () => {
    expect(await consumedBy('PutItem', { TableName: 'indexed', Item: item }, 'TOTAL')).toBe(4)
    expect(await consumedBy('PutItem', { TableName: 'indexed', Item: item }, 'NONE')).toBeUndefined()
  })
})

describe('transactions', () => {
  const transact = (TransactItems: object[], more: object = {}): Promise<unknown> =>
    db.run('TransactWriteItems', { TransactItems, ReturnConsumedCapacity: 'INDEXES', ...more })

  test('the table costs twice, its indexes once', async () => {
    const Put = { TableName: 'indexed', Item: { ...key, gpk: { S: 'g' }, t: text(1_500) } }
    expect(await transact([{ Put }])).toEqual({
      ConsumedCapacity: [
        {
          TableName: 'indexed',
          CapacityUnits: 6,
          WriteCapacityUnits: 6,
          Table: { CapacityUnits: 4, WriteCapacityUnits: 4 },
          GlobalSecondaryIndexes: { wide: { CapacityUnits: 2, WriteCapacityUnits: 2 } },
        },
      ],
    })
  })

  test('a condition check is paid for by what it read', async () => {
    await db.run('PutItem', { TableName: 'plain', Item: plainItem('a', 2_000) })
    const check = (pk: string, ConditionExpression: string): object => ({
      ConditionCheck: { TableName: 'plain', Key: { pk: { S: pk } }, ConditionExpression },
    })
    const answer = await transact([check('a', 'attribute_exists(pk)'), check('none', 'attribute_not_exists(pk)')])
    expect(answer).toMatchObject({ ConsumedCapacity: [{ CapacityUnits: 6, WriteCapacityUnits: 6 }] })
  })

  test('a replay is paid for as reading', async () => {
    const actions = [
      { Put: { TableName: 'plain', Item: plainItem('a', 5_000) } },
      { Delete: { TableName: 'plain', Key: { pk: { S: 'none' } } } },
    ]
    const token = { ClientRequestToken: 'once' }
    expect(await transact(actions, token)).toMatchObject({ ConsumedCapacity: [{ WriteCapacityUnits: 12 }] })
    expect(await transact(actions, token)).toEqual({
      ConsumedCapacity: [
        {
          TableName: 'plain',
          CapacityUnits: 6,
          ReadCapacityUnits: 6,
          Table: { CapacityUnits: 6, ReadCapacityUnits: 6 },
        },
      ],
    })
  })

  test('a replay is paid for by the sizes that items had before or after the transaction', async () => {
    for (const pk of ['shrinks', 'goes', 'is checked']) {
      await db.run('PutItem', { TableName: 'plain', Item: plainItem(pk, 9_000) })
    }
    const Key = (pk: string): object => ({ pk: { S: pk } })
    const exists = { ConditionExpression: 'attribute_exists(pk)' }
    const actions = [
      { Put: { TableName: 'plain', Item: plainItem('shrinks', 100) } },
      { Delete: { TableName: 'plain', Key: Key('goes') } },
      { ConditionCheck: { TableName: 'plain', Key: Key('is checked'), ...exists } },
      { Put: { TableName: 'plain', Item: plainItem('grows', 9_000) } },
    ]
    const token = { ClientRequestToken: 'sizes' }
    expect(await transact(actions, token)).toMatchObject({ ConsumedCapacity: [{ WriteCapacityUnits: 72 }] })
    await db.run('DeleteItem', { TableName: 'plain', Key: Key('grows') })
    expect(await transact(actions, token)).toMatchObject({ ConsumedCapacity: [{ ReadCapacityUnits: 24 }] })
  })
})

describe('a table that is named by its ARN', () => {
  const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/plain'
  const Key = { pk: { S: 'a' } }
  const item = { TableName: arn, Key }

  test.each<[string, object]>([
    ['PutItem', { TableName: arn, Item: Key }],
    ['GetItem', item],
    ['UpdateItem', item],
    ['DeleteItem', item],
    ['Scan', { TableName: arn }],
    ['Query', { TableName: arn, KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: { ':a': Key.pk } }],
    ['ExecuteStatement', { Statement: `SELECT * FROM "${arn}" WHERE pk = 'a'` }],
    ['ExecuteStatement', { Statement: `DELETE FROM "${arn}" WHERE pk = 'a'` }],
  ])('is shown by its ARN: %s', async (operation, body) => {
    const answer = await db.run(operation, { ...body, ReturnConsumedCapacity: 'TOTAL' })
    expect(answer.ConsumedCapacity?.TableName).toBe(arn)
  })

  test.each<[string, object]>([
    ['BatchGetItem', { RequestItems: { [arn]: { Keys: [Key] } } }],
    ['BatchWriteItem', { RequestItems: { [arn]: [{ DeleteRequest: { Key } }] } }],
    [
      'TransactGetItems',
      { TransactItems: [{ Get: item }, { Get: { TableName: 'plain', Key: { pk: { S: 'b' } } } }] },
    ],
    ['TransactWriteItems', { TransactItems: [{ Delete: item }], ClientRequestToken: 'once' }],
    ['BatchExecuteStatement', { Statements: [{ Statement: `SELECT * FROM "${arn}" WHERE pk = 'a'` }] }],
    ['ExecuteTransaction', { TransactStatements: [{ Statement: `INSERT INTO "${arn}" VALUE {'pk': 'c'}` }] }],
  ])('and once, as it is named first: %s', async (operation, body) => {
    const wanted = { ...body, ReturnConsumedCapacity: 'TOTAL' }
    const answer = await db.run<ManyTables>(operation, wanted)
    expect(answer.ConsumedCapacity.map(({ TableName }) => TableName)).toEqual([arn])
    if (operation !== 'TransactWriteItems') return
    const again = await db.run<ManyTables>(operation, wanted)
    expect(again.ConsumedCapacity).toMatchObject([{ TableName: arn, ReadCapacityUnits: 2 }])
  })
})
