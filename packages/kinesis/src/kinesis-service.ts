import { serviceOperations, type OpenService, type Service } from '@hashrange/engine'
import { kinesisOperations } from './api/operations.ts'
import { readKinesisInput } from './api/shape-book.ts'
import { kinesisOf, type Kinesis } from './kinesis.ts'

/** Kinesis Data Streams, as a service for an engine. */
export function kinesisService(): OpenService {
  return (host) => serviceOf(kinesisOf(host))
}

export function serviceOf(context: Kinesis): Service {
  const kinesis = serviceOperations({
    names: kinesisOperations.Kinesis_20131202,
    context,
    readInput: readKinesisInput,
    load: async () => (await import('./operations/index.ts')).kinesis,
  })
  return {
    operations: new Map([['Kinesis_20131202', kinesis]]),
    begin: async () => {
      context.background.everyLeased('kinesis retention', 60_000, async (lease) => {
        const { trimStreams } = await import('./retention/trim-streams.ts')
        await trimStreams(context, lease)
      })
    },
  }
}
