import type { Clock, WouldThrottle } from '@hashrange/engine'
import { webhookNotifier } from '@hashrange/monitoring'
import type { Logger } from '@hashrange/server'
import { consoleLogger, sharedAccountId } from '@hashrange/server'
import { engineCapacityOptions, type CapacityOptions } from './capacity-options.ts'
import { checkOpenOptions } from './check-open-options.ts'
import { Database } from './database.ts'
import { explainOpening } from './explain-opening.ts'
import { openBuckets } from './open-buckets.ts'
import { openEngine } from './open-engine.ts'
import { openStore } from './open-store.ts'
import { placeOf } from './store-place.ts'
import { tellOfClocks } from './tell-of-clocks.ts'
import { tellOfBackgroundErrors } from './tell-of-background-errors.ts'

export interface OpenOptions extends CapacityOptions {
  /** The folder that holds the data; without one, the data is gone with the process. */
  readonly path?: string | undefined
  /** The URL of a PostgreSQL that holds the data instead, and that others may use at the same time. */
  readonly store?: string | undefined
  /** Whose tables these are, for data that is also served: by default those of `hashrange start --shared`. */
  readonly accountId?: string | undefined
  readonly region?: string | undefined
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

/** Opens a database within this process.
 *
 *      const db = await open()                     // in memory, for tests
 *      const db = await open({ path: './data' })   // durable
 *      await db.client.send(new ListTablesCommand({}))
 *      await db.close()
 *
 *  Throws a StorageError if the folder is in use by another process, not writable or damaged. */
export async function open(options: OpenOptions = {}): Promise<Database> {
  checkOpenOptions(options)
  const logger = options.logger ?? consoleLogger
  const store = await openStore(placeOf(options)).catch((error: unknown) => {
    throw explainOpening(error, options.path)
  })
  try {
    const engine = await openEngine({
      store,
      buckets: await openBuckets(options.buckets),
      ...engineCapacityOptions(options),
      notifier: webhookNotifier(logger, { webhooks: options.webhooks }),
      onWouldThrottle: options.onWouldThrottle,
      ...(options.clock !== undefined && { clock: options.clock }),
      maxClockOffsetMs: options.maxClockOffsetMs,
      onClock: tellOfClocks(logger),
      ...(options.streamRetentionMs !== undefined && { streamRetentionMs: options.streamRetentionMs }),
      ...(options.ttlSweepMs !== undefined && { expirySweepMs: options.ttlSweepMs }),
      onBackgroundError: tellOfBackgroundErrors(logger),
    })
    const scope = { accountId: options.accountId ?? sharedAccountId, region: options.region ?? 'us-east-1' }
    return new Database(engine, scope, logger)
  } catch (error) {
    await store.close()
    throw error
  }
}
