import type { RecordSpace, ServiceHost } from '@hashrange/engine'
import type { KinesisReader } from '@hashrange/lambda'
import type { EndpointRecord } from './destinations/destination-record.ts'
import { EndpointBook } from './destinations/endpoint-book.ts'
import type { HttpCaller } from './destinations/http-caller.ts'
import type { PipeRecord } from './records/pipe-record.ts'

/** What everything in this package gets. */
export interface Pipes extends ServiceHost, PipesOptions {
  readonly pipes: RecordSpace<PipeRecord>
  readonly endpoints: EndpointBook
}

export interface PipesOptions {
  /** Reports what could not be delivered. It is tried again. */
  readonly onError: (error: unknown) => void
  /** Reads streams of Kinesis. */
  readonly kinesis: () => KinesisReader
  /** Calls HTTP endpoints; without it, none can be. */
  readonly http?: HttpCaller | undefined
}

export function pipesOf(host: ServiceHost, options: PipesOptions): Pipes {
  return {
    ...host,
    ...options,
    pipes: host.records<PipeRecord>('pipe'),
    endpoints: new EndpointBook(host.records<EndpointRecord>('httpEndpoint')),
  }
}
