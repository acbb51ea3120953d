import { testScope } from '@hashrange/engine/test-engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStackEngine, type Answer, type StackEngine } from './testing/stack-engine.ts'

let own: StackEngine

beforeAll(async () => {
  own = await openStackEngine()
})

afterAll(() => own.close())

const StackName = 'shop'
const elsewhere = 'eu-central-1'

/** Returns how the stack is in the end. */
async function deploy(
  operation: 'CreateStack' | 'UpdateStack' | 'DeleteStack',
  Properties?: object,
): Promise<string> {
  const Resources = { Orders: { Type: 'AWS::DynamoDB::GlobalTable', Properties } }
  const body = Properties === undefined ? {} : { TemplateBody: JSON.stringify({ Resources }) }
  const made = await own.cfn<{ readonly StackId: string } | undefined>(operation, { StackName, ...body })
  stackId = made?.StackId ?? stackId
  const status = async (): Promise<string> => {
    const asked = { StackName: stackId }
    const { Stacks } = await own.cfn<{ readonly Stacks: readonly { StackStatus: string }[] }>(
      'DescribeStacks',
      asked,
    )
    return Stacks[0]?.StackStatus ?? ''
  }
  await expect.poll(status, { timeout: 20_000 }).not.toMatch(/IN_PROGRESS/)
  return status()
}

let stackId = ''

async function describe(region: string): Promise<Answer | undefined> {
  try {
    const scope = { ...testScope, region }
    const { Table } = (await own.engine.execute(scope, 'DynamoDB_20120810', 'DescribeTable', {
      TableName: 'orders',
    })) as { readonly Table: Answer }
    return Table
  } catch {
    return undefined
  }
}

const orders = (...Replicas: readonly object[]) => ({
  TableName: 'orders',
  BillingMode: 'PROVISIONED',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
  WriteProvisionedThroughputSettings: {
    WriteCapacityAutoScalingSettings: {
      MinCapacity: '3',
      MaxCapacity: '30',
      TargetTrackingScalingPolicyConfiguration: { TargetValue: '70' },
    },
  },
  Replicas,
})

const reads = (ReadCapacityUnits: number) => ({ ReadProvisionedThroughputSettings: { ReadCapacityUnits } })
const home = { Region: testScope.region, ...reads(4) }

test('the replicas of a global table come, change and go with its stack', async () => {
  const there = { Region: elsewhere, ...reads(6), DeletionProtectionEnabled: true }
  expect(await deploy('CreateStack', orders(home, there))).toBe('CREATE_COMPLETE')
  expect(await describe(testScope.region)).toMatchObject({
    ProvisionedThroughput: { ReadCapacityUnits: 4, WriteCapacityUnits: 3 },
    Replicas: [{ RegionName: elsewhere, ReplicaStatus: 'ACTIVE' }],
  })
  expect(await describe(elsewhere)).toMatchObject({
    ProvisionedThroughput: { ReadCapacityUnits: 6, WriteCapacityUnits: 3 },
    DeletionProtectionEnabled: true,
  })
  // What is protected is not removed, and the stack is as before.
  expect(await deploy('UpdateStack', orders(home))).toBe('UPDATE_ROLLBACK_COMPLETE')
  expect(await describe(elsewhere)).toMatchObject({ TableStatus: 'ACTIVE' })
  expect(await deploy('UpdateStack', orders(home, { Region: elsewhere, ...reads(8) }))).toBe('UPDATE_COMPLETE')
  expect(await describe(elsewhere)).toMatchObject({
    ProvisionedThroughput: { ReadCapacityUnits: 8 },
    DeletionProtectionEnabled: false,
  })
  expect(await deploy('UpdateStack', orders(home))).toBe('UPDATE_COMPLETE')
  expect(await describe(elsewhere)).toBeUndefined()
  expect(await deploy('UpdateStack', orders(home, { Region: elsewhere, ...reads(8) }))).toBe('UPDATE_COMPLETE')
  expect(await deploy('DeleteStack')).toBe('DELETE_COMPLETE')
  for (const region of [testScope.region, elsewhere]) {
    expect(await describe(region)).toBeUndefined()
    const scope = { ...testScope, region }
    const input = { ServiceNamespace: 'dynamodb' }
    expect(await own.engine.execute(scope, 'AnyScaleFrontendService', 'DescribeScalableTargets', input)).toEqual({
      ScalableTargets: [],
    })
  }
})

test('a global table must be in the region of its stack', async () => {
  expect(await deploy('CreateStack', orders({ Region: elsewhere, ...reads(1) }))).toBe('ROLLBACK_COMPLETE')
  const { StackEvents } = await own.cfn<{
    readonly StackEvents: readonly { readonly ResourceStatusReason?: string }[]
  }>('DescribeStackEvents', { StackName })
  expect(StackEvents.map((event) => event.ResourceStatusReason)).toContain(
    'Invalid request provided: The Replicas section must contain an entry for the current region',
  )
})
