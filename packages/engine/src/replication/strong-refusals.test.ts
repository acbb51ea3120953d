import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestRegions } from './testing/regions.ts'
import {
  create,
  item,
  makeStrong,
  ohio,
  oregon,
  refusalOfConversion,
  remove,
  virginia,
} from './testing/strong-table.ts'

let regions: TestRegions

beforeEach(async () => {
  regions = await TestRegions.open()
})

afterEach(() => regions.close())

describe('what a strongly consistent global table does not support', () => {
  test('is rejected when a table is converted', async () => {
    await regions.createGlobalTable('music', [virginia])
    const MultiRegionConsistency = 'STRONG'
    const strong = 'global tables with MultiRegionConsistency set to STRONG'
    const ReplicaUpdates = [create(ohio)]
    for (const [input, message] of [
      [{ ReplicaUpdates, MultiRegionConsistency }, `Unsupported replica count for ${strong}.`],
      [
        { ReplicaUpdates: [create(ohio), create(ohio)], MultiRegionConsistency },
        'Cannot target multiple regions with the same action',
      ],
      [
        { ReplicaUpdates, GlobalTableWitnessUpdates: [create(ohio)], MultiRegionConsistency },
        'Cannot target multiple regions with the same action',
      ],
      [
        { ReplicaUpdates: [create(ohio), create('us-west-1')], MultiRegionConsistency },
        `Unsupported Region(s) specified for ${strong}: [us-west-1].`,
      ],
      [
        { MultiRegionConsistency },
        'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required',
      ],
      [
        { ReplicaUpdates, GlobalTableWitnessUpdates: [create(oregon)] },
        'MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.',
      ],
      [
        { ReplicaUpdates, GlobalTableWitnessUpdates: [create(virginia)], MultiRegionConsistency },
        'Cannot add a witness in the same region as an existing replica when creating a global table with MultiRegionConsistency set to STRONG.',
      ],
      [
        { ReplicaUpdates: [remove(ohio)], MultiRegionConsistency },
        'Only Replica Create actions are supported when MultiRegionConsistency parameter is provided.',
      ],
      [
        { ReplicaUpdates, MultiRegionConsistency, DeletionProtectionEnabled: true },
        'Requests that modify replicas or witnesses must not also modify other fields',
      ],
      [
        { ReplicaUpdates: [create(ohio), create(oregon)] },
        'Update table operation with more than one create or delete replica actions not allowed',
      ],
    ] as const) {
      expect(await refusalOfConversion(regions, input)).toBe(`ValidationException: ${message}`)
    }
    expect(await refusalOfConversion(regions, { GlobalTableWitnessUpdates: [create(ohio)] })).toMatch(
      /: At least one of /,
    )
    const both = { ReplicaUpdates: [create(ohio), create(oregon)], MultiRegionConsistency }
    const TimeToLiveSpecification = { AttributeName: 'ends', Enabled: true }
    await regions.run(virginia, 'UpdateTimeToLive', { TableName: 'music', TimeToLiveSpecification })
    expect(await refusalOfConversion(regions, both)).toMatch(/Time to Live \(TTL\) is not supported/)
    await regions.run(virginia, 'UpdateTimeToLive', {
      TableName: 'music',
      TimeToLiveSpecification: { ...TimeToLiveSpecification, Enabled: false },
    })
    await regions.put(virginia, 'music', item('a'))
    expect(await refusalOfConversion(regions, both)).toMatch(/must be empty/)
  })

  test('is a region in another store', async () => {
    const apart = await TestRegions.open({ regionsElsewhere: [oregon] })
    await apart.createGlobalTable('music', [virginia])
    const update = {
      TableName: 'music',
      MultiRegionConsistency: 'STRONG',
      ReplicaUpdates: [create(ohio), create(oregon)],
    }
    expect(await apart.refusal(virginia, 'UpdateTable', update)).toBe(
      'ValidationException: Multi-Region strong consistency (MRSC) needs one store for all Regions, but this server replicates to us-west-2 over the network. Use servers that share one PostgreSQL, or MultiRegionConsistency EVENTUAL.',
    )
    await apart.close()
  })

  test('is rejected afterwards', async () => {
    await makeStrong(regions)
    const TimeToLiveSpecification = { AttributeName: 'ends', Enabled: true }
    expect(
      await regions.refusal(ohio, 'UpdateTimeToLive', { TableName: 'music', TimeToLiveSpecification }),
    ).toMatch(/^ValidationException: Time to Live \(TTL\) is not supported/)
    const Put = { TableName: 'music', Item: item('a') }
    const Get = { TableName: 'music', Key: item('a') }
    const Statement = "DELETE FROM music WHERE pk = 'a'"
    for (const [operation, input] of [
      ['TransactWriteItems', { TransactItems: [{ Put }] }],
      ['TransactGetItems', { TransactItems: [{ Get }] }],
      ['ExecuteTransaction', { TransactStatements: [{ Statement }] }],
    ] as const) {
      expect(await regions.refusal(ohio, operation, input)).toBe(
        'ValidationException: Transaction operations are not supported on global tables with multi-Region strong consistency (MRSC).',
      )
    }
    const onlyOne =
      'ValidationException: Deletion of only one table replica is not supported for global tables with MultiRegionConsistency set to STRONG.'
    expect(await refusalOfConversion(regions, { ReplicaUpdates: [remove(ohio)] })).toBe(onlyOne)
    expect(await regions.refusal(ohio, 'DeleteTable', { TableName: 'music' })).toBe(onlyOne)
    expect(await refusalOfConversion(regions, { ReplicaUpdates: [create('eu-west-1')] })).toBe(
      'ValidationException: Cannot add replicas to a global table with strong MultiRegionConsistency',
    )
    expect(
      await refusalOfConversion(regions, {
        ReplicaUpdates: [create('eu-west-1')],
        MultiRegionConsistency: 'EVENTUAL',
      }),
    ).toBe('ValidationException: MultiRegionConsistency parameter is unsupported on existing global table')
    expect(
      await refusalOfConversion(regions, {
        ReplicaUpdates: [remove(ohio), remove(oregon)],
        GlobalTableWitnessUpdates: [remove('eu-west-1')],
      }),
    ).toBe(
      'ValidationException: Update global table operation failed because one or more witnesses were not part of the global table. Please retry the request without these witnesses: [eu-west-1].',
    )
    expect(
      await refusalOfConversion(regions, {
        ReplicaUpdates: [create(ohio), create(oregon)],
        MultiRegionConsistency: 'STRONG',
      }),
    ).toBe('ValidationException: MultiRegionConsistency parameter is unsupported on existing global table')
  })
})
