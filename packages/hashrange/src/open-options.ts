import type { DeclaredIdentities } from '@hashrange/access'
import type { Clock, WouldThrottle } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'
import type { CapacityOptions } from './capacity-options.ts'

export interface AuthOptions {
  /** The administrator's key; a new one unless given. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** Users, groups, roles and policies to begin with, as `--identities` reads them from a file. */
  readonly identities?: DeclaredIdentities | undefined
  /** The key that secrets are encrypted with, 32 bytes in base64 or hexadecimal; a file in the data folder unless given. */
  readonly secretKey?: string | undefined
}

export interface OpenOptions extends CapacityOptions {
  /** The folder that holds the data; without one, the data is gone with the process. */
  readonly path?: string | undefined
  /** The URL of a PostgreSQL that holds the data instead, and that others may use at the same time. */
  readonly store?: string | undefined
  /** The key that the data is encrypted with: 32 bytes. A new folder or database is encrypted if it is given. */
  readonly encryptionKey?: Uint8Array | undefined
  /** Whose tables these are, for data that is also served: by default those of `hashrange start --shared`. */
  readonly accountId?: string | undefined
  readonly region?: string | undefined
  /** Closes the database to whoever has no key: requests of `client` and of servers made by `listen` are verified and must be allowed. `true` makes an administrator, whose key
   *  `client` signs with; `clientConfig.credentials` holds it. */
  readonly auth?: boolean | AuthOptions | undefined
  /** Where exports go and imports come from: a folder with a folder for each bucket, the address of a server that speaks
   *  S3's API, or `s3`. */
  readonly buckets?: string | undefined
  /** How long streams show a change; 24 hours unless told. */
  readonly streamRetentionMs?: number | undefined
  /** How long after one sweep for items whose time to live is over the next begins; ten seconds unless told. */
  readonly ttlSweepMs?: number | undefined
  /** The addresses below which alarms may have their receivers, such as `['https://hooks.example.com/alarms/']`; `['*']` is everywhere. Receivers on this
   *  machine unless told. */
  readonly webhooks?: readonly string[] | undefined
  /** How far the clock of this machine may be off from the database's, with `store`, before `open` refuses it; five minutes unless
   *  told. The time is the database's in any case. */
  readonly maxClockOffsetMs?: number | undefined
  /** The time as the database sees it, so that a test can move it. */
  readonly clock?: Clock | undefined
  /** Told of requests that AWS would have throttled, once for each table, key range and reason. */
  readonly onWouldThrottle?: ((would: WouldThrottle) => void) | undefined
  /** Told of failures that are not the caller's. */
  readonly logger?: Logger | undefined
}
