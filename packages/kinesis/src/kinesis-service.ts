import { readInput, serviceOperations, type OpenService, type Service } from '@hashrange/engine'
import { destinationNames, kinesisOperations } from './api/operations.ts'
import { readKinesisInput } from './api/shape-book.ts'
import { runDestinations } from './delivery/run-destinations.ts'
import { kinesisOf, type Kinesis, type KinesisEndpoint } from './kinesis.ts'

export interface KinesisOptions {
  /** Where the streams of DynamoDB's streaming destinations are; here, unless told. */
  readonly endpoint?: KinesisEndpoint | undefined
  /** Called when something could not be delivered. It is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Kinesis Data Streams, and the changes of tables that go there, as a service for an engine. */
export function kinesisService({ endpoint, onError }: KinesisOptions = {}): OpenService {
  return (host) => serviceOf(kinesisOf(host, endpoint), onError)
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
