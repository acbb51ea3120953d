import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'

/** Opens or creates a file for one opener at a time. Returns undefined while somebody else has it open, in this
 *  process or any other, in this container or another. The operating system holds the lock and releases it when the
 *  descriptor is closed, however the process ends. Child processes do not inherit the descriptor. Node.js cannot call
 *  flock, so each system has its own way (docs/decisions/0011-folder-lock.md). */
export function openExclusively(file: string): number | undefined {
  if (process.platform === 'win32') return openUnshared(file, windowsExclusive)
  if (bsdPlatforms.has(process.platform)) return openUnshared(file, bsdExclusive | constants.O_NONBLOCK)
  return openAndLock(file)
}

/** The file could be opened, but nothing here can lock it. */
export class CannotLockError extends Error {
  override readonly name = 'CannotLockError'
}

/** libuv's UV_FS_O_EXLOCK on Windows: the file is opened without sharing. */
const windowsExclusive = 0x1000_0000
/** O_EXLOCK: open and flock in one step. Node.js passes flags on as they are, but has no name for this one. */
const bsdExclusive = 0x20
const bsdPlatforms: ReadonlySet<string> = new Set(['darwin', 'freebsd', 'netbsd', 'openbsd'])

function openUnshared(file: string, exclusive: number): number | undefined {
  try {
    return openSync(file, constants.O_RDWR | constants.O_CREAT | exclusive)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EBUSY' || code === 'EAGAIN') return undefined
    throw error
  }
}

/** Has the program flock lock the descriptor that it inherits. The lock belongs to the open file, not to the process
 *  that requested it, so it stays when the program ends, as long as our descriptor is open. */
function openAndLock(file: string): number | undefined {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT)
  let isOurs = false
  try {
    isOurs = flock(descriptor)
  } finally {
    if (!isOurs) closeSync(descriptor)
  }
  return isOurs ? descriptor : undefined
}

function flock(descriptor: number): boolean {
  const { status, signal, stderr, error } = spawnSync('flock', ['-x', '-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    encoding: 'utf8',
  })
  if (error !== undefined) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new CannotLockError(
      isMissing ? 'the program flock is missing; install util-linux, which brings it' : error.message,
      { cause: error },
    )
  }
  if (status === 0) return true
  // BusyBox ends with 1 for every failure, but is only silent if somebody else has the lock.
  if (status === 1 && stderr === '') return false
  throw new CannotLockError(stderr.trim() || `flock ended with ${status ?? signal}`)
}
