import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  namesIn,
  openSongs,
  searchSongs,
  songs,
  vector,
  vectorIndex,
  type FoundSongs,
} from '../testing/songs-with-vectors.ts'
import { testScope, type TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

const search = (IndexName: string, SearchVector: unknown, more: object = {}): Promise<FoundSongs> =>
  searchSongs(db, IndexName, SearchVector, more)

beforeEach(async () => {
  db = await openSongs()
})

afterEach(() => db.close())

describe('Vector indexes', () => {
  test('come and go with UpdateTable, and are described', async () => {
    const update = (...VectorIndexUpdates: readonly object[]): Promise<unknown> =>
      db.run('UpdateTable', { TableName: 'songs', VectorIndexUpdates })
    await update({ Create: vectorIndex('later') })
    expect(namesIn(await search('later', vector(0, 1), { TopK: 1 }))).toEqual(['b'])
    await update({ Delete: { IndexName: 'dot' } })
    const { Table } = (await db.run('DescribeTable', { TableName: 'songs' })) as unknown as {
      readonly Table: { readonly VectorIndexes: readonly Record<string, unknown>[] }
    }
    expect(Table.VectorIndexes.map(({ IndexName }) => IndexName)).toEqual(['euclidean', 'cosine', 'genre', 'later'])
    expect(Table.VectorIndexes[0]).toMatchObject({ IndexStatus: 'ACTIVE', Dimensions: 2 })
    const said = async (...updates: readonly object[]): Promise<string> => {
      const { code, message } = await db.refusal('UpdateTable', { TableName: 'songs', VectorIndexUpdates: updates })
      return `${code}: ${message}`
    }
    expect(await said({ Delete: { IndexName: 'dot' } })).toBe(
      'ResourceNotFoundException: Requested resource not found: Index dot for table songs',
    )
    expect(await said({ Create: vectorIndex('later') })).toBe(
      'ValidationException: Attempting to create an index which already exists',
    )
    expect(await said({})).toBe(
      `${invalid}One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null`,
    )
    expect(await said({ Create: vectorIndex('more'), Delete: { IndexName: 'later' } })).toBe(
      `${invalid}Only one vector index action is allowed per VectorIndexUpdate object`,
    )
    expect(await said({ Create: vectorIndex('more') }, { Delete: { IndexName: 'later' } })).toBe(
      'LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    )
    await update({ Create: vectorIndex('fifth') })
    expect(await said({ Create: vectorIndex('sixth') })).toBe(
      'LimitExceededException: Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit of 5',
    )
  })

  // Observed on AWS by ExtendDB (tests/rust/src/vector_index_update_rules.rs) and by others.
  test('of an existing table have their attributes defined in the same request', async () => {
    const said = async (Create: object): Promise<string> => {
      const { code, message } = await db.refusal('UpdateTable', {
        TableName: 'songs',
        VectorIndexUpdates: [{ Create }],
      })
      return `${code}: ${message}`
    }
    expect(await said(vectorIndex('byGenre', 'COSINE', searched(['genre', 'HASH'])))).toBe(
      `${invalid}One element in SearchSchema is not defined in attribute definitions`,
    )
    expect(await said(vectorIndex('byKey', 'COSINE', { VectorAttribute: { AttributeName: 'pk' } }))).toBe(
      `${invalid}Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: Schema:[SchemaElement: key{pk:S:HASH}] New schema: VectorIndexSchema:[VectorAttribute: key{pk:L:2}]`,
    )
  })

  const invalid = 'ValidationException: One or more parameter values were invalid: '
  const definitions = (...names: readonly string[]): object => ({
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  })
  const searched = (...elements: readonly (readonly [string, string])[]): object => ({
    SearchSchema: elements.map(([AttributeName, SearchSchemaElementType]) => ({
      AttributeName,
      SearchSchemaElementType,
    })),
  })

  const filters = Array.from({ length: 19 }, (_, n) => `filter${n}`)
  const wrongDefinitions: readonly (readonly [string, object, string])[] = [
    [
      'two numbers of dimensions for one attribute',
      { VectorIndexes: [vectorIndex('one'), { ...vectorIndex('two'), Dimensions: 3 }] },
      "Conflicting attribute definition for 'v'. All VectorIndexes on the same vector attribute must use the same dimensions.",
    ],
    [
      'more dimensions than there can be',
      { VectorIndexes: [{ ...vectorIndex('one'), Dimensions: 4097 }] },
      'Number of dimensions must be between 1 and 4096 inclusive.',
    ],
    [
      'a vector that is defined as a key is',
      { ...definitions('pk', 'v') },
      "Conflicting attribute definition for 'v'. An attribute cannot be defined in AttributeDefinitions when used as a VectorAttribute.",
    ],
    [
      'a search schema that is not defined',
      { VectorIndexes: [vectorIndex('one', 'COSINE', searched(['genre', 'HASH']))] },
      'One element in SearchSchema is not defined in attribute definitions',
    ],
    [
      'an attribute twice in a search schema',
      {
        ...definitions('pk', 'genre'),
        VectorIndexes: [vectorIndex('one', 'COSINE', searched(['genre', 'HASH'], ['genre', 'INLINE_FILTER']))],
      },
      'SearchSchema contains a duplicate AttributeName',
    ],
    [
      'two partition keys in a search schema',
      {
        ...definitions('pk', 'genre', 'label'),
        VectorIndexes: [vectorIndex('one', 'COSINE', searched(['genre', 'HASH'], ['label', 'HASH']))],
      },
      "Value '2' at 'SearchSchema' failed to satisfy constraint: Member must have HASH count less than or equal to 1",
    ],
    [
      'more filters than there can be',
      {
        ...definitions('pk', ...filters),
        VectorIndexes: [
          vectorIndex('one', 'COSINE', searched(...filters.map((name) => [name, 'INLINE_FILTER'] as const))),
        ],
      },
      "Value '19' at 'SearchSchema' failed to satisfy constraint: Member must have INLINE_FILTER count less than or equal to 18",
    ],
    ['one name twice', { VectorIndexes: [vectorIndex('one'), vectorIndex('one')] }, 'Duplicate index name: one'],
    [
      'provisioned throughput',
      { BillingMode: 'PROVISIONED', ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } },
      'Vector indexes are only supported for PAY_PER_REQUEST tables',
    ],
  ]
  test('refuse definitions that contradict themselves or their table', async () => {
    for (const [what, changes, message] of wrongDefinitions) {
      const created = { ...songs, TableName: 'other', ...definitions('pk'), VectorIndexes: [vectorIndex('one')] }
      const { code, message: said } = await db.refusal('CreateTable', { ...created, ...changes })
      expect(`${code}: ${said}`, what).toBe(invalid + message)
    }
  })

  test('keep their table on demand, even with the last of them', async () => {
    const provisioned = {
      TableName: 'songs',
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
    }
    for (const name of ['euclidean', 'cosine', 'dot']) {
      await db.run('UpdateTable', { TableName: 'songs', VectorIndexUpdates: [{ Delete: { IndexName: name } }] })
    }
    for (const VectorIndexUpdates of [undefined, [{ Delete: { IndexName: 'genre' } }]]) {
      const { message } = await db.refusal('UpdateTable', {
        ...provisioned,
        ...(VectorIndexUpdates && { VectorIndexUpdates }),
      })
      expect(message).toMatch(/: Tables with vector indexes must be in PAY_PER_REQUEST mode$/)
    }
  })

  test('share their attributes and their names with secondary indexes', async () => {
    const create = (IndexName: string, AttributeName: string): object => ({
      TableName: 'songs',
      ...definitions(AttributeName),
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName,
            KeySchema: [{ AttributeName, KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    })
    expect((await db.refusal('UpdateTable', create('dot', 'label'))).message).toBe(
      'Attempting to create an index which already exists',
    )
    expect((await db.refusal('UpdateTable', create('byVector', 'v'))).message).toMatch(
      /Existing schema: VectorIndexSchema:\[VectorAttribute: key\{v:L:2\}\] New schema: Schema:\[SchemaElement: key\{v:S:HASH\}\]$/,
    )
    const attributes = async (): Promise<unknown> => {
      const { Table } = (await db.run('DescribeTable', { TableName: 'songs' })) as unknown as {
        readonly Table: { readonly AttributeDefinitions: readonly { readonly AttributeName: string }[] }
      }
      return Table.AttributeDefinitions.map(({ AttributeName }) => AttributeName).toSorted()
    }
    await db.run('UpdateTable', create('byGenre', 'genre'))
    expect(await attributes()).toEqual(['genre', 'pk', 'year'])
    await db.run('UpdateTable', { TableName: 'songs', VectorIndexUpdates: [{ Delete: { IndexName: 'genre' } }] })
    expect(await attributes()).toEqual(['genre', 'pk'])
    await db.run('UpdateTable', {
      TableName: 'songs',
      ...definitions('label'),
      VectorIndexUpdates: [{ Create: vectorIndex('byLabel', 'COSINE', searched(['label', 'HASH'])) }],
    })
    expect(await attributes()).toEqual(['genre', 'label', 'pk'])
  })

  test('are not for Query, Scan and statements', async () => {
    const read = { TableName: 'songs', IndexName: 'dot' }
    const query = {
      ...read,
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': { S: 'a' } },
    }
    const refusals: readonly (readonly [string, object, string])[] = [
      ['Query', query, 'Query operation not supported on this index type.'],
      [
        'Query',
        { ...query, ConsistentRead: true },
        'Consistent reads are not supported on global secondary indexes',
      ],
      ['Scan', { ...read, ConsistentRead: true }, 'Scan operation not supported on this index type'],
      [
        'ExecuteStatement',
        { Statement: 'SELECT * FROM "songs"."dot"' },
        'Scan operation not supported on this index type',
      ],
    ]
    for (const [operation, input, message] of refusals) {
      expect((await db.refusal(operation, input)).message).toBe(message)
    }
  })

  test('refuse what does not fit into them, in every write', async () => {
    const Key = { pk: { S: 'new' } }
    const item = (v: object, more: object = {}): object => ({ ...Key, v, ...more })
    const words = (message: string): string => `One or more parameter values were invalid. ${message}`
    const cases: readonly (readonly [object, string])[] = [
      [item({ L: vector(1) }), words('Invalid size for parameter v, Expected: 2, Actual: 1 IndexName: cosine')],
      [
        item({ S: 'x' }),
        words('Invalid type for parameter v, Expected: 32-bit floating point number list IndexName: cosine'),
      ],
      [
        item({ L: [{ N: '1' }, { S: 'x' }] }),
        words(
          'Invalid type for parameter v[1], Expected: 32-bit floating point number, Actual: S. IndexName: cosine',
        ),
      ],
      [
        item({ L: [{ N: '1E+39' }, { N: '0' }] }),
        words(
          'Invalid value for parameter v[0], Value: 1E+39 is outside valid range [-3.4028235E38, 3.4028235E38]. IndexName: cosine',
        ),
      ],
      [
        item({ L: vector(1, 0) }, { genre: { N: '7' } }),
        words("Attribute 'genre' type mismatch. Expected: S, Actual: N. IndexName: genre"),
      ],
      [
        item({ L: vector(1, 0) }, { year: { S: '7' } }),
        words("Attribute 'year' type mismatch. Expected: N, Actual: S. IndexName: genre"),
      ],
      [
        item({ L: vector(1, 0) }, { genre: { S: '' } }),
        'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: genre, IndexKey: genre',
      ],
    ]
    for (const [Item, message] of cases) {
      expect((await db.refusal('PutItem', { TableName: 'songs', Item })).message).toBe(message)
    }
    const wrong = { L: vector(1) }
    const short = /^One or more parameter values were invalid\. Invalid size for parameter v/
    const update = { TableName: 'songs', Key, UpdateExpression: 'SET v = :v' }
    expect(
      (await db.refusal('UpdateItem', { ...update, ExpressionAttributeValues: { ':v': wrong } })).message,
    ).toMatch(short)
    const batch = { RequestItems: { songs: [{ PutRequest: { Item: item(wrong) } }] } }
    expect((await db.refusal('BatchWriteItem', batch)).message).toMatch(short)
    const statement = { Statement: `INSERT INTO "songs" VALUE {'pk': 'new', 'v': [1]}` }
    expect((await db.refusal('ExecuteStatement', statement)).message).toMatch(short)
    const empty = { TableName: 'songs', Key: { pk: { S: 'a' } }, UpdateExpression: 'SET genre = :g' }
    const emptied = await db.refusal('UpdateItem', { ...empty, ExpressionAttributeValues: { ':g': { S: '' } } })
    expect(emptied.message).toBe(
      'One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.',
    )
    expect(await db.run('GetItem', { TableName: 'songs', Key })).toEqual({})
  })

  test('leave out what is older and does not fit', async () => {
    await db.run('CreateTable', { ...songs, TableName: 'older', ...definitions('pk'), VectorIndexes: undefined })
    const older: readonly object[] = [
      { v: { L: vector(1) } },
      { v: { L: [{ S: '1' }, { S: '0' }] } },
      { v: { S: 'x' } },
      { v: { L: vector(1, 0) } },
      { v: { L: vector(1, 0) }, genre: { N: '1' } },
      { v: { L: vector(1, 0) }, genre: { S: '' } },
      { v: { L: vector(1, 0) }, genre: { S: 'rock' } },
    ]
    for (const [n, attributes] of older.entries()) {
      await db.run('PutItem', { TableName: 'older', Item: { pk: { S: `${n}` }, ...attributes } })
    }
    await db.run('UpdateTable', {
      TableName: 'older',
      ...definitions('genre'),
      VectorIndexUpdates: [{ Create: vectorIndex('byGenre', 'COSINE', searched(['genre', 'HASH'])) }],
    })
    const rock = {
      TableName: 'older',
      SearchConditionExpression: 'genre = :g',
      ExpressionAttributeValues: { ':g': { S: 'rock' } },
    }
    expect(namesIn(await search('byGenre', vector(1, 0), rock))).toEqual(['6'])
  })

  test('are charged for the changes of their entries, in bytes', async () => {
    type Charged = { readonly CapacityUnits: number; readonly VectorIndexes?: Record<string, unknown> }
    const charged = async (operation: string, input: object): Promise<Charged> => {
      const answer = (await db.run(operation, { ...input, ReturnConsumedCapacity: 'INDEXES' })) as {
        readonly ConsumedCapacity: Charged | readonly [Charged]
      }
      return Array.isArray(answer.ConsumedCapacity)
        ? (answer.ConsumedCapacity as readonly [Charged])[0]
        : (answer.ConsumedCapacity as Charged)
    }
    const wide = { N: '12345678901234567890123456789012345678' }
    const item = (title: string, ...numbers: readonly object[]): object => ({
      pk: { S: 'new' },
      v: { L: numbers },
      title: { S: title },
    })
    const put = (Item: object): Promise<Charged> => charged('PutItem', { TableName: 'songs', Item })
    const bytes = (amount: number): object => ({ VectorWriteRequestBytes: amount })
    // The item has 1,019 bytes with a vector of 4 bytes per dimension, and 1,053 with its numbers.
    const first = await put(item('t'.repeat(1000), wide, wide))
    expect([first.CapacityUnits, first.VectorIndexes]).toEqual([
      1,
      { euclidean: bytes(1024), cosine: bytes(1024), dot: bytes(1024) },
    ])
    // An entry has a name of 1, a vector of 8 and a key of 5 bytes, and the title's 2,005 where it is projected.
    expect((await put(item('t'.repeat(2000), wide, wide))).VectorIndexes).toEqual({
      cosine: bytes(2019),
      dot: bytes(2019),
    })
    expect((await put(item('t'.repeat(2000), wide, wide))).VectorIndexes).toBeUndefined()
    expect((await put(item('t', wide, wide))).VectorIndexes).toEqual({ cosine: bytes(2019), dot: bytes(2019) })
    const removed = { TableName: 'songs', Key: { pk: { S: 'new' } }, UpdateExpression: 'REMOVE v' }
    expect((await charged('UpdateItem', removed)).VectorIndexes).toEqual(first.VectorIndexes)
    const transacted = await charged('TransactWriteItems', {
      TransactItems: [{ Put: { TableName: 'songs', Item: item('t', wide, wide) } }],
    })
    expect([transacted.CapacityUnits, transacted.VectorIndexes]).toEqual([2, first.VectorIndexes])
    const total = (await db.run('DeleteItem', {
      TableName: 'songs',
      Key: { pk: { S: 'new' } },
      ReturnConsumedCapacity: 'TOTAL',
    })) as { readonly ConsumedCapacity: object }
    expect(total.ConsumedCapacity).toEqual({ TableName: 'songs', CapacityUnits: 1 })
  })

  test('are in every replica', async () => {
    await db.run('UpdateTable', { TableName: 'songs', ReplicaUpdates: [{ Create: { RegionName: 'us-east-1' } }] })
    const there = { ...testScope, region: 'us-east-1' }
    const find = (): Promise<FoundSongs> =>
      Promise.resolve(
        db.engine.execute(there, 'DynamoDB_20120810', 'SearchVectors', {
          TableName: 'songs',
          IndexName: 'euclidean',
          SearchVector: vector(1, 0),
          TopK: 1,
        }),
      ) as Promise<FoundSongs>
    await expect.poll(async () => namesIn(await find().catch(() => ({ SearchResults: [] })))).toEqual(['a'])
  })
})
