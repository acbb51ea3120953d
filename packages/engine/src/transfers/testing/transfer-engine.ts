import { randomUUID } from 'node:crypto'
import type { Item } from '@hashrange/core'
import { Engine } from '../../engine.ts'
import type { Store } from '../../store/store.ts'
import { askedAgainMs } from '../../testing/asking-twice-store.ts'
import { openTestStore } from '../../testing/open-test-store.ts'
import { toPlain } from '../../wire/raw-json.ts'
import { MemoryBuckets } from './memory-buckets.ts'

export type Answer = Readonly<Record<string, unknown>>

const scope = { accountId: '123456789012', region: 'eu-west-1' }

/** An engine with buckets and a clock that the test owns. */
export class TransferEngine {
  readonly buckets: MemoryBuckets
  nowMs = Date.UTC(2026, 10, 1)
  readonly engine: Engine

  private constructor(engine: Engine, buckets: MemoryBuckets, clock: { current: TransferEngine | undefined }) {
    this.engine = engine
    this.buckets = buckets
    clock.current = this
  }

  static async open(store?: Store, buckets = new MemoryBuckets()): Promise<TransferEngine> {
    const clock: { current: TransferEngine | undefined } = { current: undefined }
    const startMs = Date.UTC(2026, 10, 1)
    const engine = await Engine.open({
      store: store ?? (await openTestStore()),
      buckets,
      clock: { now: () => (clock.current?.nowMs ?? startMs) + askedAgainMs() },
    })
    return new TransferEngine(engine, buckets, clock)
  }

  async run(operation: string, input: object): Promise<Answer> {
    return toPlain(await this.engine.execute(scope, 'DynamoDB_20120810', operation, input)) as Answer
  }

  async createTable(TableName: string, { recovery = true } = {}): Promise<void> {
    await this.run('CreateTable', { TableName, ...keyOf('pk'), BillingMode: 'PAY_PER_REQUEST' })
    if (!recovery) return
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
    await this.run('UpdateContinuousBackups', { TableName, PointInTimeRecoverySpecification })
  }

  async put(TableName: string, Item: object): Promise<void> {
    await this.run('PutItem', { TableName, Item })
  }

  async export(tableName: string, more: object = {}): Promise<Answer> {
    const TableArn = `arn:aws:dynamodb:eu-west-1:123456789012:table/${tableName}`
    const { ExportDescription } = await this.run('ExportTableToPointInTime', {
      TableArn,
      S3Bucket: 'bucket',
      ...more,
    })
    await this.engine.background.idle()
    const { ExportArn } = ExportDescription as Answer
    return (await this.run('DescribeExport', { ExportArn }))['ExportDescription'] as Answer
  }

  async import(TableName: string, more: object): Promise<Answer> {
    const { ImportTableDescription } = await this.run('ImportTable', {
      ClientToken: randomUUID(),
      S3BucketSource: { S3Bucket: 'bucket' },
      InputFormat: 'DYNAMODB_JSON',
      TableCreationParameters: { TableName, ...keyOf('pk'), BillingMode: 'PAY_PER_REQUEST' },
      ...more,
    })
    await this.engine.background.idle()
    const { ImportArn } = ImportTableDescription as Answer
    return (await this.run('DescribeImport', { ImportArn }))['ImportTableDescription'] as Answer
  }

  /** A table's items by their key `pk`. */
  async items(TableName: string): Promise<Map<string, Item>> {
    const { Items } = await this.run('Scan', { TableName })
    return new Map((Items as Item[]).map((item) => [JSON.stringify(item['pk']), item]))
  }
}

export function keyOf(name: string, AttributeType = 'S'): object {
  return {
    AttributeDefinitions: [{ AttributeName: name, AttributeType }],
    KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
  }
}
