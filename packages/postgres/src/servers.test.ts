import { afterAll } from 'vitest'
import type { PostgresOptions } from './options.ts'
import { openPostgresStore, type PostgresStore } from './postgres-store.ts'
import { describeServers } from './testing/describe-servers.ts'
import { startPostgres } from './testing/start-postgres.ts'
import { wordPlacement as placement } from './testing/word-placement.ts'

const server = await startPostgres()
afterAll(() => server.remove())

const openTwo = async (options: Partial<PostgresOptions>): Promise<readonly [PostgresStore, PostgresStore]> => {
  const url = await server.newDatabase()
  return Promise.all([
    openPostgresStore({ url, placement, ...options }),
    openPostgresStore({ url, placement, ...options }),
  ])
}

describeServers('PostgreSQL', () => openTwo({}))
describeServers('PostgreSQL with locks', () => openTwo({ locksFirst: true }))
