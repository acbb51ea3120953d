import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { hydrateBinaries } from './hydrate-binaries.ts'

/** Why `startPostgres` cannot start one on this machine; nothing if it can. PostgreSQL refuses to run as root, and is run as
 *  another user then, who must be able to reach it; and it insists on a user with a name. */
export function whyNoPostgres(): string | undefined {
  try {
    const isRoot = userInfo().uid === 0
    const postgres = join(hydrateBinaries(), 'native', 'bin', 'postgres')
    const { status, error, stderr } = spawnSync(postgres, ['--version'], {
      encoding: 'utf8',
      ...(isRoot && { uid: nobody, gid: nobody }),
    })
    if (status === 0) return undefined
    throw error ?? new Error(stderr)
  } catch (error) {
    return `the PostgreSQL that npm brings does not run here. ${(error as Error).message.split('\n', 1)[0]}`
  }
}

const nobody = 65_534
