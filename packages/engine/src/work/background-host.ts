import type { UnfinishedWork } from './unfinished-work.ts'

/** Whoever has work done in the background. */
export interface BackgroundHost {
  /** Does some work in the background, unless another server does it already. */
  begin(work: UnfinishedWork): void
  /** Removes what is left of dropped tables and indexes, in the background. */
  purge(): void
  /** Learns what other servers of a shared store have changed in the catalogs. */
  refresh(): Promise<void>
}
