import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import { StoreAbove } from '../store/store-above.ts'
import type { Key, MaybePromise, Snapshot } from '../store/store.ts'
import { createTableInput, openTestEngine, testScope } from '../testing/test-engine.ts'
import { TestServers, type TestServer } from '../testing/test-servers.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { Transactor } from '../store/transactor.ts'

let servers: TestServers
let one: TestServer
let other: TestServer

beforeEach(async () => {
  servers = await TestServers.begin()
  one = await servers.open()
  other = await servers.open()
})

afterEach(() => servers.close())

const table = createTableInput('table', { hash: 'pk' })
const put = (server: TestServer, pk: string, more: object = {}): Promise<unknown> =>
  server.run('PutItem', { TableName: 'table', Item: { pk: { S: pk }, ...more } })
const addIndex = {
  TableName: 'table',
  AttributeDefinitions: [{ AttributeName: 'g', AttributeType: 'S' }],
  GlobalSecondaryIndexUpdates: [
    {
      Create: {
        IndexName: 'by-g',
        KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    },
  ],
}

/** One node shows that the catalog has changed, and those with its entries do not show it yet. */
class HalfSeenStore extends StoreAbove {
  override readonly viewsSeveralMoments = true
  isHalf = false

  override view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return super.view((snapshot) => read(this.isHalf ? halfOf(snapshot) : snapshot))
  }
}

function halfOf(snapshot: Snapshot): Snapshot {
  const hidden = new Set<number | undefined>([keySpace.tableVersion, keySpace.catalog, keySpace.backup])
  return {
    get: (key) => snapshot.get(key),
    getMany: (keys) => snapshot.getMany(keys),
    range: (bounds, visit) => snapshot.range(bounds, (key, value) => hidden.has(key[0]) || visit(key, value)),
  }
}

