import { expect, test } from 'vitest'
import { kinesis } from './kinesis-client.ts'
import { changes, prepare, Written } from './kinesis-writers.ts'
import { threeServers } from './three-servers.ts'

const servers = threeServers()

test('three servers write into the same shards; two are killed, and every change is delivered', async () => {
  const [first, second, last] = servers()
  await prepare(first)
  const written = new Written()
  let isOver = false
  const writing = servers().flatMap((server, index) =>
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
