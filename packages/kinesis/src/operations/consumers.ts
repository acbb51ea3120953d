import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type {
  ConsumerReference,
  ListStreamConsumersInput,
  RegisterStreamConsumerInput,
} from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import type { ConsumerDefinition } from '../streams/consumer-records.ts'
import { pageAfter, tokenAfter } from '../streams/list-token.ts'
import { requireConsumer } from './require-consumer.ts'
import { streamOfArn } from '../streams/named-stream.ts'
import { streamArn } from '../streams/stream-definition.ts'
import { limitExceeded, resourceInUse } from '../streams/stream-errors.ts'
import { checkTags } from '../streams/stream-tags.ts'

const mostConsumers = 20

export async function registerStreamConsumer(kinesis: Kinesis, scope: Scope, input: RegisterStreamConsumerInput) {
  const streamName = streamOfArn(scope, input.StreamARN)
  const { ConsumerName: name, Tags: tags = {} } = input
  checkTags(scope, streamName, {}, tags)
  await kinesis.streamBook.require(scope, streamName, true)
  const existing = await kinesis.consumers.ofStream(scope, streamName)
  const createdAtMs = kinesis.clock.now()
  const arn = `${streamArn(scope, streamName)}/consumer/${name}:${Math.floor(createdAtMs / 1000)}`
  const consumer: ConsumerDefinition = { streamName, name, arn, createdAtMs, tags }
  await kinesis.consumers.records.change(scope, [streamName, name], (current) => {
    if (current !== undefined) {
      throw resourceInUse(
        `Consumer ${name} under stream ${streamArn(scope, streamName)} already exists for account ${scope.accountId}.`,
      )
    }
    if (existing.length >= mostConsumers) {
      throw limitExceeded(
        `Stream ${streamName} under account ${scope.accountId} cannot have more than ${mostConsumers} consumers.`,
      )
    }
    return consumer
  })
  return { Consumer: { ...described(consumer), ConsumerStatus: 'CREATING' } }
}

export async function deregisterStreamConsumer(kinesis: Kinesis, scope: Scope, input: ConsumerReference) {
  const { streamName, name } = await requireConsumer(kinesis, scope, input)
  await kinesis.consumers.records.change(scope, [streamName, name], () => undefined)
  return undefined
}

export async function describeStreamConsumer(kinesis: Kinesis, scope: Scope, input: ConsumerReference) {
  const consumer = await requireConsumer(kinesis, scope, input)
  return {
    ConsumerDescription: { ...described(consumer), StreamARN: streamArn(scope, consumer.streamName) },
  }
}

export async function listStreamConsumers(kinesis: Kinesis, scope: Scope, input: ListStreamConsumersInput) {
  const streamName = streamOfArn(scope, input.StreamARN)
  await kinesis.streamBook.require(scope, streamName, true)
  const { NextToken, MaxResults = 100 } = input
  const after = NextToken === undefined ? '' : (pageAfter(kinesis.clock, NextToken)[0] ?? '')
  const rest = (await kinesis.consumers.ofStream(scope, streamName)).filter(({ name }) => name > after)
  const page = rest.slice(0, MaxResults)
  const last = page.at(-1)
  return {
    Consumers: page.map(described),
    ...(rest.length > page.length && last !== undefined && { NextToken: tokenAfter(kinesis.clock, [last.name]) }),
  }
}

/** Enhanced fan-out pushes records over a connection that both sides keep open. */
export async function subscribeToShard(): Promise<never> {
  throw new ServiceError(
    'InvalidArgumentException',
    'SubscribeToShard is not supported: it needs an event stream over HTTP/2. Use GetRecords; in the Kinesis Client Library, configure PollingConfig.',
  )
}

function described({ name, arn, createdAtMs }: ConsumerDefinition) {
  return {
    ConsumerName: name,
    ConsumerARN: arn,
    ConsumerStatus: 'ACTIVE',
    ConsumerCreationTimestamp: new Date(createdAtMs),
  }
}
