import type { DeclaredIdentities } from '@hashrange/access'
import type { Clock, WouldThrottle } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'
import type { CapacityOptions } from './capacity-options.ts'

export interface AuthOptions {
  /** The administrator's key; a new one by default. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** The initial users, groups, roles and policies, as `--identities` reads them from a file. */
  readonly identities?: DeclaredIdentities | undefined
  /** The key that secrets are encrypted with, 32 bytes in base64 or hexadecimal; by default, a file in the data
   *  folder. */
  readonly secretKey?: string | undefined
}

export interface OpenOptions extends CapacityOptions {
  /** The data folder; without one, the data disappears with the process. */
  readonly path?: string | undefined
  /** The URL of a PostgreSQL that stores the data instead, and that others may use at the same time. */
  readonly store?: string | undefined
  /** The key that the data is encrypted with: 32 bytes. If given, a new folder or database is encrypted. */
  readonly encryptionKey?: Uint8Array | undefined
  /** Whose tables these are, for data that is also served: by default those of `hashrange start --shared`. */
  readonly accountId?: string | undefined
  readonly region?: string | undefined
  /** Closes the database to everybody without a key: requests of `client` and of servers created by `listen` are
   *  verified and must be allowed. `true` creates an administrator, whose key `client` uses; it is in
   *  `clientConfig.credentials`. */
  readonly auth?: boolean | AuthOptions | undefined
  /** Where exports go and imports come from: a folder with a folder for each bucket, the address of a server that speaks
   *  S3's API, or `s3`. */
  readonly buckets?: string | undefined
  /** The key that exports are encrypted with, and encrypted imports are read with: 32 bytes. Without one, exports are not encrypted. */
  readonly exportKey?: Uint8Array | undefined
  /** How long stream records are kept; 24 hours by default. */
  readonly streamRetentionMs?: number | undefined
  /** The time between two sweeps for expired items; ten seconds by default. */
  readonly ttlSweepMs?: number | undefined
  /** The addresses below which receivers of alarms are allowed, such as `['https://hooks.example.com/alarms/']`;
   *  `['*']` is everywhere. By default, receivers on this machine. */
  readonly webhooks?: readonly string[] | undefined
  /** How far the clock of this machine may be off from the database's, with `store`, before `open` fails; five
   *  minutes by default. The database's time is used in any case. */
  readonly maxClockOffsetMs?: number | undefined
  /** The time as the database sees it, so that a test can move it. */
  readonly clock?: Clock | undefined
  /** Called for requests that AWS would have throttled, once for each table, key range and reason. */
  readonly onWouldThrottle?: ((would: WouldThrottle) => void) | undefined
  /** Called for failures that are not the caller's. */
  readonly logger?: Logger | undefined
}
