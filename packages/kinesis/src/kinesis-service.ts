import { readInput, serviceOperations, type OpenService, type Service, type ServiceHost } from '@hashrange/engine'
import { destinationNames, kinesisOperations } from './api/operations.ts'
import { readKinesisInput } from './api/shape-book.ts'
import { runDestinations } from './delivery/run-destinations.ts'
import { webhookRecords, type DeclaredWebhook } from './feeds/webhook-record.ts'
import { kinesisOf, type Kinesis, type KinesisEndpoint } from './kinesis.ts'
import type { ShardReader } from './records/shard-reader.ts'

export interface KinesisOptions {
  /** Where the streams of DynamoDB's streaming destinations are; here, unless told. */
  readonly endpoint?: KinesisEndpoint | undefined
  /** Where the changes of tables are sent, and what signs them. */
  readonly webhooks?: readonly DeclaredWebhook[] | undefined
  readonly webhookSecret?: string | undefined
  /** Called with what the database shows of itself, for routes, and with what reads streams. */
  readonly onOpen?: ((host: ServiceHost, reader: ShardReader) => void) | undefined
  /** Called when something could not be delivered. It is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Kinesis Data Streams, and the changes of tables that go there, as a service for an engine. */
export function kinesisService(options: KinesisOptions = {}): OpenService {
  const { endpoint, onError = () => undefined, webhooks = [], webhookSecret: secret = '', onOpen } = options
  return (host) => {
    const context = kinesisOf(host, endpoint)
    onOpen?.(host, lateShardReader(context))
    const service = serviceOf(context, onError)
    return {
      ...service,
      begin: async () => {
        await service.begin?.()
        host.background.run(async () => {
          if (webhooks.length === 0 && (await webhookRecords(host).all()).length === 0) return
          const { runWebhooks } = await import('./feeds/run-webhooks.ts')
          runWebhooks(host, { webhooks, secret, onError })
        })
      },
    }
  }
}

/** It is loaded when somebody reads with it. */
function lateShardReader(context: Kinesis): ShardReader {
  const load = async (): Promise<ShardReader> => (await import('./records/shard-reader.ts')).shardReader(context)
  return {
    scopesOf: async (...input) => (await load()).scopesOf(...input),
    shards: async (...input) => (await load()).shards(...input),
    start: async (...input) => (await load()).start(...input),
    read: async (...input) => (await load()).read(...input),
  }
}

export function serviceOf(context: Kinesis, onError: (error: unknown) => void = () => undefined): Service {
  const kinesis = serviceOperations({
    names: kinesisOperations.Kinesis_20131202,
    context,
    readInput: readKinesisInput,
    load: async () => (await import('./operations/index.ts')).kinesis,
  })
  const dynamodb = serviceOperations({
    names: destinationNames,
    context,
    readInput,
    load: async () => (await import('./operations/dynamodb/index.ts')).destinationOperations,
  })
  return {
    operations: new Map([
      ['Kinesis_20131202', kinesis],
      ['DynamoDB_20120810', dynamodb],
    ]),
    begin: async () => {
      context.background.everyLeased('kinesis retention', 60_000, async (lease) => {
        const { trimStreams } = await import('./retention/trim-streams.ts')
        await trimStreams(context, lease)
      })
      runDestinations(context, onError)
    },
  }
}
