import { statSync, writeFileSync } from 'node:fs'

/** LMDB makes its lock file longer and writes to it through a memory map. Where the disk has no room for that, the process
 *  ends (SIGBUS) instead of getting an error. So the file gets its room first. Call this before LMDB opens the file,
 *  when nobody else has it open. */
export function makeRoomForLock(lockPath: string): void {
  if (process.platform === 'win32') return
  const found = statSync(lockPath, { throwIfNoEntry: false })
  // It may have its length without having all of its room.
  if (found !== undefined && found.size >= lockBytes && found.blocks * 512 >= lockBytes) return
  writeFileSync(lockPath, Buffer.alloc(lockBytes))
}

/** What LMDB needs for 126 readers on Linux. If it needs more elsewhere, it takes the rest itself. */
const lockBytes = 8_272
