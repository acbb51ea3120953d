import { createHash, randomUUID } from 'node:crypto'
import { openPostgresStore } from '@hashrange/postgres'
import { afterAll, inject } from 'vitest'
import { useTestStore } from '@hashrange/engine/test-store'
import type { PostgresUrl } from './postgres-setup.ts'

type PostgresStore = Awaited<ReturnType<typeof openPostgresStore>>

const opened = new Set<PostgresStore>()

// Tests leave stores open, as a server does that is killed. The next files need their connections.
afterAll(async () => {
  await Promise.allSettled([...opened].map((store) => store.close()))
  opened.clear()
})

/** Has the engine's tests run on PostgreSQL. Each store has a schema of its own; what has a path has the same one each time. */
useTestStore(async (place) => {
  const name = 'path' in place ? place.path : randomUUID()
  const schema = `test_${createHash('sha256').update(name).digest('hex').slice(0, 24)}`
  const url: PostgresUrl = inject('postgresUrl')
  // On Citus every table of a schema is made of so many: there, fewer are quicker.
  const options = encodeURIComponent('-c citus.shard_count=2')
  const store = await openPostgresStore({
    url: `${url}?schema=${schema}&options=${options}`,
    poolSize: 8,
    shards: 4,
  })
  opened.add(store)
  return store
})
