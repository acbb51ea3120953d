import type { RecordSpace, ServiceHost } from '@hashrange/engine'
import type { KinesisReader } from '@hashrange/lambda'
import { AccessTokens } from './destinations/access-tokens.ts'
import type { EndpointRecord } from './destinations/destination-record.ts'
import { EndpointBook } from './destinations/endpoint-book.ts'
import type { HttpCaller } from './destinations/http-caller.ts'
import { InvocationRates } from './destinations/invocation-rates.ts'
import type { PipeRecord } from './records/pipe-record.ts'

/** What everything in this package gets. */
export interface Pipes extends ServiceHost, PipesOptions {
  readonly pipes: RecordSpace<PipeRecord>
  readonly endpoints: EndpointBook
  readonly rates: InvocationRates
  readonly tokens: AccessTokens
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
    rates: new InvocationRates(),
    tokens: new AccessTokens(),
    endpoints: new EndpointBook(host.records<EndpointRecord>('httpEndpoint')),
  }
}
