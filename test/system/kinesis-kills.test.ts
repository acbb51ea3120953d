import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kinesis } from './kinesis-client.ts'
import { changes, prepare, puts, Written } from './kinesis-writers.ts'
import { ServerProcess } from './server-process.ts'

/** HASHRANGE_KILLS=all kills more often. */
const rounds = process.env['HASHRANGE_KILLS'] === 'all' ? 20 : 3
const writers = ['a', 'b', 'c', 'd', 'e', 'f']

test('a server that is killed again and again loses no record, and delivers every change', async () => {
  const path = mkdtempSync(join(tmpdir(), 'hashrange-kinesis-'))
  const written = new Written()
  let server = await ServerProcess.start(['--no-workbench', '--path', path])
  try {
    await prepare(server)
    for (let round = 0; round < rounds; round++) {
      const { endpoint } = server
      const writing = writers.map((writer) => written.write(server, `${writer}${round}`, () => false))
      await expect.poll(() => written.count, { interval: 20 }).toBeGreaterThan(round * 30 + 15)
      // A reshard may be cut short as well.
      const TargetShardCount = round % 2 === 0 ? 2 : 1
      const reshard = { ScalingType: 'UNIFORM_SCALING', StreamName: changes, TargetShardCount }
      await kinesis(endpoint, 'UpdateShardCount', reshard)
      const another = kinesis(endpoint, 'UpdateShardCount', {
        ...reshard,
        StreamName: puts,
        TargetShardCount: round % 2 === 0 ? 3 : 2,
      }).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 50 + ((round * 37) % 400)))
      await server.kill()
      await Promise.all([...writing, another])
      server = await ServerProcess.start(['--no-workbench', '--path', path])
    }
    await expect.poll(() => written.faults(server.endpoint), { interval: 300 }).toEqual([])
  } finally {
    await server.kill()
    rmSync(path, { recursive: true, force: true })
  }
})
