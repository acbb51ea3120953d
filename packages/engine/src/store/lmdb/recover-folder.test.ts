import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeDataFolder } from '../data-folder.ts'
import { openStoreOn } from '../lmdb-store.ts'
import { processTimers } from '../store-timers.ts'
import type { Store } from '../store.ts'
import { openDisk, type Disk } from './disk.ts'
import { unpackFolder } from './testing/earlier-folder.ts'
import { contentsOf, put } from './testing/entries.ts'
import { interruptedDisk } from './testing/interrupted-disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-recover-'))
let count = 0
const newPath = (): string => join(folder, String(count++))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('opening a folder again in the process in which its recovery has failed', { timeout: 60_000 }, () => {
  test.each([
    ['after a crash', crashedFolder],
    ['of format 2', () => earlierFolder(2)],
    ['of format 1', () => earlierFolder(1)],
  ])('finds everything that was acknowledged: %s', async (_, prepare) => {
    const path = await prepare()
    const reference = newPath()
    cpSync(path, reference, { recursive: true })
    const whole = await open(openDisk(reference))
    const expected = await contentsOf(whole)
    await whole.close()
    for (const compacts of [false, true]) {
      let isComplete = false
      for (let step = 0; !isComplete; step++) {
        const copy = newPath()
        cpSync(path, copy, { recursive: true })
        const failing = failingAt(step, openDisk(copy))
        const first = await open(failing.disk, compacts).catch((error: unknown) => {
          expect(String(error)).toContain('EIO')
        })
        isComplete = !failing.hasFailed()
        failing.end()
        await first?.close()
        for (let round = 0; round < 2; round++) {
          const store = await open(openDisk(copy))
          expect(await contentsOf(store), `step ${step}`).toEqual(expected)
          await store.close()
        }
      }
    }
  })
})

function open(disk: Disk, compacts = false): Promise<Store> {
  const limits = { checkpointEveryMs: Number.POSITIVE_INFINITY, checkpointAfterBytes: 3_000, changesPerCommit: 3 }
  return openStoreOn({ disk, timers: processTimers, compacts, ...limits }, () => undefined)
}

/** Pages of the checkpoint are replaced, and much of what they contain is nowhere but there. */
async function crashedFolder(): Promise<string> {
  const path = newPath()
  makeDataFolder(path)
  const limits = { checkpointEveryMs: Number.POSITIVE_INFINITY, checkpointAfterBytes: Number.POSITIVE_INFINITY }
  const openWithoutCheckpoints = (): Promise<Store> =>
    openStoreOn({ disk: openDisk(path), timers: processTimers, ...limits }, () => undefined)
  const before = await openWithoutCheckpoints()
  await put(before, Object.fromEntries(Array.from({ length: 300 }, (_, number) => [`k${number}`, 'x'.repeat(400)])))
  await before.close()
  const store = await openWithoutCheckpoints()
  for (let number = 0; number < 300; number += 7) await put(store, { [`k${number}`]: 'y'.repeat(400) })
  const crashed = newPath()
  cpSync(path, crashed, { recursive: true })
  await store.close()
  return crashed
}

function earlierFolder(format: 1 | 2): Promise<string> {
  const path = newPath()
  unpackFolder(format, path)
  return Promise.resolve(path)
}

/** Its write or commit of this number fails. */
function failingAt(step: number, disk: Disk) {
  let left = step
  let hasFailed = false
  const next = (): void => {
    if (left-- !== 0) return
    hasFailed = true
    throw new Error('EIO: i/o error, write')
  }
  return {
    disk: interruptedDisk(disk, { beforeWrite: next, beforeCommit: next }),
    hasFailed: () => hasFailed,
    end: () => (left = -1),
  }
}
