import type { ItemWriting } from '../items/change-item.ts'
import type { Randomness } from '../randomness.ts'
import type { BackgroundHost } from '../work/background-host.ts'
import type { Regions } from './regions.ts'
import type { UnsentChanges } from './unsent-changes.ts'

/** What is needed to replicate tables. */
export interface ReplicationHost extends ItemWriting, BackgroundHost {
  readonly randomness: Randomness
  readonly regions: Regions
  readonly unsent: UnsentChanges
  /** The regions whose replicas are in other stores, behind links. */
  readonly regionsElsewhere: ReadonlySet<string>
  /** The region whose replicas are received from here by other servers. */
  readonly linkedRegion: string | undefined
}
