import type { TestProject } from 'vitest/node'
import type { PostgresUrl } from './postgres-setup.ts'

/** Has the tests use the Citus cluster whose coordinator HASHRANGE_CITUS_URL names. */
export default function setup(project: TestProject): void {
  const url: PostgresUrl | undefined = process.env['HASHRANGE_CITUS_URL']
  if (url === undefined) throw new Error('HASHRANGE_CITUS_URL does not name a Citus coordinator')
  project.provide('postgresUrl', url)
}
