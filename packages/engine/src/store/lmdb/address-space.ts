import { readFileSync, statSync } from 'node:fs'
import { StorageError } from '../storage-error.ts'

const gigabyte = 2 ** 30
const ample = 2 ** 40

/** How much address space to reserve for the map of a data file. The file only grows with what is stored; a map that is
 *  too small for it is replaced by a larger one, which takes a moment.
 *
 *  There must be room for it: where the system refuses the map, lmdb crashes the process instead of saying so. */
export function mapBytes(path: string, room: number | undefined = addressRoom()): number {
  if (room === undefined) return process.platform === 'win32' ? gigabyte : 64 * gigabyte
  // A process that opens hundreds of databases still has room for all of them.
  if (room >= 64 * ample) return ample
  if (room >= sizeOf(path) + 2 * gigabyte) return gigabyte
  throw new StorageError(
    'io',
    `This process has no address space left to map ${path}. Close databases that are no longer used, or raise the limit ("ulimit -v").`,
  )
}

/** The address space that the process may still use, where the system tells. */
function addressRoom(): number | undefined {
  try {
    const limit = /^Max address space +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // After the name of the program, which may contain spaces. See proc_pid_stat(5): fields 23 and 28.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const used = Number(fields[20])
    // The stack begins at the upper end of all addresses, which are fewer on some processors than on others.
    const addresses = 2 ** Math.ceil(Math.log2(Number(fields[25])))
    const room = Math.min(limit === undefined ? Infinity : Number(limit), addresses) - used
    return Number.isNaN(room) ? undefined : room
  } catch {
    // Only Linux provides this.
    return undefined
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
