import type { EngineParts } from '../operations/engine-parts.ts'
import type { Lease } from '../work/leases.ts'

/** What links between stores need of the database. */
export interface LinkHost extends EngineParts {
  /** Does `work` until it ends, unless another server of the store is doing it. */
  hold(name: string, work: (lease: Lease) => Promise<void>): Promise<boolean>
}

/** Tells the operator something, once for each `about` as long as it stays the same. */
export type Tell = (about: string, sentence: string) => void
