import type { AskedOperation, NeedsOf } from './need.ts'
import { sentTagMap, sentText, sentTexts } from './sent-member.ts'
import { removedTagKeys, requestTagKeys } from './tag-keys.ts'

/** What Kinesis needs: of a stream, or of a consumer, where one is named. */
export const kinesisNeeds: Readonly<Record<string, NeedsOf>> = {
  ...each(
    [
      'AddTagsToStream',
      'CreateStream',
      'DecreaseStreamRetentionPeriod',
      'DeleteStream',
      'DescribeStream',
      'DescribeStreamSummary',
      'DisableEnhancedMonitoring',
      'EnableEnhancedMonitoring',
      'GetShardIterator',
      'IncreaseStreamRetentionPeriod',
      'ListShards',
      'ListStreamConsumers',
      'ListTagsForStream',
      'MergeShards',
      'PutRecord',
      'PutRecords',
      'RegisterStreamConsumer',
      'RemoveTagsFromStream',
      'SplitShard',
      'StartStreamEncryption',
      'StopStreamEncryption',
      'UpdateMaxRecordSize',
      'UpdateShardCount',
      'UpdateStreamMode',
    ],
    ({ scope, body }) => sentText(body, 'StreamARN') ?? streamArn(scope, sentText(body, 'StreamName') ?? '*'),
  ),
  // The iterator begins with the stream that it was made for, which is also the one that is read.
  ...each(['GetRecords'], ({ scope, body }) =>
    streamArn(scope, sentText(body, 'ShardIterator')?.split('/', 1)[0] ?? '*'),
  ),
  ...each(['DeregisterStreamConsumer', 'DescribeStreamConsumer', 'SubscribeToShard'], ({ body }) => {
    const stream = sentText(body, 'StreamARN')
    const consumer = sentText(body, 'ConsumerName') ?? '*'
    return sentText(body, 'ConsumerARN') ?? (stream === undefined ? '*' : `${stream}/consumer/${consumer}`)
  }),
  ...each(
    ['ListTagsForResource', 'TagResource', 'UntagResource'],
    ({ body }) => sentText(body, 'ResourceARN') ?? '*',
  ),
  ...each(['DescribeLimits', 'ListStreams'], () => '*'),
}

function each(
  operations: readonly string[],
  resourceOf: (asked: AskedOperation) => string,
): Readonly<Record<string, NeedsOf>> {
  return Object.fromEntries(
    operations.map((name): [string, NeedsOf] => [
      name,
      (asked) => {
        const removed = sentTexts(asked.body, 'TagKeys')
        const keys = removed.length > 0 ? removedTagKeys(removed) : requestTagKeys(sentTagMap(asked.body))
        return [{ action: `kinesis:${name}`, resource: resourceOf(asked), ...(keys && { keys }) }]
      },
    ]),
  )
}

function streamArn({ accountId, region }: AskedOperation['scope'], streamName: string): string {
  return `arn:aws:kinesis:${region}:${accountId}:stream/${streamName}`
}
