import type { Dialect } from './api/dialect.ts'
import type { Throttling } from './partitions/throttling.ts'
import type { WouldThrottle } from './capacity/would-throttle.ts'
import type { EventualConsistency } from './consistency/eventual-consistency.ts'
import type { Randomness } from './randomness.ts'
import type { Scope } from './scope.ts'
import type { OpenService } from './services/service.ts'
import type { Store } from './store/store.ts'
import type { ReadResourcePolicy } from './tables/read-resource-policy.ts'
import type { ClockOptions } from './time/open-clock.ts'
import type { Buckets } from './transfers/buckets.ts'

export interface EngineOptions extends ClockOptions {
  readonly store: Store
  readonly randomness?: Randomness
  /** How long stream records are kept; 24 hours by default. */
  readonly streamRetentionMs?: number
  /** Called when a client asks for a table that only other accounts or regions have. */
  readonly onMissingTable?: (missing: MissingTable) => void
  /** The time between two sweeps for expired items; ten seconds by default. */
  readonly expirySweepMs?: number
  /** The time between two looks for writes that must be sent to other replicas of global tables; 100 milliseconds by
   *  default, and 250 in a shared store. */
  readonly replicationPauseMs?: number | undefined
  /** The regions whose replicas of global tables are in other stores, behind links; none by default. */
  readonly regionsElsewhere?: readonly string[] | undefined
  /** The region whose replicas the servers of those regions ask this one for. */
  readonly linkedRegion?: string | undefined
  /** Where exports go and imports come from; without it, all of them fail. */
  readonly buckets?: Buckets | undefined
  /** Delays eventually consistent reads, including those of global indexes; without it they are current. */
  readonly eventualConsistency?: EventualConsistency | undefined
  /** How long a server of a shared store may be silent before others take over its work; ten seconds unless told. */
  readonly leaseMs?: number | undefined
  /** Whether work in the background is taken up and goes on; it does unless told. Without it nothing expires, and what others have left stays: for
   *  those who only look. What requests begin is done all the same. */
  readonly worksInBackground?: boolean | undefined
  /** Whether traffic is metered; it is unless told, and costs next to nothing. The benchmark compares. */
  readonly isMetered?: boolean | undefined
  /** What becomes of requests that AWS would throttle; `measure` unless told. A table's tag can say otherwise. */
  readonly throttling?: Throttling | undefined
  /** Which wording errors use; the newest by default. */
  readonly dialect?: Dialect | undefined
  /** Parses the policies of tables and streams, and rejects invalid ones. Without it only their size is checked: the
   *  engine itself does not know policies. */
  readonly readResourcePolicy?: ReadResourcePolicy | undefined
  /** Called for requests that AWS would have throttled, once for each table, key range and reason. */
  readonly onWouldThrottle?: ((would: WouldThrottle) => void) | undefined
  /** The services beside DynamoDB's own API, such as monitoring; none by default. */
  readonly services?: readonly OpenService[] | undefined
  /** Called for background work that failed; it is tried again when the engine is next opened, and in a shared store
   *  soon. */
  readonly onBackgroundError?: (error: unknown) => void
}

export interface MissingTable {
  readonly scope: Scope
  /** Absent if a client listed tables and found none. */
  readonly tableName?: string
  readonly elsewhere: readonly Scope[]
}
