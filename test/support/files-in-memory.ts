import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Where Linux keeps files in memory. */
const memory = '/dev/shm'
const neededBytes = 6 * 1024 ** 3
const prefix = 'hashrange-tests-'

/** Lets the temporary files of a run be in memory, where the machine has plenty of it. Tests make thousands of synced
 *  writes, and wait for the disk longer than for anything else. What they prove does not depend on it: a process that is killed
 *  leaves the same files behind. Whoever names a folder in TMPDIR gets that one. */
export function keepFilesInMemory(environment: NodeJS.ProcessEnv): void {
  if (process.platform !== 'linux' || environment['TMPDIR'] !== undefined) return
  try {
    removeLeftovers()
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < neededBytes || process.availableMemory() < neededBytes) return
    const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
    // As other temporary folders are: root starts PostgreSQL as somebody else.
    chmodSync(folder, 0o1777)
    environment['TMPDIR'] = folder
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  } catch {
    // There is none here, or it is not ours to write to: the disk will do.
  }
}

/** Of runs that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(memory)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1])
    if (pid > 0 && !isRunning(pid)) rmSync(join(memory, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
