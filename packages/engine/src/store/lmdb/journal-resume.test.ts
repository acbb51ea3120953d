import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDataFolder } from '../data-folder.ts'
import { openLmdbStore, openStoreOn } from '../lmdb-store.ts'
import { processTimers, type StoreTimers } from '../store-timers.ts'
import type { Store } from '../store.ts'
import { openDisk } from './disk.ts'
import { contentsOf, put, sorted } from './testing/entries.ts'
import { interruptedDisk, type Interruptions } from './testing/interrupted-disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-journal-resume-'))
let count = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A store that tries to continue after a failure when it is told to, and not by itself. */
async function open(interruptions: Interruptions, path = join(folder, String(count++))) {
  makeDataFolder(path)
  let waiting: (() => void)[] = []
  const timers: StoreTimers = {
    ...processTimers,
    after: (_, run) => {
      waiting.push(run)
      return { cancel: () => (waiting = waiting.filter((one) => one !== run)) }
    },
  }
  const disk = interruptedDisk(openDisk(path), interruptions)
  const limits = { checkpointEveryMs: Number.POSITIVE_INFINITY, checkpointAfterBytes: Number.POSITIVE_INFINITY }
  const recent = { mostRecentBytes: 64_000, changesPerCommit: 5 }
  const store = await openStoreOn({ disk, timers, ...recent, ...limits }, () => undefined)
  const whatWaits = (): void => {
    for (const run of waiting.splice(0)) run()
  }
  return { path, store, whatWaits }
}

test('the disk is not tried while recent changes are being brought to the data file', async () => {
  let refuses = false
  let accept: () => void = () => undefined
  const accepted = new Promise<void>((resolve) => (accept = resolve))
  const tried: string[] = []
  const { path, store, whatWaits } = await open({
    beforeWrite: (name) => {
      if (refuses && name.startsWith('redo')) throw new Error('EIO: i/o error, write')
      if (refuses) tried.push(name)
    },
    beforeCommit: () => accepted,
  })
  const expected = new Map<string, string>()
  for (let number = 0; number < 60; number++) {
    expected.set(`k${number}`, 'x'.repeat(500))
    await put(store, { [`k${number}`]: 'x'.repeat(500) })
  }
  refuses = true
  await expect(put(store, { refused: '1' })).rejects.toMatchObject({ code: 'io' })
  whatWaits()
  await severalTurns()
  expect(tried).toEqual([])
  accept()
  await expect.poll(() => isReady(store)).toBe(true)
  expect(tried).toContain('data.mdb')
  await store.close()
  const again = await openLmdbStore({ path })
  expect(await contentsOf(again)).toEqual(sorted(expected))
  await again.close()
})

test('writes continue after any number of attempts, which take neither space nor readers of LMDB', async () => {
  let refused: RegExp | undefined
  let attempts = 0
  const { path, store, whatWaits } = await open({
    beforeWrite: (name) => {
      if (name === 'checkpoint') attempts++
      if (refused?.test(name) === true) throw new Error('EIO: i/o error, write')
    },
  })
  await put(store, { a: '1' })
  refused = /redo|checkpoint/
  attempts = 0
  await expect(put(store, { a: 'refused' })).rejects.toMatchObject({ code: 'io' })
  for (let attempt = 1; attempt <= 200; attempt++) {
    whatWaits()
    await expect.poll(() => attempts, { interval: 1 }).toBe(attempt)
    await severalTurns()
  }
  expect(statSync(join(path, 'data.mdb')).size).toBeLessThan(1_000_000)
  refused = undefined
  whatWaits()
  await expect.poll(() => isReady(store)).toBe(true)
  await put(store, { b: '2' })
  expect(await contentsOf(store)).toEqual([
    ['a', '1'],
    ['b', '2'],
  ])
  await store.close()
})

test('whoever tries again at once does not keep the store from continuing', async () => {
  let refuses = false
  const { store, whatWaits } = await open({
    beforeWrite: () => {
      if (refuses) throw new Error('EIO: i/o error, write')
    },
  })
  refuses = true
  setTimeout(() => {
    refuses = false
    whatWaits()
  }, 20)
  let isRejected = true
  for (let tries = 0; isRejected && tries < 100_000; tries++) {
    isRejected = await put(store, { a: '1' }).then(
      () => false,
      () => true,
    )
  }
  expect(isRejected).toBe(false)
  await store.close()
})

test('closing after a failure waits for what is being brought to the data file, and keeps the checkpoint', async () => {
  let refuses = false
  let accept: () => void = () => undefined
  const accepted = new Promise<void>((resolve) => (accept = resolve))
  const earlier = await open({})
  const expected = new Map<string, string>()
  for (let number = 0; number < 600; number++) expected.set(`k${number}`, 'x'.repeat(400))
  await put(earlier.store, Object.fromEntries(expected))
  await earlier.store.close()
  const { path, store } = await open(
    {
      beforeWrite: () => {
        if (refuses) throw new Error('EIO: i/o error, write')
      },
      beforeCommit: () => accepted,
    },
    earlier.path,
  )
  // Pages of the checkpoint are replaced, and everything else in them is nowhere but there.
  for (let number = 0; number < 600; number += 10) {
    expected.set(`k${number}`, 'y'.repeat(400))
    await put(store, { [`k${number}`]: 'y'.repeat(400) })
  }
  refuses = true
  await expect(put(store, { refused: '1' })).rejects.toMatchObject({ code: 'io' })
  const closing = store.close()
  await severalTurns()
  accept()
  await closing
  const again = await openLmdbStore({ path })
  expect(await contentsOf(again)).toEqual(sorted(expected))
  await again.close()
})

async function isReady(store: Store): Promise<boolean> {
  return (
    (await store.probe?.().then(
      () => true,
      () => false,
    )) === true
  )
}

async function severalTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}
