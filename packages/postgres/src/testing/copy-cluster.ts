import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Client } from 'pg'

export interface CopyClusterOptions {
  /** Of the server that is copied, as its superuser. */
  readonly url: string
  readonly port: number
  /** Its data, and where the copy goes. */
  readonly from: string
  readonly to: string
}

/** Copies the data of a running server and makes a standby of the copy. What `pg_basebackup` does, which npm's PostgreSQL lacks. */
export async function copyCluster({ url, port, from, to }: CopyClusterOptions): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("SELECT pg_backup_start('standby', fast => true)")
    // Clients of the server may run in this process.
    await cp(from, to, { recursive: true, filter: (path) => !notCopied(path) })
    mkdirSync(join(to, 'pg_wal'))
    mkdirSync(join(to, 'pg_replslot'))
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    )
    writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
  writeFileSync(join(to, 'standby.signal'), '')
  const primary = `host=127.0.0.1 port=${port} user=postgres password=password application_name=standby`
  writeFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
  ownAll(to, statSync(from))
}

/** Copies the data of a server that does not run, for the same user. */
export function copyData(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  chmodSync(to, 0o700)
  ownAll(to, statSync(from))
}

function notCopied(path: string): boolean {
  return ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pgsql_tmp'].includes(basename(path))
}

/** PostgreSQL may run as another user. */
function ownAll(path: string, owner: Owner): void {
  chownSync(path, owner.uid, owner.gid)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path)) ownAll(join(path, name), owner)
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** A file of a server that is its own alone, as it insists of its key. */
export function writeOwned(folder: string, name: string, content: string): void {
  const path = join(folder, name)
  writeFileSync(path, content, { mode: 0o600 })
  const { uid, gid } = statSync(dirname(path))
  chownSync(path, uid, gid)
}
