import type { UnfinishedWork } from './unfinished-work.ts'

/** Something that runs background work. */
export interface BackgroundHost {
  /** Runs some work in the background, unless another server is already doing it. */
  begin(work: UnfinishedWork): void
  /** Removes what is left of deleted tables and indexes, in the background. */
  purge(): void
  /** Reads what other servers of a shared store have changed in the catalogs. */
  refresh(): Promise<void>
}
