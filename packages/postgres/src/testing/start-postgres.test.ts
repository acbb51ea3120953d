import { afterAll, expect, test } from 'vitest'
import { startPostgres } from './start-postgres.ts'

const server = await startPostgres()
afterAll(() => server.remove())

test('databases are empty, and outlive a restart of the server', async () => {
  const url = await server.newDatabase()
  await server.query('CREATE TABLE kept (n int)', url)
  await server.stop()
  await expect(server.query('SELECT 1')).rejects.toThrow('ECONNREFUSED')
  await server.start()
  expect(await server.query('SELECT count(*)::int AS n FROM kept', url)).toEqual([{ n: 0 }])
})
