import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput } from '../testing/test-engine.ts'
import { TestServers, type TestServer } from '../testing/test-servers.ts'
import { leaseKey } from '../layout/key-space.ts'

let servers: TestServers
let one: TestServer

beforeEach(async () => {
  servers = await TestServers.begin()
  one = await servers.open({ leaseMs: 300 })
})

afterEach(() => servers.close())

/** As a server leaves it that was killed while it worked. */
function leaveLease(name: string): Promise<void> {
  return one.engine.store.transact([], () => ({
    writes: [{ kind: 'put', key: leaseKey(name), value: Buffer.from('dead 7') }],
    answer: undefined,
  }))
}

describe('the work of a server that was killed', () => {
  test('is taken over by another: an index is filled', async () => {
    await one.run('CreateTable', createTableInput('table', { hash: 'pk' }))
    for (let n = 0; n < 20; n++) {
      await one.run('PutItem', { TableName: 'table', Item: { pk: { S: `${n}` }, g: { S: 'g' } } })
    }
    const nextId = await one.engine.catalog.allocateId()
    await leaveLease(`index ${nextId + 1}`)
    await one.run('UpdateTable', {
      TableName: 'table',
      AttributeDefinitions: [{ AttributeName: 'g', AttributeType: 'S' }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'by-g',
            KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        },
      ],
    })
    const other = await servers.open({ leaseMs: 300 })
    const indexOf = async (): Promise<object | undefined> => {
      const answer = await other.run<{ Table: { GlobalSecondaryIndexes?: object[] } }>('DescribeTable', {
        TableName: 'table',
      })
      return answer.Table.GlobalSecondaryIndexes?.[0]
    }
    expect(await indexOf()).toMatchObject({ IndexStatus: 'CREATING' })
    await expect.poll(indexOf).toMatchObject({ IndexStatus: 'ACTIVE', ItemCount: 20 })
    expect([one, other].flatMap(({ backgroundErrors }) => backgroundErrors)).toEqual([])
  })

  test('is not begun anew once it has been ended', async () => {
    await one.run('CreateTable', createTableInput('table', { hash: 'pk' }))
    await one.run('PutItem', { TableName: 'table', Item: { pk: { S: 'old' } } })
    const { BackupDetails } = await one.run<{ BackupDetails: { BackupArn: string } }>('CreateBackup', {
      TableName: 'table',
      BackupName: 'backup',
    })
    await one.engine.background.idle()
    await one.run('RestoreTableFromBackup', { BackupArn: BackupDetails.BackupArn, TargetTableName: 'restored' })
    const [, restoring] = one.engine.catalog.all()
    if (restoring === undefined) throw new Error('there are two tables')
    // Seen while it was restored, taken up when it is not any more.
    const { restoreTable } = await import('./restore-table.ts')
    await one.engine.background.idle()
    await one.run('PutItem', { TableName: 'restored', Item: { pk: { S: 'new' } } })
    one.engine.begin({ name: 'late', run: (lease) => restoreTable(one.engine, restoring, lease) })
    await one.engine.background.idle()
    expect(await one.run('Scan', { TableName: 'restored', Select: 'COUNT' })).toMatchObject({ Count: 2 })
  })
})
