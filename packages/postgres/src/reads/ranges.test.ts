import { afterAll } from 'vitest'
import { openPostgresStore } from '../postgres-store.ts'
import { describeRanges } from '../testing/describe-ranges.ts'
import { startPostgres } from '../testing/start-postgres.ts'

const server = await startPostgres()
afterAll(() => server.remove())

describeRanges('PostgreSQL', () =>
  Promise.all([1, 4, 64].map(async (shards) => openPostgresStore({ url: await server.newDatabase(), shards }))),
)
