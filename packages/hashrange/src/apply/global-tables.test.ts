import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runTransfer } from '../commands/run-transfer.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-global-'))
const file = join(folder, 'template.json')
const place = join(folder, 'data')
let told = ''

beforeEach(() => {
  rmSync(place, { recursive: true, force: true })
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (told += `${text}\n`))
})

afterEach(() => vi.restoreAllMocks())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function apply(...words: string[]): Promise<string> {
  told = ''
  const code = await runTransfer('apply', [file, '--path', place, '--region', 'eu-west-1', ...words])
  return `${told}${code}`
}

function declare(properties: object): void {
  const Properties = {
    TableName: 'orders',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'email', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byEmail',
        KeySchema: [{ AttributeName: 'email', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
        ...('WriteProvisionedThroughputSettings' in properties && {
          WriteProvisionedThroughputSettings: properties.WriteProvisionedThroughputSettings,
        }),
      },
    ],
    ...properties,
  }
  const Resources = { Orders: { Type: 'AWS::DynamoDB::GlobalTable', Properties } }
  writeFileSync(file, JSON.stringify({ Parameters: { Mode: { Default: 'PAY_PER_REQUEST' } }, Resources }))
}

const ireland = { Region: 'eu-west-1' }
const onDemand = { BillingMode: { Ref: 'Mode' } }

test('replicas come, change and go with the template, and a second run changes nothing', async () => {
  declare({ ...onDemand, Replicas: [ireland] })
  expect(await apply()).toContain('orders  created\n0')
  const ohio = {
    Region: 'us-east-2',
    TableClass: 'STANDARD_INFREQUENT_ACCESS',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    DeletionProtectionEnabled: true,
    ContributorInsightsSpecification: { Enabled: true },
    Tags: [{ Key: 'team', Value: 'sales' }],
    ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 40 },
  }
  const regions = { ...onDemand, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } }
  declare({ ...regions, Replicas: [ireland, ohio, { Region: 'us-west-2' }] })
  const diff = await apply('--diff')
  for (const phrase of [
    'adds a replica in us-east-2',
    'adds a replica in us-west-2',
    'turns point-in-time recovery on (35 days) in us-east-2',
    'turns deletion protection on in us-east-2',
    'sets the tag team in us-east-2',
  ])
    expect(diff).toContain(phrase)
  expect(await apply()).toContain('orders  updated: ')
  expect(await apply()).toContain('orders  unchanged\n0')
  declare({
    ...regions,
    Replicas: [ireland, { ...ohio, TableClass: 'STANDARD', DeletionProtectionEnabled: false }],
  })
  expect(await apply()).toMatch(
    /orders {2}updated: removes the replica in us-west-2; changes the table class of the replica in us-east-2; turns deletion protection off in us-east-2\n0$/,
  )
  expect(await apply()).toContain('orders  unchanged\n0')
  // With its last replica, it may lose its stream.
  declare({ ...regions, Replicas: [ireland] })
  expect(await apply()).toContain('orders  updated: removes the replica in us-east-2; turns the stream off\n0')
  expect(await apply()).toContain('orders  unchanged\n0')
})

test('says what is wrong with the list of replicas', async () => {
  declare({ ...onDemand, Replicas: [ireland, ireland] })
  expect(await apply()).toContain('Orders in ' + file + ': Replicas names eu-west-1 twice.\n1')
  declare({ ...onDemand, Replicas: [{}] })
  expect(await apply()).toContain('the region of a replica is not known')
  const many = Array.from({ length: 100 }, (_, n) => ({ Region: `eu-west-${n + 1}` }))
  declare({ ...onDemand, Replicas: many })
  expect(await apply()).toContain('declares 99 replicas. A table can have at most 50: AWS has fewer regions.\n1')
  declare({ ...onDemand, Replicas: 'eu-west-1' })
  expect(await apply()).toContain('Replicas must name at least one region')
})

