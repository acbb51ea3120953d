import type { Scope } from '@hashrange/engine'
import type { ConsumerReference } from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import type { ConsumerDefinition } from '../streams/consumer-records.ts'
import { streamOfArn } from '../streams/named-stream.ts'
import { invalidArgument, resourceNotFound } from '../streams/stream-errors.ts'

/** The name of the consumer in an ARN; undefined if it is not a consumer's. */
export function consumerOfArn(arn: string): string | undefined {
  return /\/consumer\/([a-zA-Z0-9_.-]{1,128}):\d{1,20}$/.exec(arn)?.[1]
}

/** A consumer is named by its ARN, or by its name and its stream. */
export async function requireConsumer(
  { consumers }: Kinesis,
  scope: Scope,
  { ConsumerARN, ConsumerName, StreamARN }: ConsumerReference,
): Promise<ConsumerDefinition> {
  const name = ConsumerARN === undefined ? ConsumerName : consumerOfArn(ConsumerARN)
  const arn = ConsumerARN ?? StreamARN
  if (name === undefined || arn === undefined) {
    throw invalidArgument('Either ConsumerARN, or both StreamARN and ConsumerName must be provided.')
  }
  const streamName = streamOfArn(scope, arn)
  const consumer = await consumers.find(scope, streamName, name)
  if (consumer === undefined || (ConsumerARN !== undefined && consumer.arn !== ConsumerARN)) {
    throw resourceNotFound(`Consumer ${ConsumerARN ?? name}, account ${scope.accountId} not found.`)
  }
  return consumer
}
