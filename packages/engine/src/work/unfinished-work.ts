import type { Lease } from './leases.ts'

/** Work that was started and is not finished. Any server can start it again at any time. */
export interface UnfinishedWork {
  /** The lease under which it is done. */
  readonly name: string
  readonly run: (lease: Lease) => Promise<void>
}
