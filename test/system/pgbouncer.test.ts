import { openPostgresStore } from '@hashrange/postgres'
import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeIf } from '../support/requirement.ts'
import { pgbouncer, startPgbouncer } from '../support/start-pgbouncer.ts'

describeIf(pgbouncer, 'PgBouncer in front of the database', () => {
  let postgres: PostgresServer
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.remove())

  const through = async (poolMode: string, run: (url: string) => Promise<void>): Promise<void> => {
    const url = new URL(await postgres.newDatabase())
    const pooler = await startPgbouncer(postgres.port, poolMode)
    url.port = String(pooler.port)
    try {
      await run(url.href)
    } finally {
      await pooler.stop()
    }
  }

  test('works if it keeps connections for a session', async () => {
    await through('session', async (url) => {
      const stores = await Promise.all([openPostgresStore({ url }), openPostgresStore({ url })])
      const keys = Array.from({ length: 50 }, (_, index) => Buffer.from(`\x10key ${index}`))
      await Promise.all(
        keys.flatMap((key) =>
          stores.map((store) =>
            store.transact([key], ([value]) => ({
              writes: [{ kind: 'put', key, value: Buffer.from(`${Number(value ?? 0) + 1}`) }],
              answer: undefined,
            })),
          ),
        ),
      )
      const [one] = stores
      const values = await one.view((snapshot) => snapshot.getMany(keys))
      expect(values.map(Number)).toEqual(keys.map(() => 2))
      await Promise.all(stores.map((store) => store.close()))
    })
  })

  test.each(['transaction', 'statement'])(
    'is refused if it shares them between each %s, in words',
    async (mode) => {
      await through(mode, async (url) => {
        await expect(openPostgresStore({ url })).rejects.toMatchObject({
          code: expect.stringMatching(mode === 'transaction' ? 'incompatible' : '') as string,
          message: expect.stringMatching(/pool_mode = session|statement pooling/) as string,
        })
      })
    },
  )
})
