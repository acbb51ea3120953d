import type { KeyPlacement } from '@hashrange/engine'
import { describeStore } from '@hashrange/engine/describe-store'
import { afterAll } from 'vitest'
import { openPostgresStore } from './postgres-store.ts'
import { startPostgres } from './testing/start-postgres.ts'

const server = await startPostgres()
afterAll(() => server.remove())

/** The contract's keys are words: their first letter places them, and `n` counts. */
const placement: KeyPlacement = {
  shardBits: (key) => ((key[0] ?? 0) * 0x9e37) & 0xffff,
  placedBytes: () => 1,
  isOrdered: () => false,
  isCounter: (key) => key.length === 1 && key[0] === 0x6e,
  counterRanges: [{ from: Buffer.from('n'), to: Buffer.from('n\0') }],
}

describeStore('PostgreSQL', async () => openPostgresStore({ url: await server.newDatabase(), placement }))
describeStore('PostgreSQL with locks', async () =>
  openPostgresStore({ url: await server.newDatabase(), placement, locksFirst: true }),
)
