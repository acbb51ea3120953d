import { keyPlacement, StorageError, type KeyPlacement } from '@hashrange/engine'
import type { ClientConfig } from 'pg'
import { defaultSchema } from './schema/schema-text.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with the usual parameters (`sslmode`, `application_name`, `options`, …), and
   *  `schema` for the schema that holds the tables and `timeout_ms` for `timeoutMs`. */
  readonly url: string
  /** Whether Citus spreads the tables over its nodes; `auto` looks for its extension when the schema is set up. */
  readonly distribution?: 'auto' | 'none' | 'citus'
  /** How many connections serve requests. Long snapshots have up to eight of their own. */
  readonly poolSize?: number
  /** How long the database may take to answer; 2,500 by default. */
  readonly timeoutMs?: number
  /** Whether a schema that is missing or behind is set up. */
  readonly migrate?: boolean
  /** Into how many shards a new schema cuts the keys: a power of two up to 1,024. */
  readonly shards?: number
  /** Where keys lie, if they are not the engine's. */
  readonly placement?: KeyPlacement
  /** Locks entries before it reads them, instead of verifying them afterwards, as is done on Citus anyway. */
  readonly locksFirst?: boolean
  /** Told when a newer server has changed the schema so that this one may not write any more, or not even read; and when it may again. */
  readonly onRefusal?: (refusal: StorageError | undefined) => void
}

export interface Settings {
  readonly client: ClientConfig
  readonly schema: string
  readonly distribution: 'auto' | 'none' | 'citus'
  readonly poolSize: number
  readonly timeoutMs: number
  /** How long a request waits for its turn, or for others who change the same entries, while the database answers. */
  readonly patienceMs: number
  readonly migrate: boolean
  readonly shards: number | undefined
  readonly placement: KeyPlacement
  readonly locksFirst: boolean
  readonly onRefusal: (refusal: StorageError | undefined) => void
}

export function settingsOf(options: PostgresOptions): Settings {
  const { url, distribution = 'auto', poolSize = 10, migrate = true, shards } = options
  if (!Number.isInteger(poolSize) || poolSize < 2)
    throw new StorageError('io', 'At least two connections are needed.')
  if (shards !== undefined && (!Number.isInteger(Math.log2(shards)) || shards > 1_024)) {
    throw new StorageError('io', `${shards} shards: a power of two up to 1,024 is needed.`)
  }
  const { connectionString, schema, timeoutMs: timeoutOfUrl } = splitUrl(url)
  const timeoutMs = options.timeoutMs ?? timeoutOfUrl ?? 2_500
  return {
    client: {
      connectionString,
      connectionTimeoutMillis: timeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      fallback_application_name: 'hashrange',
    },
    schema,
    distribution,
    poolSize,
    timeoutMs,
    patienceMs: Math.max(timeoutMs, 10_000),
    migrate,
    shards,
    placement: options.placement ?? keyPlacement,
    locksFirst: options.locksFirst ?? false,
    onRefusal: options.onRefusal ?? (() => undefined),
  }
}

interface UrlParts {
  readonly connectionString: string
  readonly schema: string
  readonly timeoutMs: number | undefined
}

/** Some parameters are ours; the rest is for the driver. */
function splitUrl(url: string): UrlParts {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    // What was thrown holds the URL, and would show the password with it.
    throw new StorageError('io', 'The store is not a URL of the form postgres://user:password@host:port/database.')
  }
  if (parsed.protocol !== 'postgres:' && parsed.protocol !== 'postgresql:') {
    throw new StorageError('io', `The store's URL starts with ${parsed.protocol} instead of postgres:.`)
  }
  const schema = parsed.searchParams.get('schema') ?? defaultSchema
  parsed.searchParams.delete('schema')
  const timeout = parsed.searchParams.get('timeout_ms')
  parsed.searchParams.delete('timeout_ms')
  const timeoutMs = timeout === null ? undefined : Number(timeout)
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs >= 100 && timeoutMs <= 600_000)) {
    throw new StorageError('io', `timeout_ms=${timeout} in the store's URL: a number from 100 to 600000 is needed.`)
  }
  return { connectionString: parsed.href, schema, timeoutMs }
}
