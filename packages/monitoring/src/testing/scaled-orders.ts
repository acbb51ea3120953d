import type { ServiceError } from '@hashrange/core'
import { afterEach, beforeEach, expect } from 'vitest'
import { testScope } from '@hashrange/engine/test-engine'
import { openMonitoredEngine, type MonitoredEngine } from './monitored-engine.ts'

export type Plain = Readonly<Record<string, unknown>>

export const dimension = 'dynamodb:table:WriteCapacityUnits'
export const target = { ServiceNamespace: 'dynamodb', ResourceId: 'table/orders', ScalableDimension: dimension }
export const minuteMs = 60_000

/** A provisioned table `orders` for each test, and what its scaling is asked for. */
export function scaledOrders() {
  let own: MonitoredEngine

  beforeEach(async () => {
    own = await openMonitoredEngine()
    // On the minute, so that whole minutes are metered.
    own.advance(55_000)
    await createTable('orders')
  })

  afterEach(async () => {
    expect(own.backgroundErrors).toEqual([])
    await own.close()
  })

  function createTable(TableName: string, more: object = {}): Promise<unknown> {
    return own.run('CreateTable', {
      TableName,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: 50 },
      ...more,
    })
  }

  async function scaling<T = Plain>(operation: string, body: unknown): Promise<T> {
    return (await own.engine.execute(testScope, 'AnyScaleFrontendService', operation, body)) as T
  }

  async function cloudWatch<T = Plain>(operation: string, body: unknown): Promise<T> {
    return (await own.engine.execute(testScope, 'GraniteServiceVersion20100801', operation, body)) as T
  }

  async function refusal(operation: string, body: unknown): Promise<string> {
    return scaling(operation, body).then(
      () => 'accepted',
      (error: ServiceError) => `${error.code}: ${error.message}`,
    )
  }

  async function register(minCapacity = 10, maxCapacity = 1000, more: object = {}): Promise<void> {
    await scaling('RegisterScalableTarget', {
      ...target,
      MinCapacity: minCapacity,
      MaxCapacity: maxCapacity,
      ...more,
    })
    await own.engine.background.idle()
  }

  function putPolicy(more: object = {}): Promise<Plain> {
    return scaling('PutScalingPolicy', {
      ...target,
      PolicyName: 'orders-write-scaling',
      PolicyType: 'TargetTrackingScaling',
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: 70,
        PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBWriteCapacityUtilization' },
        ...more,
      },
    })
  }

  async function capacity(): Promise<number> {
    const { Table } = await own.run<{ Table: { ProvisionedThroughput: { WriteCapacityUnits: number } } }>(
      'DescribeTable',
      { TableName: 'orders' },
    )
    return Table.ProvisionedThroughput.WriteCapacityUnits
  }

  /** Writes so many units a second for some minutes, in items as large as they may be: half by putting them, half by
   *  deleting them again. */
  async function load(unitsPerSecond: number, minutes: number): Promise<number[]> {
    const capacities: number[] = []
    const half = unitsPerSecond * 30
    let times = 1
    while (half % times !== 0 || half / times > 390) times++
    const body = { S: 'x'.repeat((half / times) * 1024 - 20) }
    for (let minute = 0; minute < minutes; minute++) {
      for (let time = 0; time < times; time++) {
        await own.run('PutItem', { TableName: 'orders', Item: { pk: { S: 'one' }, body } })
        await own.run('DeleteItem', { TableName: 'orders', Key: { pk: { S: 'one' } } })
      }
      own.advance(minuteMs)
      await own.evaluateAlarms()
      capacities.push(await capacity())
    }
    return capacities
  }

  async function activities(): Promise<readonly Plain[]> {
    const { ScalingActivities } = await scaling<{ ScalingActivities: readonly Plain[] }>(
      'DescribeScalingActivities',
      {
        ServiceNamespace: 'dynamodb',
        IncludeNotScaledActivities: true,
      },
    )
    return ScalingActivities
  }

  return {
    /** Of the test that runs. */
    engine: (): MonitoredEngine => own,
    /** Goes on with another one. */
    use: (engine: MonitoredEngine): void => void (own = engine),
    createTable,
    scaling,
    cloudWatch,
    refusal,
    register,
    putPolicy,
    capacity,
    load,
    activities,
  }
}
