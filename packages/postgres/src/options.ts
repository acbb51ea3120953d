import { keyPlacement, StorageError, type KeyPlacement } from '@hashrange/engine'
import type { ClientConfig } from 'pg'
import { defaultSchema } from './schema/schema-text.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with the usual parameters (`sslmode`, `application_name`, `options`, …), and
   *  `schema` for the schema that holds the tables. */
  readonly url: string
  /** Whether Citus spreads the tables over its nodes; `auto` looks for its extension when the schema is set up. */
  readonly distribution?: 'auto' | 'none' | 'citus'
  /** How many connections serve requests. Long snapshots have up to eight of their own. */
  readonly poolSize?: number
  /** How long the database may take to answer, and a request may wait for its turn. */
  readonly timeoutMs?: number
  /** Whether a schema that is missing or behind is set up. */
  readonly migrate?: boolean
  /** Into how many shards a new schema cuts the keys: a power of two up to 1,024. */
  readonly shards?: number
  /** Where keys lie, if they are not the engine's. */
  readonly placement?: KeyPlacement
  /** Locks entries before it reads them, instead of verifying them afterwards, as is done on Citus anyway. */
  readonly locksFirst?: boolean
}

export interface Settings {
  readonly client: ClientConfig
  readonly schema: string
  readonly distribution: 'auto' | 'none' | 'citus'
  readonly poolSize: number
  readonly timeoutMs: number
  readonly migrate: boolean
  readonly shards: number | undefined
  readonly placement: KeyPlacement
  readonly locksFirst: boolean
}

export function settingsOf(options: PostgresOptions): Settings {
  const { url, distribution = 'auto', poolSize = 10, timeoutMs = 10_000, migrate = true, shards } = options
  if (!Number.isInteger(poolSize) || poolSize < 2)
    throw new StorageError('io', 'At least two connections are needed.')
  if (shards !== undefined && (!Number.isInteger(Math.log2(shards)) || shards > 1_024)) {
    throw new StorageError('io', `${shards} shards: a power of two up to 1,024 is needed.`)
  }
  const { connectionString, schema } = splitUrl(url)
  return {
    client: {
      connectionString,
      connectionTimeoutMillis: Math.min(timeoutMs, 5_000),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      fallback_application_name: 'hashrange',
    },
    schema,
    distribution,
    poolSize,
    timeoutMs,
    migrate,
    shards,
    placement: options.placement ?? keyPlacement,
    locksFirst: options.locksFirst ?? false,
  }
}

/** The schema is ours; the rest is for the driver. */
function splitUrl(url: string): { connectionString: string; schema: string } {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    // What was thrown holds the URL, and would show the password with it.
    throw new StorageError('io', 'The store is no URL of the form postgres://user:password@host:port/database.')
  }
  if (parsed.protocol !== 'postgres:' && parsed.protocol !== 'postgresql:') {
    throw new StorageError('io', `The store's URL begins with ${parsed.protocol}, not with postgres:.`)
  }
  const schema = parsed.searchParams.get('schema') ?? defaultSchema
  parsed.searchParams.delete('schema')
  return { connectionString: parsed.href, schema }
}
