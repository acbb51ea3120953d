import { mkdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const staleMs = 120_000

/** Does work that test files, each in its own process, must not do at the same time. */
export async function locked<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Another user's could not be removed.
  const lock = join(tmpdir(), `hashrange-${name}-${process.getuid?.() ?? 0}.lock`)
  for (;;) {
    try {
      await mkdir(lock)
      break
    } catch {
      const held = await stat(lock).catch(() => undefined)
      // Left behind by a process that was killed.
      if (held !== undefined && Date.now() - held.mtimeMs > staleMs)
        await rm(lock, { recursive: true, force: true })
      await pause(100)
    }
  }
  try {
    return await work()
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}
