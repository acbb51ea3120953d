import { expect, test } from 'vitest'
import { testScope } from '@hashrange/engine/test-engine'
import { TestServers, type TestServer } from '@hashrange/engine/test-servers'
import { monitoringByHand } from '../testing/monitored-engine.ts'

const minuteMs = 60_000
const target = {
  ServiceNamespace: 'dynamodb',
  ResourceId: 'table/orders',
  ScalableDimension: 'dynamodb:table:WriteCapacityUnits',
}

async function scaling({ engine }: TestServer, operation: string, input: object): Promise<unknown> {
  return engine.execute(testScope, 'AnyScaleFrontendService', operation, input)
}

test('one server scales by what another has counted, with the policy that it was given', async () => {
  const clock = { nowMs: Date.UTC(2026, 10, 15, 12), now: () => clock.nowMs }
  const servers = await TestServers.begin()
  const first = await servers.open({ clock, services: [monitoringByHand().service] })
  const { service, byHand } = monitoringByHand()
  const second = await servers.open({ clock, services: [service] })
  await first.run('CreateTable', {
    TableName: 'orders',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
  })
  await second.engine.refresh()
  await scaling(second, 'RegisterScalableTarget', { ...target, MinCapacity: 1, MaxCapacity: 10 })
  await scaling(first, 'PutScalingPolicy', {
    ...target,
    PolicyName: 'writes',
    PolicyType: 'TargetTrackingScaling',
    TargetTrackingScalingPolicyConfiguration: {
      TargetValue: 50,
      PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBWriteCapacityUtilization' },
    },
  })
  for (let minute = 0; minute < 2; minute++) {
    for (let written = 0; written < 60; written++) {
      await first.run('PutItem', { TableName: 'orders', Item: { pk: { S: String(written) } } })
    }
    clock.nowMs += minuteMs
  }
  // What it has counted is in the store once it has stopped.
  await first.engine.close()
  await byHand.evaluateAlarms()
  expect(await second.run('DescribeTable', { TableName: 'orders' })).toMatchObject({
    Table: { ProvisionedThroughput: { WriteCapacityUnits: 2 } },
  })
  expect(second.backgroundErrors).toEqual([])
  await second.engine.close()
})
