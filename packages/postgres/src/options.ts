import { keyPlacement, StorageError, type KeyPlacement } from '@hashrange/engine'
import type { Client } from 'pg'
import { Connector, type Address } from './address/connect.ts'
import { parseStoreUrl, type Host, type StoreUrl } from './address/store-url.ts'
import { encryptionsOf } from './address/tls.ts'
import { defaultSchema } from './schema/schema-text.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, or several `host:port` with commas between them, with the usual parameters
   *  (`sslmode`, `target_session_attrs`, `application_name`, `options`, …), and our own: `schema` for the schema that holds the tables,
   *  `timeout_ms` for `timeoutMs`, and `read_replicas` for the `host:port` of standbys that serve eventually consistent reads while they are
   *  no more than `max_replica_lag_ms` behind. On Citus, servers also connect to its workers, unless `citus_workers` is
   *  `coordinator`. */
  readonly url: string
  /** Whether Citus distributes the tables over its nodes; `auto` looks for its extension when the schema is set up. */
  readonly distribution?: 'auto' | 'none' | 'citus'
  /** How many connections serve requests. Long snapshots have up to eight of their own. */
  readonly poolSize?: number
  /** How long the database may take to answer; 2,500 by default. */
  readonly timeoutMs?: number
  /** Whether a schema that is missing or behind is set up. */
  readonly migrate?: boolean
  /** Whether a standby will do, or a database that takes no writes: for what only reads, and may read what is old. */
  readonly onlyReads?: boolean
  /** Into how many shards a new schema divides the keys: a power of two up to 1,024. */
  readonly shards?: number
  /** Where keys are placed, if they are not the engine's. */
  readonly placement?: KeyPlacement
  /** Locks entries before reading them, instead of verifying them afterwards. On Citus this is always done. */
  readonly locksFirst?: boolean
  /** Called when a newer server has changed the schema so that this one may no longer write, or not even read; and
   *  when it may again. */
  readonly onRefusal?: (refusal: StorageError | undefined) => void
}

export interface Settings {
  readonly connect: () => Promise<Client>
  /** To another host with the same database, as the same user. */
  readonly connectTo: (host: Host) => () => Promise<Client>
  /** Whether servers connect to the nodes of Citus themselves, as well as to the coordinator. */
  readonly usesWorkers: boolean
  /** Standbys that serve reads which may be behind. */
  readonly replicas: readonly { readonly name: string; readonly connect: () => Promise<Client> }[]
  readonly maxReplicaLagMs: number
  readonly schema: string
  readonly distribution: 'auto' | 'none' | 'citus'
  readonly poolSize: number
  readonly timeoutMs: number
  /** How long a request waits for its turn, or for others that change the same entries, while the database answers. */
  readonly patienceMs: number
  readonly migrate: boolean
  readonly onlyReads: boolean
  readonly shards: number | undefined
  readonly placement: KeyPlacement
  readonly locksFirst: boolean
  readonly onRefusal: (refusal: StorageError | undefined) => void
}

export function settingsOf(options: PostgresOptions): Settings {
  const { url, distribution = 'auto', poolSize = 10, migrate = true, onlyReads = false, shards } = options
  if (!Number.isInteger(poolSize) || poolSize < 2)
    throw new StorageError('io', 'At least two connections are needed.')
  if (shards !== undefined && (!Number.isInteger(Math.log2(shards)) || shards > 1_024)) {
    throw new StorageError('io', `${shards} shards: a power of two up to 1,024 is needed.`)
  }
  const parsed = parseStoreUrl(url)
  const timeoutMs = options.timeoutMs ?? millisecondsOf(parsed, 'timeout_ms') ?? 2_500
  const address = addressOf(parsed, timeoutMs, onlyReads)
  const connector = new Connector(address)
  const connectTo = (host: Host): (() => Promise<Client>) => {
    const other = new Connector({ ...address, hosts: [host], session: 'any' })
    return () => other.connect()
  }
  return {
    connect: () => connector.connect(),
    connectTo,
    usesWorkers: choiceOf(parsed, 'citus_workers', ['direct', 'coordinator']) !== 'coordinator',
    replicas: parsed.replicas.map((host) => ({
      name: `${host.name ?? 'localhost'}:${host.port ?? 5432}`,
      connect: connectTo(host),
    })),
    maxReplicaLagMs: millisecondsOf(parsed, 'max_replica_lag_ms') ?? 1_000,
    schema: parsed.parameters.get('schema') || defaultSchema,
    distribution,
    poolSize,
    timeoutMs,
    patienceMs: Math.max(timeoutMs, 10_000),
    migrate,
    onlyReads,
    shards,
    placement: options.placement ?? keyPlacement,
    locksFirst: options.locksFirst ?? false,
    onRefusal: options.onRefusal ?? (() => undefined),
  }
}

function choiceOf({ parameters }: StoreUrl, name: string, choices: readonly string[]): string | undefined {
  const text = parameters.get(name)
  if (text === undefined || choices.includes(text)) return text
  throw new StorageError('io', `${name}=${text} in the store's URL: it must be ${choices.join(' or ')}.`)
}

/** Parameters of libpq keep its names and meaning; those in milliseconds are ours. */
function millisecondsOf({ parameters }: StoreUrl, name: string): number | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  const milliseconds = Number(text)
  if (Number.isInteger(milliseconds) && milliseconds >= 100 && milliseconds <= 600_000) return milliseconds
  throw new StorageError('io', `${name}=${text} in the store's URL: a number from 100 to 600000 is needed.`)
}

function addressOf(url: StoreUrl, timeoutMs: number, onlyReads: boolean): Address {
  const { hosts, user, password, database, parameters } = url
  const environment = process.env
  // One of several hosts accepts writes, the others do not.
  const usual = hosts.length > 1 ? 'read-write' : 'any'
  const attrs = parameters.get('target_session_attrs') ?? (environment['PGTARGETSESSIONATTRS'] || usual)
  if (attrs !== 'any' && attrs !== 'read-write' && attrs !== 'primary') {
    throw new StorageError(
      'io',
      `target_session_attrs=${attrs} for the store: servers write, so it must be read-write, primary or any.`,
    )
  }
  const connectSeconds = Number(parameters.get('connect_timeout') ?? 0)
  const connectMs = connectSeconds > 0 ? connectSeconds * 1_000 : timeoutMs
  // With several hosts to try, the first must not use up all the time.
  const connectionTimeoutMillis = Math.ceil(connectMs / Math.min(hosts.length, 3))
  const text = (name: string): Record<string, string> => {
    const value = parameters.get(name)
    return value === undefined ? {} : { [name]: value }
  }
  return {
    hosts,
    encryptions: encryptionsOf(parameters, environment),
    // What is read on a standby may be old, though whoever reads it asks for what is current.
    session: attrs === 'any' && !onlyReads ? 'primary' : attrs,
    answerMs: connectionTimeoutMillis,
    client: {
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password }),
      ...(database !== undefined && { database }),
      ...text('application_name'),
      ...text('options'),
      ...text('sslnegotiation'),
      fallback_application_name: parameters.get('fallback_application_name') ?? 'hashrange',
      connectionTimeoutMillis,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    },
  }
}

/** The schema that a store's URL names. */
export function schemaOfUrl(url: string): string {
  return parseStoreUrl(url).parameters.get('schema') || defaultSchema
}