test('a table is made in the regions that it names, wherever it is applied', async () => {
  declare({ ...onDemand, Replicas: [{ Region: 'ap-south-1' }, { Region: 'sa-east-1' }] })
  expect(await apply()).toContain('orders  created in ap-south-1, with a replica in sa-east-1\n0')
  expect(await apply('--region', 'sa-east-1')).toContain('orders  unchanged\n0')
})

test('provisioned writes scale before there are replicas, and reads where that is declared', async () => {
  const scaled = (MaxCapacity: number, SeedCapacity = 5) => ({
    MinCapacity: 5,
    MaxCapacity,
    SeedCapacity,
    TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 },
  })
  const provisioned = (units: number, most: number) => ({
    BillingMode: 'PROVISIONED',
    WriteProvisionedThroughputSettings: { WriteCapacityAutoScalingSettings: scaled(most) },
    Replicas: [
      {
        ...ireland,
        ReadProvisionedThroughputSettings: { ReadCapacityUnits: units },
        GlobalSecondaryIndexes: [
          { IndexName: 'byEmail', ReadProvisionedThroughputSettings: { ReadCapacityUnits: units } },
        ],
      },
      {
        Region: 'us-east-2',
        ReadProvisionedThroughputSettings: { ReadCapacityAutoScalingSettings: scaled(20, 7) },
        GlobalSecondaryIndexes: [
          { IndexName: 'byEmail', ReadProvisionedThroughputSettings: { ReadCapacityUnits: 9 } },
        ],
      },
    ],
  })
  declare(provisioned(6, 40))
  expect(await apply()).toContain('orders  created in eu-west-1, with a replica in us-east-2\n0')
  expect(await apply()).toContain('orders  unchanged\n0')
  declare(provisioned(8, 50))
  const changed = await apply()
  expect(changed).toContain('changes the provisioned capacity; changes the capacity of the index byEmail; ')
  expect(changed).toContain('scales between 5 and 50 units (writes)')
  expect(await apply()).toContain('orders  unchanged\n0')
  declare({ ...onDemand, Replicas: [ireland, { Region: 'us-east-2' }] })
  expect(await apply()).toContain('no longer scales writes')
  expect(await apply()).toContain('orders  unchanged\n0')
})

test('a strongly consistent table gets its replicas and its witness at once', async () => {
  const strong = {
    ...onDemand,
    GlobalSecondaryIndexes: [],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    MultiRegionConsistency: 'STRONG',
    GlobalTableWitnesses: [{ Region: 'eu-west-3' }],
  }
  declare({ ...strong, Replicas: [ireland, { Region: 'eu-west-2' }] })
  expect(await apply()).toContain('orders  created in eu-west-1, with a replica in eu-west-2\n0')
  expect(await apply()).toContain('orders  unchanged\n0')
  declare({ ...strong, Replicas: [ireland], MultiRegionConsistency: undefined, GlobalTableWitnesses: undefined })
  expect(await apply()).toContain('removes the replica in eu-west-2, removes the witness in eu-west-3\n0')
  expect(await apply()).toContain('orders  unchanged\n0')
})

test('replica blocks of Terraform', async () => {
  const plan = (...replica: readonly object[]) => {
    const values = {
      name: 'orders',
      billing_mode: 'PAY_PER_REQUEST',
      hash_key: 'pk',
      attribute: [{ name: 'pk', type: 'S' }],
      stream_enabled: true,
      server_side_encryption: [{ enabled: true, kms_key_arn: null }],
      tags: { team: 'sales' },
      replica,
    }
    const resource = { address: 'aws_dynamodb_table.orders', mode: 'managed', type: 'aws_dynamodb_table', values }
    writeFileSync(file, JSON.stringify({ planned_values: { root_module: { resources: [resource] } } }))
  }
  plan({ region_name: 'us-east-2', propagate_tags: true, point_in_time_recovery: true })
  expect(await apply()).toContain('orders  created in eu-west-1, with a replica in us-east-2\n0')
  expect(await apply()).toContain('orders  unchanged\n0')
  plan({ region_name: 'us-east-2', deletion_protection_enabled: true })
  expect(await apply()).toContain(
    'orders  updated: turns deletion protection on in us-east-2; turns point-in-time recovery off in us-east-2\n0',
  )
})
