import type { ServiceHost } from '@hashrange/engine'
import { DestinationRecords } from './destinations/destination-record.ts'
import { ConsumerRecords } from './streams/consumer-records.ts'
import { StreamBook } from './streams/stream-book.ts'
import { ShardThroughput } from './throughput/shard-throughput.ts'

/** What everything in this package gets: what the database shows of itself, and the streams. */
export interface Kinesis extends ServiceHost {
  readonly streamBook: StreamBook
  readonly consumers: ConsumerRecords
  readonly destinations: DestinationRecords
  /** Undefined if nothing is throttled. */
  readonly throughput: ShardThroughput | undefined
  /** Where the streams of destinations are, if they are not here. */
  readonly endpoint: KinesisEndpoint | undefined
}

/** Kinesis somewhere else, such as on AWS. */
export interface KinesisEndpoint {
  readonly url: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

export function kinesisOf(host: ServiceHost, endpoint?: KinesisEndpoint): Kinesis {
  return {
    ...host,
    streamBook: new StreamBook(host),
    consumers: new ConsumerRecords(host),
    destinations: new DestinationRecords(host),
    throughput: host.throttling === 'enforce' ? new ShardThroughput(() => host.clock.steady()) : undefined,
    endpoint,
  }
}
