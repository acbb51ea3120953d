import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { KeyChange } from '../store.ts'
import { openDataFile } from './data-file.ts'
import { isOutOfRoom } from './is-out-of-room.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-data-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const entry = (number: number): KeyChange => ({
  key: Buffer.from(`key ${String(number).padStart(6, '0')}`),
  value: Buffer.alloc(1_500, number),
})

describe('entries that are appended', { timeout: 60_000 }, () => {
  test('fill their pages', async () => {
    const sizes: number[] = []
    for (const isAppended of [false, true]) {
      const path = join(folder, `appended-${isAppended}.mdb`)
      const data = openDataFile(path)
      for (let start = 0; start < 2_000; start += 200) {
        const entries = Array.from({ length: 200 }, (_, index) => entry(start + index))
        await (isAppended ? data.commit([], entries) : data.commit(entries))
      }
      let count = 0
      data.range({ from: Buffer.of(0), to: Buffer.of(0xff) }, () => ++count > 0)
      expect(count).toBe(2_000)
      await data.close()
      sizes.push(statSync(path).size)
    }
    const [put = 0, appended = 0] = sizes
    expect(appended).toBeLessThan(0.6 * put)
  })

  test('must come after all others', async () => {
    const data = openDataFile(join(folder, 'order.mdb'))
    await data.commit([], [entry(5)])
    await expect(data.commit([], [entry(4)])).rejects.toThrow('not behind all others')
    expect(() => data.commitSync([], [entry(5)])).toThrow('not behind all others')
    await data.commit([entry(1)], [entry(6)])
    const keys: string[] = []
    data.range({ from: Buffer.of(0), to: Buffer.of(0xff) }, (key) => keys.push(Buffer.from(key).toString()) > 0)
    expect(keys).toEqual(['key 000001', 'key 000005', 'key 000006'])
    await data.close()
  })
})

test.skipIf(!canLimitFiles())('a commit that finds no room says so', async () => {
  const path = join(folder, 'full.mdb')
  const data = openDataFile(path)
  await data.commit([{ key: Buffer.from('a'), value: Buffer.from('1') }])
  limitFiles(String(statSync(path).size))
  try {
    const large = [{ key: Buffer.from('b'), value: Buffer.alloc(100_000) }]
    await expect(data.commit(large)).rejects.toSatisfy(isOutOfRoom)
  } finally {
    limitFiles('unlimited')
  }
  await data.close()
})

test.skipIf(process.platform === 'win32')(
  'the lock of a data file has room, so that a full disk cannot end the process',
  async () => {
    const path = join(folder, 'locked.mdb')
    const roomOf = (): number => statSync(`${path}-lock`).blocks * 512
    const data = openDataFile(path)
    expect(roomOf()).toBeGreaterThanOrEqual(statSync(`${path}-lock`).size)
    await data.close()
    // As LMDB itself makes it.
    truncateSync(`${path}-lock`, 0)
    truncateSync(`${path}-lock`, 8_272)
    expect(roomOf()).toBe(0)
    const again = openDataFile(path)
    expect(roomOf()).toBeGreaterThanOrEqual(statSync(`${path}-lock`).size)
    await again.close()
  },
)

function canLimitFiles(): boolean {
  return process.platform === 'linux' && limitFiles('unlimited')
}

/** How large the files may be that this process writes. */
function limitFiles(bytes: string): boolean {
  return spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]).status === 0
}
