import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Requirement } from './requirement.ts'

/** Debian puts it where only root looks. */
const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => spawnSync(name, ['--version']).status === 0)

export const pgbouncer: Requirement = {
  met: program !== undefined,
  reason: 'PgBouncer is not installed. On Debian and Ubuntu: apt-get install pgbouncer',
}

export interface PgBouncer {
  readonly port: number
  stop(): Promise<void>
}

/** Starts a PgBouncer in front of a PostgreSQL on this machine. Someone else may take its port before it does: then it gets another. */
export async function startPgbouncer(databasePort: number, poolMode: string): Promise<PgBouncer> {
  for (let attempt = 0; attempt < 4; attempt++) {
    const started = await startAt(await freePort(), databasePort, poolMode)
    if (started !== undefined) return started
  }
  throw new Error('PgBouncer does not start.')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

async function startAt(port: number, databasePort: number, poolMode: string): Promise<PgBouncer | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-pgbouncer-'))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'users.txt'), '"postgres" "password"\n')
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${databasePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${poolMode}
default_pool_size = 30
`,
  )
  const nobody = 65_534
  const child = spawn(program ?? '', [join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    // It refuses to run as root.
    ...(process.getuid?.() === 0 && { uid: nobody, gid: nobody }),
  })
  process.once('exit', () => child.kill('SIGKILL'))
  for (let attempt = 0; !(await listens(port)); attempt++) {
    if (attempt > 200 || child.exitCode !== null) {
      child.kill('SIGKILL')
      return undefined
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    port,
    stop: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
