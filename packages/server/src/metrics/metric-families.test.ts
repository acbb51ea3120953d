import { Engine, openLmdbStore } from '@hashrange/engine'
import { expect, test } from 'vitest'
import { metricFamilies } from './metric-families.ts'

const scope = { accountId: '123456789012', region: 'eu-west-1' }

test('what is sent to several regions has a series for each: readers reject a page that has one twice', async () => {
  const engine = await Engine.open({ store: await openLmdbStore({ memory: true }), replicationPauseMs: 3_600_000 })
  const run = (operation: string, input: object): Promise<unknown> =>
    Promise.resolve(engine.execute(scope, 'DynamoDB_20120810', operation, { TableName: 'music', ...input }))
  try {
    await run('CreateTable', {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    })
    for (const RegionName of ['us-east-2', 'ap-northeast-1']) {
      await engine.background.idle()
      await run('UpdateTable', { ReplicaUpdates: [{ Create: { RegionName } }] })
    }
    await engine.background.idle()
    await run('PutItem', { Item: { pk: { S: 'a' } } })
    await engine.replicate()
    const families = [...metricFamilies(engine)]
    for (const { name, samples } of families) {
      const series = samples.map(({ labels }) => JSON.stringify(labels))
      expect(series, name).toEqual([...new Set(series)])
    }
    const latency = families.find(({ name }) => name === 'hashrange_dynamodb_replication_latency')
    const regions = latency?.samples.map(({ labels }) => labels['receiving_region']).toSorted()
    expect(regions).toEqual(['ap-northeast-1', 'us-east-2'])
  } finally {
    await engine.close()
  }
})