describe('two servers of one store', () => {
  test('see a table that the other has made, at once', async () => {
    await one.run('CreateTable', table)
    await put(other, 'a')
    expect(await one.run('GetItem', { TableName: 'table', Key: { pk: { S: 'a' } } })).toMatchObject({
      Item: { pk: { S: 'a' } },
    })
    expect(await other.run('ListTables', {})).toEqual({ TableNames: ['table'] })
  })

  test('see the rest of a change that they have seen half of', async () => {
    const store = new HalfSeenStore(await servers.openStore())
    const third = await servers.open({ store })
    store.isHalf = true
    await one.run('CreateTable', {
      ...table,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    await one.run('CreateBackup', { TableName: 'table', BackupName: 'backup' })
    const isAvailable = { BackupSummaries: [{ BackupStatus: 'AVAILABLE' }] }
    await expect.poll(() => one.run('ListBackups', {})).toMatchObject(isAvailable)
    expect(await third.run('ListTables', {})).toEqual({ TableNames: [] })
    expect(await third.run('ListBackups', {})).toEqual({ BackupSummaries: [] })
    store.isHalf = false
    expect(await third.run('ListTables', {})).toEqual({ TableNames: ['table'] })
    expect((await third.stream<{ Streams: unknown[] }>('ListStreams', {})).Streams).toHaveLength(1)
    expect(await third.run('ListBackups', {})).toMatchObject(isAvailable)
  })

  test('let a request in by what they know when they carry it out', async () => {
    const get = { TableName: 'table', Key: { pk: { S: 'a' } } }
    const known: boolean[] = []
    const admit = (): typeof testScope => {
      const isKnown = other.engine.catalog.find(testScope, 'table') !== undefined
      known.push(isKnown)
      if (isKnown) throw new Error('not with this key')
      return testScope
    }
    await one.run('CreateTable', table)
    await put(one, 'a')
    const asking = async (): Promise<unknown> =>
      other.engine.execute(testScope, 'DynamoDB_20120810', 'GetItem', get, admit)
    // The other server has not heard of the table, whose keys could not be compared with a policy's until then.
    await expect(asking()).rejects.toThrow('not with this key')
    expect(known.at(-1)).toBe(true)
  })

  test('see each other’s resource policies', async () => {
    await one.run('CreateTable', table)
    const ResourceArn = `arn:aws:dynamodb:${testScope.region}:${testScope.accountId}:table/table`
    const { RevisionId } = await other.run('PutResourcePolicy', { ResourceArn, Policy: '{"a":1}' })
    expect(await one.run('GetResourcePolicy', { ResourceArn })).toEqual({ Policy: '{"a":1}', RevisionId })
    await one.run('DeleteResourcePolicy', { ResourceArn, ExpectedRevisionId: RevisionId })
    expect(await other.refusal('GetResourcePolicy', { ResourceArn })).toBe('PolicyNotFoundException')
  })

  test('make a table of one name once', async () => {
    const outcomes = await Promise.allSettled([one.run('CreateTable', table), other.run('CreateTable', table)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await other.refusal('CreateTable', table)).toBe('ResourceInUseException')
  })

  test('drop a table once, and neither writes to it afterwards', async () => {
    await one.run('CreateTable', table)
    await put(other, 'a')
    const outcomes = await Promise.allSettled([
      one.run('DeleteTable', { TableName: 'table' }),
      other.run('DeleteTable', { TableName: 'table' }),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    for (const server of [one, other]) {
      expect(await server.refusal('PutItem', { TableName: 'table', Item: { pk: { S: 'b' } } })).toBe(
        'ResourceNotFoundException',
      )
    }
  })

  test('know the newer of two tables of one name', async () => {
    await one.run('CreateTable', table)
    await put(other, 'a')
    await one.run('DeleteTable', { TableName: 'table' })
    await one.run('CreateTable', table)
    await put(other, 'b')
    expect(await one.run('Scan', { TableName: 'table' })).toMatchObject({ Items: [{ pk: { S: 'b' } }] })
  })

  test('change a table one after the other: no change is lost', async () => {
    await one.run('CreateTable', table)
    const described = await one.run<{ Table: { TableArn: string } }>('DescribeTable', { TableName: 'table' })
    const ResourceArn = described.Table.TableArn
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? one : other).run('TagResource', { ResourceArn, Tags: [{ Key: `k${n}`, Value: 'v' }] }),
      ),
    )
    await other.engine.refresh()
    const { Tags } = await other.run<{ Tags: readonly unknown[] }>('ListTagsOfResource', { ResourceArn })
    expect(Tags).toHaveLength(20)
  })

  test('let no write slip past an index that the other builds', async () => {
    await one.run('CreateTable', table)
    const state = { isBuilt: false }
    const written: string[] = []
    const write = async (server: TestServer, name: string): Promise<void> => {
      for (let n = 0; !state.isBuilt || n < 30; n++) {
        await put(server, `${name}${n}`, { g: { S: 'g' } })
        written.push(`${name}${n}`)
      }
    }
    const writing = Promise.all([write(one, 'one'), write(other, 'other')])
    await one.run('UpdateTable', addIndex)
    await one.engine.background.idle()
    state.isBuilt = true
    await writing
    const { Count } = await other.run<{ Count: number }>('Scan', {
      TableName: 'table',
      IndexName: 'by-g',
      Select: 'COUNT',
    })
    expect(Count).toBe(written.length)
    const described = await other.run<{ Table: { ItemCount: number; GlobalSecondaryIndexes: object[] } }>(
      'DescribeTable',
      { TableName: 'table' },
    )
    expect(described.Table.GlobalSecondaryIndexes).toMatchObject([
      { IndexStatus: 'ACTIVE', ItemCount: written.length },
    ])
  })

  test('log every change once a stream is on, whoever turned it on', async () => {
    await one.run('CreateTable', table)
    await put(other, 'before')
    await one.run('UpdateTable', {
      TableName: 'table',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    await put(other, 'after')
    const id = [...one.engine.catalog.all()][0]?.id ?? 0
    const keys: Key[] = []
    await one.engine.store.view((snapshot) =>
      snapshot.range(spaceRange(keySpace.changeLog, id), (key) => keys.push(key) > 0),
    )
    expect(keys).toHaveLength(1)
  })

  test('know of each other’s backups', async () => {
    await one.run('CreateTable', table)
    await put(one, 'a')
    const { BackupDetails } = await one.run<{ BackupDetails: { BackupArn: string } }>('CreateBackup', {
      TableName: 'table',
      BackupName: 'backup',
    })
    const { BackupArn } = BackupDetails
    await one.engine.background.idle()
    expect(await other.run('DescribeBackup', { BackupArn })).toBeDefined()
    await other.run('DeleteBackup', { BackupArn })
    expect(await one.refusal('RestoreTableFromBackup', { BackupArn, TargetTableName: 'restored' })).toBe(
      'BackupNotFoundException',
    )
  })

  test('learn of changes by themselves within a second', async () => {
    await one.run('CreateTable', table)
    await expect.poll(() => [...other.engine.catalog.all()].length, { timeout: 1_000 }).toBe(1)
    await one.run('DeleteTable', { TableName: 'table' })
    await expect.poll(() => [...other.engine.catalog.all()].length, { timeout: 1_000 }).toBe(0)
  })
})

test('a change is seen by what is decided after it, and is taken back if its commit fails', async () => {
  const db = await openTestEngine()
  await db.run('CreateTable', table)
  const [known] = db.engine.catalog.all()
  if (known === undefined) throw new Error('there is a table')
  const failing: Transactor = {
    transact: async (keys, decide) => {
      const { effect } = decide(await db.store.view((snapshot) => snapshot.getMany(keys)))
      expect(known.definition.deletionProtection).toBe(false)
      effect?.apply()
      // On a shared store, what is decided after it verifies the version instead.
      expect(known.definition.deletionProtection).toBe(!db.engine.catalog.isShared)
      effect?.undo()
      throw new Error('no commit')
    },
  }
  const protect = (definition: TableDefinition): TableDefinition => ({ ...definition, deletionProtection: true })
  await expect(db.engine.catalog.change(known, protect, failing)).rejects.toThrow('no commit')
  expect(known.definition.deletionProtection).toBe(false)
  await db.close()
})
