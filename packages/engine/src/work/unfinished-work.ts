import type { Lease } from './leases.ts'

/** Work that was begun and has not come to its end. It can be begun anew at any time, by any server. */
export interface UnfinishedWork {
  /** Of the lease under which it is done. */
  readonly name: string
  readonly run: (lease: Lease) => Promise<void>
}
