import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from './storage-error.ts'

export interface FolderLock {
  release(): void
}

/** One process at a time may use a data folder: the catalog is cached in memory. The lock names its holder by process
 *  id and, where the system tells, by the moment that process started, so that a lock left behind by a crash is
 *  recognised even when its process id has been given to somebody else. */
export function lockFolder(folder: string): FolderLock {
  const file = join(folder, 'lock')
  for (let attempt = 0; attempt < 3; attempt++) {
    const holder = readHolder(file)
    if (holder !== undefined && isAlive(holder)) {
      throw new StorageError(
        'locked',
        `The data folder ${folder} is in use by process ${holder.pid}. Stop that process, or choose another folder with --path.`,
      )
    }
    if (holder !== undefined) unlinkQuietly(file)
    if (tryCreate(file, folder)) {
      heldHere.add(file)
      return { release: () => releaseLock(file) }
    }
  }
  throw new StorageError('locked', `The data folder ${folder} is in use. Choose another folder with --path.`)
}

/** The locks of this very process: its own id in a lock file may also be a leftover of an earlier process 1. */
const heldHere = new Set<string>()

interface Holder {
  readonly pid: number
  readonly startedAt: string
  readonly file: string
}

function isAlive(holder: Holder): boolean {
  // A crash between creating the file and writing to it leaves it empty.
  if (!(holder.pid > 0)) return false
  if (holder.pid === process.pid) return heldHere.has(holder.file)
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return holder.startedAt === startOf(holder.pid)
}

function tryCreate(file: string, folder: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file, 'wx')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new StorageError(
      'not-writable',
      `The data folder ${folder} is not writable. Fix its permissions or choose another with --path.`,
      cause,
    )
  }
  writeSync(descriptor, `${process.pid} ${startOf(process.pid)}\n`)
  closeSync(descriptor)
  return true
}

function readHolder(file: string): Holder | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  const [pid = '', startedAt = ''] = text.trim().split(' ')
  return { pid: Number(pid), startedAt, file }
}

/** The start time of a process in clock ticks since boot; empty where there is no /proc. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function releaseLock(file: string): void {
  heldHere.delete(file)
  unlinkQuietly(file)
}

function unlinkQuietly(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // Somebody else has removed it already.
  }
}
