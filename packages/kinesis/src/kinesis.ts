import type { ServiceHost } from '@hashrange/engine'
import { ShardThroughput } from './throughput/shard-throughput.ts'
import { ConsumerRecords } from './streams/consumer-records.ts'
import { StreamBook } from './streams/stream-book.ts'

/** What everything in this package gets: what the database shows of itself, and the streams. */
export interface Kinesis extends ServiceHost {
  readonly streamBook: StreamBook
  readonly consumers: ConsumerRecords
  /** Undefined if nothing is throttled. */
  readonly throughput: ShardThroughput | undefined
}

export function kinesisOf(host: ServiceHost): Kinesis {
  return {
    ...host,
    streamBook: new StreamBook(host),
    consumers: new ConsumerRecords(host),
    throughput: host.throttling === 'enforce' ? new ShardThroughput(() => host.clock.steady()) : undefined,
  }
}
