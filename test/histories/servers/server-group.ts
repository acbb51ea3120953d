import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routeOfWorker, startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { verifyStore } from '../../support/verify-store.ts'
import { CutProxy } from '../faults/cut-proxy.ts'
import { controlOfWorker } from './control-of-worker.ts'
import { ManagedServer } from './managed-server.ts'

/** Servers of one database. */
export interface ServerGroup {
  readonly servers: readonly ManagedServer[]
  /** Between each server and its PostgreSQL, if that is where the data is. */
  readonly storeProxies: readonly CutProxy[]
  readonly database: DatabaseControl | undefined
  /** Kills the servers and runs `hashrange verify` on what they left. Answers what is wrong. */
  verify(): Promise<string | undefined>
  /** Answers where the data is, if it was kept. */
  close(how?: { readonly keepsData: boolean }): Promise<string | undefined>
}

/** What can happen to PostgreSQL. */
export interface DatabaseControl {
  /** Stops it in order, and starts it again. */
  restart(): Promise<void>
  /** Stops it at once, so that it has to recover when it starts again. */
  crash(): Promise<void>
  /** The same, but a standby that has every acknowledged commit takes over. */
  failOver?(): Promise<void>
  /** Keeps it from running for a while. */
  stop?(milliseconds: number): Promise<void>
}

export async function startOnLmdb(flags: readonly string[] = []): Promise<ServerGroup> {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-history-'))
  const server = await ManagedServer.start(['--path', folder, ...flags])
  return {
    servers: [server],
    storeProxies: [],
    database: undefined,
    verify: async () => {
      await server.end()
      return verifyStore(['--path', folder])
    },
    close: async ({ keepsData } = { keepsData: false }) => {
      await server.close()
      if (keepsData) return folder
      rmSync(folder, { recursive: true, force: true })
      return undefined
    },
  }
}

/** The connection of the coordinator to one of the workers is cut as the servers' connections to it are. If the script
 *  that starts clusters has started it, a worker is lost and stopped too. */
export async function startOnCitus(coordinatorUrl: string, count: number): Promise<ServerGroup> {
  const url = new URL(coordinatorUrl)
  url.searchParams.set('schema', `history_${Date.now()}`)
  const { storeProxies, servers } = await startServers(url.href, count)
  const route = await routeOfWorker(coordinatorUrl)
  const workerProxy = await CutProxy.open(() => route.workerPort)
  await route.through(workerProxy.port)
  return {
    servers,
    storeProxies: [...storeProxies, workerProxy],
    database: await controlOfWorker(coordinatorUrl),
    verify: async () => {
      await Promise.all(servers.map((server) => server.end()))
      return verifyStore(['--store', url.href])
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.close()))
      await route.restore()
      for (const proxy of [...storeProxies, workerProxy]) proxy.close()
      return undefined
    },
  }
}

/** Each has its own connection to the database, which can be cut. */
async function startServers(
  url: string,
  count: number,
  storePort = (): number => Number(new URL(url).port),
): Promise<{ readonly servers: readonly ManagedServer[]; readonly storeProxies: readonly CutProxy[] }> {
  const storeProxies = await Promise.all(Array.from({ length: count }, () => CutProxy.open(storePort)))
  const servers: ManagedServer[] = []
  // One after the other: the first one makes the tables.
  for (const { port } of storeProxies) {
    const own = new URL(url)
    own.port = String(port)
    servers.push(await ManagedServer.start(['--shared-keys', '--store', own.href]))
  }
  return { servers, storeProxies }
}

export async function startOnPostgres(count: number): Promise<ServerGroup> {
  let postgres = await startPostgres({ settings: { fsync: 'on', max_wal_size: '4GB', wal_keep_size: '1GB' } })
  const url = await postgres.newDatabase()
  const { storeProxies, servers } = await startServers(url, count, () => postgres.port)
  return {
    servers,
    storeProxies,
    database: {
      restart: async () => {
        await postgres.stop()
        await postgres.start()
      },
      crash: async () => {
        await postgres.crash()
        await postgres.start()
      },
      failOver: async () => {
        const former = postgres
        const standby = await former.startStandby()
        await waitForEveryCommit(former)
        await former.crash()
        await standby.query('SELECT pg_promote()')
        postgres = standby
        await former.remove()
      },
    },
    verify: async () => {
      await Promise.all(servers.map((server) => server.end()))
      const now = new URL(url)
      now.port = String(postgres.port)
      return verifyStore(['--store', now.href])
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.close()))
      for (const proxy of storeProxies) proxy.close()
      await postgres.remove()
      return undefined
    },
  }
}

/** From now on, what is acknowledged is on the standby too. */
async function waitForEveryCommit(primary: PostgresServer): Promise<void> {
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
  await primary.query('SELECT pg_reload_conf()')
  const isSynchronous = async (): Promise<boolean> => {
    const rows = await primary.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
    return rows.length > 0
  }
  while (!(await isSynchronous())) await new Promise((resolve) => setTimeout(resolve, 20))
  // The checkpointer has everybody wait, and looks at the settings first.
  await primary.query('CHECKPOINT')
}
