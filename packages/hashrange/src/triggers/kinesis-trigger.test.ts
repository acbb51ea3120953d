import { expect, onTestFinished, test } from 'vitest'
import { openEngine } from '../open-engine.ts'

const scope = { accountId: '123456789012', region: 'us-east-1' }

test('the stream of a trigger is created with its shards, and what cannot be created is reported once', async () => {
  const told: unknown[] = []
  const { engine, lambda } = await openEngine({ kind: 'memory' }, { logger: { error: (line) => told.push(line) } })
  onTestFinished(() => engine.close())
  const functionName = 'on-click'
  await lambda.declareTrigger({ streamName: 'clicks', shardCount: 3, functionName, scope })
  const { StreamDescription } = (await engine.execute(scope, 'Kinesis_20131202', 'DescribeStream', {
    StreamName: 'clicks',
  })) as { StreamDescription: { Shards: readonly object[] } }
  expect(StreamDescription.Shards).toHaveLength(3)
  await lambda.declareTrigger({ streamName: 'many', shardCount: 1_000_000, functionName, scope })
  await lambda.declareTrigger({ streamName: 'elsewhere', functionName })
  expect(told).toEqual([
    expect.stringMatching(/The Kinesis stream many cannot be created, so on-click is not called/),
  ])
})
