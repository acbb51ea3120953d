import type { WorkbenchServer } from './workbench-server.ts'
import { testScope } from './workbench-server.ts'

/** What a function got, and what it does with it. */
export type Handler = (event: { readonly Records: readonly { readonly eventName: string }[] }) => unknown

/** Lets a function, a stream of Kinesis and a pipe get the changes of a table that has a stream. */
export async function consume(
  { engine, lambda, execute }: WorkbenchServer,
  tableName: string,
  functionName: string,
  handler: Handler,
): Promise<{ readonly uuid: string; readonly streamArn: string }> {
  const { Table } = (await execute('DescribeTable', { TableName: tableName })) as {
    readonly Table: { readonly LatestStreamArn: string }
  }
  const streamArn = Table.LatestStreamArn
  lambda.declareFunction({ name: functionName, code: { kind: 'handler', handler } })
  const made = (await engine.execute(testScope, 'AWSGirApiService', 'CreateEventSourceMapping', {
    FunctionName: functionName,
    EventSourceArn: streamArn,
    StartingPosition: 'LATEST',
    BatchSize: 10,
    MaximumRetryAttempts: 4,
  })) as { readonly UUID: string }
  await engine.execute(testScope, 'Kinesis_20131202', 'CreateStream', {
    StreamName: `${tableName}-changes`,
    ShardCount: 1,
  })
  const arn = `arn:aws:kinesis:${testScope.region}:${testScope.accountId}:stream/${tableName}-changes`
  await execute('EnableKinesisStreamingDestination', { TableName: tableName, StreamArn: arn })
  await engine.execute(testScope, 'Pipes', 'CreatePipe', {
    Name: `${tableName}-audit`,
    Source: streamArn,
    SourceParameters: { DynamoDBStreamParameters: { StartingPosition: 'LATEST' } },
    Target: arn,
    TargetParameters: { KinesisStreamParameters: { PartitionKey: '$.eventID' } },
    RoleArn: `arn:aws:iam::${testScope.accountId}:role/pipes`,
  })
  return { uuid: made.UUID, streamArn }
}
