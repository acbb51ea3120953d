import type { AuthOptions, OpenOptions } from './open-options.ts'
import type { ClosedDatabase } from './auth/close-database.ts'
import { consoleLogger, sharedAccountId } from '@hashrange/server'
import { engineCapacityOptions } from './capacity-options.ts'
import { checkOpenOptions } from './check-open-options.ts'
import { Database } from './database.ts'
import { explainOpening } from './explain-opening.ts'
import { openEngine, type OpenedEngine } from './open-engine.ts'
import { placeOf } from './store-place.ts'

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
  const { auth = false, encryptionKey: key } = options
  const place = placeOf({ ...options, encryptionKey: key && Buffer.from(key) })
  const opened = await openEngine(place, {
    logger,
    advised: 'program',
    buckets: options.buckets,
    exportKeys: options.exportKey && [options.exportKey],
    ...engineCapacityOptions(options),
    webhooks: options.webhooks,
    secrets: { secretKey: typeof auth === 'object' ? auth.secretKey : undefined },
    onWouldThrottle: options.onWouldThrottle,
    ...(options.clock !== undefined && { clock: options.clock }),
    maxClockOffsetMs: options.maxClockOffsetMs,
    ...(options.streamRetentionMs !== undefined && { streamRetentionMs: options.streamRetentionMs }),
    ...(options.ttlSweepMs !== undefined && { expirySweepMs: options.ttlSweepMs }),
  }).catch((error: unknown) => {
    throw explainOpening(error)
  })
  const scope = { accountId: options.accountId ?? sharedAccountId, region: options.region ?? 'us-east-1' }
  try {
    const closed = await closeTo(opened, auth, scope.accountId)
    return new Database(opened, scope, logger, closed)
  } catch (error) {
    await opened.engine.close()
    throw error
  }
}

/** What closes a database is not loaded by those that stay open. */
async function closeTo(
  opened: OpenedEngine,
  auth: boolean | AuthOptions,
  accountId: string,
): Promise<ClosedDatabase | undefined> {
  if (auth === false) return undefined
  const { closeDatabase } = await import('./auth/close-database.ts')
  return closeDatabase(opened, auth === true ? {} : auth, accountId)
}
