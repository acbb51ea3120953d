import { startPostgres } from '@hashrange/postgres/testing'
import type { TestProject } from 'vitest/node'

/** Of a PostgreSQL that the tests of one run share. */
export type PostgresUrl = string

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: PostgresUrl
  }
}

/** Starts one PostgreSQL for all tests of the run. What they write need not outlive it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({
    settings: { synchronous_commit: 'off', full_page_writes: 'off' },
    // Checking the password takes half of the time of a connection, and there are thousands of them.
    access: ['host all all 127.0.0.1/32 trust'],
  })
  project.provide('postgresUrl', await server.newDatabase())
  return () => server.remove()
}
