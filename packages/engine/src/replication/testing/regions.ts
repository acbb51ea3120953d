import { ServiceError } from '@hashrange/core'
import { OwnedEngine } from '../../backups/testing/owned-engine.ts'
import type { EngineOptions } from '../../engine-options.ts'
import type { Store } from '../../store/store.ts'
import { assertVerified } from '../../testing/assert-verified.ts'
import { openTestStore } from '../../testing/open-test-store.ts'

type Plain = Readonly<Record<string, unknown>>

/** Regions of one store. Nothing is sent between them until a test says so. */
export class TestRegions {
  readonly owned: OwnedEngine
  readonly store: Store

  private constructor(owned: OwnedEngine, store: Store) {
    this.owned = owned
    this.store = store
  }

  static async open(options: Partial<EngineOptions> = {}, nowMs = Date.UTC(2026, 0, 2)): Promise<TestRegions> {
    const store = options.store ?? (await openTestStore())
    const owned = await OwnedEngine.open(
      undefined,
      { nowMs },
      {
        replicationPauseMs: 3_600_000,
        expirySweepMs: 3_600_000,
        ...options,
        store,
      },
    )
    return new TestRegions(owned, store)
  }

  run(region: string, operation: string, input: object): Promise<Plain> {
    return this.owned.run(operation, input, { accountId: '123456789012', region })
  }

  async refusal(region: string, operation: string, input: object): Promise<string> {
    try {
      await this.run(region, operation, input)
    } catch (error) {
      if (error instanceof ServiceError) return `${error.code}: ${error.message}`
      throw error
    }
    throw new Error('the operation was not refused')
  }

  /** A table in the first of the regions, with replicas in the others. */
  async createGlobalTable(TableName: string, [first, ...others]: readonly [string, ...string[]]): Promise<void> {
    await this.run(first, 'CreateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'team', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'teams',
          KeySchema: [{ AttributeName: 'team', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    })
    for (const region of others) await this.addReplica(first, TableName, region)
  }

  async addReplica(from: string, TableName: string, RegionName: string): Promise<void> {
    await this.run(from, 'UpdateTable', { TableName, ReplicaUpdates: [{ Create: { RegionName } }] })
    // On a busy machine, a short lease may be lost, and the work is taken up again later.
    for (;;) {
      await this.owned.engine.background.idle()
      const { Table } = await this.run(from, 'DescribeTable', { TableName })
      if ((Table as { TableStatus: string }).TableStatus === 'ACTIVE') return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  put(region: string, TableName: string, item: object): Promise<Plain> {
    return this.run(region, 'PutItem', { TableName, Item: item })
  }

  async get(region: string, TableName: string, pk: string): Promise<Plain | undefined> {
    const { Item } = await this.run(region, 'GetItem', { TableName, Key: { pk: { S: pk } } })
    return Item as Plain | undefined
  }

  /** All items of a region's replica, by key. */
  async items(region: string, TableName: string, IndexName?: string): Promise<Record<string, Plain>> {
    const items: Record<string, Plain> = {}
    let ExclusiveStartKey: unknown
    do {
      const page = await this.run(region, 'Scan', {
        TableName,
        ...(IndexName !== undefined && { IndexName }),
        ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
      })
      for (const item of page['Items'] as Plain[]) items[(item['pk'] as { S: string }).S] = item
      ExclusiveStartKey = page['LastEvaluatedKey']
    } while (ExclusiveStartKey !== undefined)
    return items
  }

  replicate(): Promise<void> {
    return this.owned.engine.replicate()
  }

  advance(milliseconds: number): void {
    this.owned.clock.nowMs += milliseconds
  }

  async close(): Promise<void> {
    try {
      await this.owned.engine.background.idle()
      await assertVerified(this.store)
    } finally {
      await this.owned.engine.close()
    }
    if (this.owned.errors.length > 0) throw new AggregateError(this.owned.errors, 'background work failed')
  }
}
