import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinesis } from './kinesis-client.ts'
import { changes, prepare, Written } from './kinesis-writers.ts'
import { ServerProcess } from './server-process.ts'

let postgres: PostgresServer
let servers: ServerProcess[]

beforeAll(async () => {
  postgres = await startPostgres()
  const flags = ['--no-workbench', '--shared', '--store', await postgres.newDatabase()]
  servers = await Promise.all([1, 2, 3].map(() => ServerProcess.start(flags)))
}, 60_000)

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()))
  await postgres.remove()
})

test('three servers write into the same shards; two are killed, and every change is delivered', async () => {
  const [first, second, last] = servers
  if (first === undefined || second === undefined || last === undefined) throw new Error('there are three servers')
  await prepare(first)
  const written = new Written()
  let isOver = false
  const writing = servers.flatMap((server, index) =>
    ['a', 'b', 'c'].map((writer) => written.write(server, `${writer}${index}`, () => isOver)),
  )
  await expect.poll(() => written.count, { interval: 20 }).toBeGreaterThan(30)
  const reshard = { StreamName: changes, TargetShardCount: 2, ScalingType: 'UNIFORM_SCALING' }
  await kinesis(second.endpoint, 'UpdateShardCount', reshard)
  await pause(500)
  await first.kill()
  await pause(500)
  await second.kill()
  await pause(300)
  isOver = true
  await Promise.all(writing)
  await expect.poll(() => written.faults(last.endpoint), { interval: 500 }).toEqual([])
})

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
