import { startPostgres } from '@hashrange/postgres/testing'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of a PostgreSQL that the tests of this run share. */
    postgresUrl: string
  }
}

/** Starts one PostgreSQL for all tests of the run. What they write need not outlive it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({ settings: { synchronous_commit: 'off', full_page_writes: 'off' } })
  project.provide('postgresUrl', await server.newDatabase())
  return () => server.remove()
}
