import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openMonitoredEngine } from '../testing/monitored-engine.ts'
import { target, minuteMs, scaledOrders, type Plain } from '../testing/scaled-orders.ts'

const orders = scaledOrders()
const { createTable, scaling, cloudWatch, register, putPolicy, capacity, load, activities } = orders

describe('a table with a target tracking policy', () => {
  test('scales out after two minutes above its target, to where the load is at the target', async () => {
    await register()
    await putPolicy()
    expect(await load(70, 3)).toEqual([50, 100, 100])
    const [activity] = await activities()
    expect(activity).toMatchObject({
      Description: 'Setting write capacity units to 100.',
      StatusCode: 'Successful',
      StatusMessage: 'Successfully set write capacity units to 100. Change successfully fulfilled by dynamodb.',
      ResourceId: 'table/orders',
    })
    expect(activity?.['Cause']).toMatch(
      /^monitor alarm TargetTracking-table\/orders-AlarmHigh-[0-9a-f-]{36} in state ALARM triggered policy orders-write-scaling$/,
    )
  })

  test('scales in after fifteen minutes well below its target, not below its minimum', async () => {
    await register(20, 1000)
    await putPolicy()
    await load(70, 2)
    const capacities = await load(7, 16)
    expect(capacities.slice(0, 14)).toEqual(Array(14).fill(100))
    expect(capacities.at(-1)).toBe(20)
  })

  test('stays where it is between the target and the margin below it', async () => {
    await register()
    await putPolicy()
    expect(new Set(await load(30, 20))).toEqual(new Set([50]))
  })

  test('does not scale in for want of any traffic, as on AWS', async () => {
    await register()
    await putPolicy()
    for (let minute = 0; minute < 30; minute++) {
      orders.engine().advance(minuteMs)
      await orders.engine().evaluateAlarms()
    }
    expect(await capacity()).toBe(50)
  })

  test('stops at its maximum, and says once why it does not go on', async () => {
    await register(10, 60)
    await putPolicy()
    expect(await load(70, 5)).toEqual([50, 60, 60, 60, 60])
    const notScaled = (await activities()).filter(({ StatusCode }) => StatusCode === 'NotScaled')
    expect(notScaled).toMatchObject([
      { NotScaledReasons: [{ Code: 'AlreadyAtMaxCapacity', MaxCapacity: 60, CurrentCapacity: 60 }] },
    ])
  })

  test('waits for its cooldown before it scales the same way again', async () => {
    await register()
    await putPolicy({ ScaleOutCooldown: 300 })
    expect(await load(70, 2)).toEqual([50, 100])
    expect(await load(140, 5)).toEqual([100, 100, 100, 100, 200])
  })

  test('does not scale in where that is disabled or suspended', async () => {
    await register(10, 1000, { SuspendedState: { DynamicScalingInSuspended: true } })
    await putPolicy()
    expect((await load(1, 17)).at(-1)).toBe(50)
    await register(10, 1000, { SuspendedState: { DynamicScalingInSuspended: false } })
    const { Alarms } = await putPolicy({ DisableScaleIn: true })
    expect(Alarms).toHaveLength(3)
    expect((await load(1, 17)).at(-1)).toBe(50)
  })

  test('respects the limit of decreases, and tells of it', async () => {
    await register(1, 1000)
    await putPolicy()
    for (const units of [49, 48, 47, 46]) {
      await orders.engine().run('UpdateTable', {
        TableName: 'orders',
        ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: units },
      })
    }
    expect((await load(1, 18)).at(-1)).toBe(46)
    const [failed, ...others] = await activities()
    expect(failed).toMatchObject({ StatusCode: 'Failed', Description: 'Setting write capacity units to 2.' })
    expect(failed?.['StatusMessage']).toMatch(/Reason: Subscriber limit exceeded: Provisioned throughput decreases/)
    expect(others).toEqual([])
  })
})

