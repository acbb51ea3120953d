import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { expect, onTestFinished, test } from 'vitest'
import { rounds } from '../support/rounds.ts'
import { ServerProcess } from './server-process.ts'
import { WritingClients } from './writing-clients.ts'

const crashes = rounds(0, 3)
const muchPatience = 60

/** Ends all its processes at once, as the loss of the machine does. */
async function crash(postgres: PostgresServer): Promise<void> {
  const [row] = await postgres.query(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`)
  const main = String(row?.['pid'])
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', main], { encoding: 'utf8' }).trim().split(/\s+/)
  for (const pid of [main, ...children]) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended with the others.
    }
  }
  await pause(200)
}

test(
  'a database that crashes, also while it recovers, and a server that stands still meanwhile lose nothing',
  { timeout: 300_000 },
  async ({ skip }) => {
    if (crashes === 0) skip('it takes a minute: HASHRANGE_TESTS=all npm test.')
    const postgres = await startPostgres({ settings: { fsync: 'on' } })
    onTestFinished(() => postgres.remove())
    const store = await postgres.newDatabase()
    const flags = ['--no-workbench', '--shared', '--store', store]
    const start = (): Promise<ServerProcess> => ServerProcess.start(flags, undefined, 'ignore')
    const servers = [await start(), await start(), await start()]
    const clients = await WritingClients.start(servers, muchPatience)
    for (let round = 0; round < crashes; round++) {
      await clients.haveWritten(100)
      const still = servers[round % servers.length]
      process.kill(still?.pid ?? 0, 'SIGSTOP')
      await crash(postgres)
      await postgres.start()
      // What it has recovered is hardly on its disk.
      await crash(postgres)
      await postgres.start()
      // Longer than its leases last.
      if (round === 0) await pause(21_000)
      process.kill(still?.pid ?? 0, 'SIGCONT')
      for (const server of servers) await expect.poll(() => server.isReady()).toBe(true)
    }
    await clients.haveWritten(100)
    await clients.assertNothingLost()
    await Promise.all(servers.map((server) => server.stop()))
  },
)
