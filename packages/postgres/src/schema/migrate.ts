import { outdatedSoftware, standingOf, StorageError, type StoredVersion } from '@hashrange/engine'
import type { Client } from 'pg'
import { assertOwnSession } from '../address/assert-own-session.ts'
import { currentVersion, migrationStatements, schemaVersion } from './migrations.ts'
import { tableNames } from './names.ts'
import { takeTime } from '../session-settings.ts'
import { aboutStatement, defaultShards, foundationStatements } from './schema-text.ts'

/** What a database says about itself. */
export interface About extends StoredVersion {
  readonly shards: number
  readonly distribution: 'none' | 'citus'
}

export interface MigrateOptions {
  readonly schema: string
  readonly distribution: 'auto' | 'none' | 'citus'
  readonly shards: number | undefined
  /** Whether a schema that is missing or behind is set up. */
  readonly mayChange: boolean
}

/** Upgrades the database to the current version of the schema. Any number of servers may do so at once: one does the
 *  work, and the others wait for it. A current schema is only checked, so a role without the right to create anything
 *  is enough. */
export async function migrate(connect: () => Promise<Client>, options: MigrateOptions): Promise<About> {
  const client = await connect()
  try {
    await takeTime(client)
    await assertVersion(client)
    await assertOwnSession(client, connect)
    const found = await aboutOf(client, options.schema)
    if (found !== undefined && found.version >= schemaVersion) return checked(found, options)
    if (!options.mayChange) throw notCurrent(found, options.schema)
    return await migrateOnline(client, options)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function assertVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num')
  const version = Number(rows[0]?.server_version_num ?? 0)
  if (version >= oldestVersion) return
  throw new StorageError(
    'incompatible',
    `The database is PostgreSQL ${Math.floor(version / 10_000)}, and at least version ${oldestVersion / 10_000} is needed.`,
  )
}

const oldestVersion = 140_000

/** Others read and write meanwhile. Changing a table waits until all transactions on it are over, and everybody else
 *  waits behind that: so it gives up soon, lets the others pass, and tries again. */
async function migrateOnline(client: Client, options: MigrateOptions): Promise<About> {
  const untilMs = performance.now() + migrationPatienceMs
  for (;;) {
    try {
      return await migrateUnderLock(client, options)
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable || performance.now() > untilMs) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs))
  }
}

const lockNotAvailable = '55P03'
const lockTimeoutMs = 500
const lockPauseMs = 500
const migrationPatienceMs = 120_000

async function migrateUnderLock(client: Client, options: MigrateOptions): Promise<About> {
  const { schema } = options
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
    // Another server may have done it while this one waited.
    const found = await aboutOf(client, schema)
    if (found !== undefined && found.version >= schemaVersion) {
      await client.query('COMMIT')
      return checked(found, options)
    }
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`)
    const distribution = found?.distribution ?? (await chosenDistribution(client, options))
    const shards = found?.shards ?? options.shards ?? defaultShards(distribution)
    if (found === undefined) for (const text of foundationStatements(schema)) await client.query(text)
    for (const text of migrationStatements(schema, distribution, found?.version ?? 0)) await client.query(text)
    await client.query(aboutStatement(schema, distribution, shards))
    await client.query('COMMIT')
    return { ...currentVersion(distribution), shards, distribution }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    if ((error as { code?: string }).code === '42501') throw mayNotCreate(schema, error)
    throw error
  }
}

/** Any number works, as long as every version of the software uses the same. */
const migrationLock = 7_265_627_019

/** Queries the catalog as a table: names are looked up in a cache, which may not know yet what others have just
 *  committed. */
async function aboutOf(client: Client, schema: string): Promise<About | undefined> {
  const { rows: tables } = await client.query(
    "SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = 'about'",
    [schema],
  )
  if (tables.length === 0) return undefined
  // An earlier version does not have all columns.
  const { rows } = await client.query<{ about: AboutRow }>(
    `SELECT to_jsonb(about) AS about FROM ${tableNames(schema).about} AS about`,
  )
  const row = rows[0]?.about
  if (row === undefined) return undefined
  const {
    version,
    shards,
    distribution,
    readable_from: readableFrom = version,
    writable_from: writableFrom = version,
  } = row
  return { version, readableFrom, writableFrom, shards, distribution }
}

interface AboutRow {
  readonly version: number
  readonly shards: number
  readonly distribution: 'none' | 'citus'
  /** Since version 3. */
  readonly readable_from?: number
  readonly writable_from?: number
}

function checked(about: About, { schema, distribution }: MigrateOptions): About {
  if (standingOf(schemaVersion, about) !== 'read-and-write') throw outdatedServer('incompatible', schema, about)
  if (distribution !== 'auto' && distribution !== about.distribution) {
    throw new StorageError(
      'incompatible',
      `The schema ${schema} was set up ${about.distribution === 'citus' ? 'on Citus' : 'without Citus'}, which cannot be changed afterwards.`,
      undefined,
      { kind: 'other-distribution', distribution: about.distribution },
    )
  }
  return about
}

/** Why this server may not write, or not even read, a schema. */
export function outdatedServer(
  code: 'incompatible' | 'unavailable',
  schema: string,
  stored: StoredVersion,
): StorageError {
  return outdatedSoftware(code, `The schema ${schema}`, schemaVersion, stored)
}

async function chosenDistribution(client: Client, { distribution }: MigrateOptions): Promise<'none' | 'citus'> {
  if (distribution === 'none') return 'none'
  const { rows } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'")
  if (rows.length > 0) return 'citus'
  if (distribution === 'auto') return 'none'
  throw new StorageError('incompatible', 'The database does not have the extension citus.', undefined, {
    kind: 'without-citus',
  })
}

function notCurrent(found: About | undefined, schema: string): StorageError {
  const is = found === undefined ? 'does not exist' : `has version ${found.version}`
  return new StorageError(
    'incompatible',
    `The schema ${schema} ${is}, and version ${schemaVersion} is needed.`,
    undefined,
    { kind: 'schema-not-current', version: found?.version },
  )
}

function mayNotCreate(schema: string, cause: unknown): StorageError {
  return new StorageError(
    'not-writable',
    `The schema ${schema} must be set up, and the database role is not allowed to do that (${String(cause)}).`,
    cause,
    { kind: 'schema-not-creatable' },
  )
}
