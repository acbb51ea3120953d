import type { RecordSpace, ServiceHost } from '@hashrange/engine'
import type { PipeRecord } from './records/pipe-record.ts'

/** What everything in this package gets. */
export interface Pipes extends ServiceHost {
  readonly pipes: RecordSpace<PipeRecord>
  /** Reports what could not be delivered. It is tried again. */
  readonly onError: (error: unknown) => void
}

export function pipesOf(host: ServiceHost, onError: (error: unknown) => void): Pipes {
  return { ...host, pipes: host.records<PipeRecord>('pipe'), onError }
}
