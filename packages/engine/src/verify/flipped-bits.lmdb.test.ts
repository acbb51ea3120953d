import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededNumbers } from '../backups/testing/owned-engine.ts'
import { openLmdbFolder } from '../store/lmdb-folder.ts'
import { openLmdbStore } from '../store/lmdb-store.ts'
import type { Store } from '../store/store.ts'
import { openTestEngine } from '../testing/test-engine.ts'
import { fill, verified } from './testing/filled-engine.ts'

const seed = Number(process.env['HASHRANGE_SEED'])
const isLong = process.env['HASHRANGE_ROUNDS'] === 'all'
const flips = Number(process.env['HASHRANGE_FLIPS'] ?? (isLong ? 60 : 25))

const folder = mkdtempSync(join(tmpdir(), 'hashrange-flips-'))
const path = join(folder, 'data')

beforeAll(async () => {
  const db = await openTestEngine(undefined, { store: await openLmdbStore({ path }) })
  await fill(db)
  await db.close()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** All that a store serves. */
async function digest(store: Store): Promise<string> {
  const hash = createHash('sha256')
  await store.view((snapshot) =>
    snapshot.range({ from: Buffer.of(0), to: Buffer.of(0xff) }, (key, value) => {
      hash.update(`${key.length} ${value.length} `).update(key).update(value)
      return true
    }),
  )
  return hash.digest('hex')
}

async function read(): Promise<{ readonly digest: string; readonly problems: readonly string[] }> {
  const store = openLmdbFolder(path)
  try {
    const { findings, report } = await verified({ store })
    const problems = findings.map(({ problem }) => problem)
    if (!report.isComplete) return { problems, digest: '' }
    return { problems, digest: problems.length > 0 ? '' : await digest(store) }
  } finally {
    await store.close()
  }
}

test(
  'a bit that is flipped anywhere in the data file is found, unless nothing that is served has changed',
  { timeout: 600_000 },
  async () => {
    const number = seededNumbers(seed)
    const file = join(path, 'data.mdb')
    const bytes = readFileSync(file)
    const whole = await read()
    expect(whole.problems).toEqual([])
    let found = 0
    // Most of the file is room that nothing uses: it goes on until it has hit some of the rest.
    for (let flip = 0; flip < flips || (found < 3 && flip < 20 * flips); flip++) {
      const at = number(bytes.length)
      const before = bytes.readUInt8(at)
      bytes.writeUInt8(before ^ (1 << number(8)), at)
      writeFileSync(file, bytes)
      const told = await read()
      bytes.writeUInt8(before, at)
      if (told.problems.length > 0) found++
      else expect(told.digest, `HASHRANGE_SEED=${seed}, byte ${at}`).toBe(whole.digest)
    }
    writeFileSync(file, bytes)
    expect(found).toBeGreaterThanOrEqual(3)
    expect((await read()).problems).toEqual([])
  },
)
