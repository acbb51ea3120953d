import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { contentsOf, put } from './testing/entries.ts'
import { openSimulated, outcomeOf } from './testing/simulated-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-group-commit-'))
let count = 0
const newPath = (): string => join(folder, String(count++))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a store that is closed while it tries to continue after a failure keeps what it acknowledges', async () => {
  const { disk, store, time } = await openSimulated(newPath())
  disk.failNext('EIO: i/o error, write')
  expect(await outcomeOf(time, put(store, { a: 'refused' }))).toMatchObject({ code: 'io' })
  const open = disk.open.bind(disk)
  const resuming = new Promise<void>((resolve) => {
    disk.open = (name, synced) => {
      if (name === 'probe') resolve()
      return open(name, synced)
    }
  })
  const outcomes = resuming.then(() => Promise.all([put(store, { b: 'acknowledged' }), store.close()]))
  expect(await outcomeOf(time, outcomes)).toBeUndefined()
  const again = await openSimulated(newPath(), disk.afterKill())
  expect(await contentsOf(again.store)).toEqual([['b', 'acknowledged']])
})
