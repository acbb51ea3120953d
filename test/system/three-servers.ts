import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll } from 'vitest'
import { ServerProcess } from './server-process.ts'

/** Three servers on one PostgreSQL, for the tests of a file. */
export function threeServers(): () => readonly [ServerProcess, ServerProcess, ServerProcess] {
  let postgres: PostgresServer
  let servers: [ServerProcess, ServerProcess, ServerProcess]

  beforeAll(async () => {
    postgres = await startPostgres()
    const flags = ['--no-workbench', '--shared', '--store', await postgres.newDatabase()]
    const start = (): Promise<ServerProcess> => ServerProcess.start(flags)
    servers = await Promise.all([start(), start(), start()])
  })

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()))
    await postgres.remove()
  })

  return () => servers
}