test('targets, policies, alarms and activities are there when the database is opened again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hashrange-scaling-'))
  await orders.engine().close()
  orders.use(await openMonitoredEngine(folder))
  orders.engine().advance(55_000)
  await createTable('orders')
  await register()
  await putPolicy()
  await load(70, 1)
  await orders.engine().close()
  orders.use(await openMonitoredEngine(folder))
  orders.engine().advance(55_000 + minuteMs)
  expect(await load(70, 1)).toEqual([100])
  expect(await activities()).toMatchObject([{ Description: 'Setting write capacity units to 100.' }])
  await orders.engine().close()
  await rm(folder, { recursive: true })
  orders.use(await openMonitoredEngine())
})

describe('the alarms of a policy', () => {
  test('are four, visible in CloudWatch, and follow what is provisioned', async () => {
    await register()
    const { Alarms, PolicyARN } = await putPolicy()
    const names = (Alarms as { AlarmName: string }[]).map(({ AlarmName }) =>
      AlarmName.replace(/-[0-9a-f-]{36}$/, ''),
    )
    expect(names).toEqual(
      ['AlarmHigh', 'AlarmLow', 'ProvisionedCapacityHigh', 'ProvisionedCapacityLow'].map(
        (kind) => `TargetTracking-table/orders-${kind}`,
      ),
    )
    const thresholds = async (): Promise<unknown[]> =>
      (await cloudWatch<{ MetricAlarms: Plain[] }>('DescribeAlarms', {})).MetricAlarms.map((alarm) => [
        alarm['Threshold'],
        alarm['EvaluationPeriods'],
        alarm['ComparisonOperator'],
      ])
    expect(await thresholds()).toEqual([
      [2100, 2, 'GreaterThanThreshold'],
      [1500, 15, 'LessThanThreshold'],
      [50, 3, 'GreaterThanThreshold'],
      [50, 3, 'LessThanThreshold'],
    ])
    await orders.engine().run('UpdateTable', {
      TableName: 'orders',
      ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: 100 },
    })
    expect(await thresholds()).toEqual([
      [4200, 2, 'GreaterThanThreshold'],
      [3000, 15, 'LessThanThreshold'],
      [100, 3, 'GreaterThanThreshold'],
      [100, 3, 'LessThanThreshold'],
    ])
    expect(PolicyARN).toMatch(
      /^arn:aws:autoscaling:eu-west-1:123456789012:scalingPolicy:[0-9a-f-]{36}:resource\/dynamodb\/table\/orders:policyName\/orders-write-scaling$/,
    )
  })

  test('go with the policy, and the policy with its target', async () => {
    await register()
    await putPolicy()
    await scaling('DeregisterScalableTarget', target)
    expect(await cloudWatch('DescribeAlarms', {})).toMatchObject({ MetricAlarms: [] })
    expect(await scaling('DescribeScalingPolicies', { ServiceNamespace: 'dynamodb' })).toMatchObject({
      ScalingPolicies: [],
    })
  })

  test('stay as they are when the same policy is put again', async () => {
    await register()
    expect(await putPolicy()).toEqual(await putPolicy())
  })
})

describe('scheduled actions', () => {
  test('change the bounds when their time comes, and the capacity with them', async () => {
    await register()
    await scaling('PutScheduledAction', {
      ...target,
      ScheduledActionName: 'morning',
      Schedule: 'cron(0 8 * * ? *)',
      ScalableTargetAction: { MinCapacity: 80, MaxCapacity: 200 },
    })
    await orders.engine().runScheduledActions()
    expect(await capacity()).toBe(50)
    orders.engine().advance(5 * 3_600_000)
    await orders.engine().runScheduledActions()
    expect(await capacity()).toBe(80)
    await orders.engine().runScheduledActions()
    expect((await activities()).map(({ Description, Cause }) => [Description, Cause])).toEqual(
      expect.arrayContaining([
        ['Setting write capacity units to 80.', 'minimum capacity was set to 80'],
        ['Setting min capacity to 80 and max capacity to 200', 'scheduled action name morning was triggered'],
      ]),
    )
    expect(await activities()).toHaveLength(2)
  })
})
