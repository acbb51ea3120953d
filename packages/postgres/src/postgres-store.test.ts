import { describeStore } from '@hashrange/engine/describe-store'
import { afterAll } from 'vitest'
import { openPostgresStore } from './postgres-store.ts'
import { startPostgres } from './testing/start-postgres.ts'
import { wordPlacement as placement } from './testing/word-placement.ts'

const server = await startPostgres()
afterAll(() => server.remove())

describeStore('PostgreSQL', async () => openPostgresStore({ url: await server.newDatabase(), placement }))
describeStore('PostgreSQL with locks', async () =>
  openPostgresStore({ url: await server.newDatabase(), placement, locksFirst: true }),
)
