import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Engine } from '../../engine.ts'
import { SeededRandom } from '../../simulation/seeded-random.ts'
import { SimulatedDisk, type DiskImage } from '../../simulation/simulated-disk.ts'
import { SimulatedTime } from '../../simulation/simulated-time.ts'
import { openLmdbStore, openStoreOn } from '../lmdb-store.ts'
import type { Store } from '../store.ts'
import { killedFolder, unpackFolder } from './testing/earlier-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-format-1-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function unpack(name: string): string {
  const path = join(folder, name)
  unpackFolder(1, path)
  return path
}

describe('a folder of format 1', () => {
  test('is brought to the present format, with all that was acknowledged', async () => {
    const path = unpack('killed')
    for (let round = 0; round < 2; round++) {
      const engine = await Engine.open({ store: await openLmdbStore({ path }) })
      const answer = await engine.execute(scope, 'DynamoDB_20120810', 'Query', {
        TableName: 'orders',
        IndexName: 'byState',
        KeyConditionExpression: '#state = :open',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':open': { S: 'open' } },
      })
      expect(answer).toMatchObject({ Count: 10 })
      await engine.close()
    }
  })

  test('that was closed in order, or had no redo log yet, is brought to the present format too', async () => {
    const clean = unpack('clean')
    const data = readFileSync(join(clean, 'data.mdb'))
    for (const name of ['checkpoint', 'redo-0', 'redo-1']) rmSync(join(clean, name))
    const store = await openLmdbStore({ path: clean })
    expect((await entriesOf(store)).length).toBeGreaterThan(20)
    await store.close()
    expect(readFileSync(join(clean, 'data.mdb')).equals(data)).toBe(false)
  })

  test('may be stopped at any step on the way', async () => {
    const whole = new SimulatedTime(new SeededRandom(0), Number.POSITIVE_INFINITY)
    const expected = await openingOf(killedFolder(1), whole, 'whole')
    expect(expected.entries?.length).toBeGreaterThan(40)
    for (let seed = 1; seed <= 30; seed++) {
      let image = killedFolder(1)
      const random = new SeededRandom(seed)
      for (let stop = 0; stop < 4; stop++) {
        image = (await openingOf(image, new SimulatedTime(random, random.below(70)), `${seed}-${stop}`, random))
          .image
      }
      const last = await openingOf(image, new SimulatedTime(random, Number.POSITIVE_INFINITY), `${seed}`, random)
      expect(last.entries, `seed ${seed}`).toEqual(expected.entries)
    }
  })
})

test('a folder of the present format whose checkpoint and redo logs are missing is not taken for an old one', async () => {
  const path = join(folder, 'present')
  const store = await openLmdbStore({ path })
  await store.transact([], () => ({
    writes: [{ kind: 'put', key: Buffer.from('a'), value: Buffer.from('1') }],
    answer: undefined,
  }))
  await store.close()
  const copy = join(folder, 'copy')
  mkdirSync(copy)
  cpSync(join(path, 'data.mdb'), join(copy, 'data.mdb'))
  await expect(openLmdbStore({ path: copy })).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringContaining('copied together') as string,
  })
})

const scope = { accountId: '504653058963', region: 'us-east-1' }

async function openingOf(
  image: DiskImage,
  time: SimulatedTime,
  name: string,
  random = new SeededRandom(1),
): Promise<{ readonly image: DiskImage; readonly entries: readonly string[] | undefined }> {
  const disk = new SimulatedDisk(image, join(folder, 'disks', name), random, time, { failure: 0, fullDisk: 0 })
  const opening = openStoreOn(
    { disk, timers: time, checkpointEveryMs: 200, checkpointAfterBytes: 1_000_000 },
    () => undefined,
  )
  await time.run(opening)
  const entries = time.hasStopped ? undefined : await entriesOf(await opening)
  opening.catch(() => undefined)
  const after = random.chance(0.5) ? disk.afterKill() : disk.afterPowerLoss()
  await disk.dispose()
  return { image: after, entries }
}

async function entriesOf(store: Store): Promise<readonly string[]> {
  const entries: string[] = []
  await store.view((snapshot) =>
    snapshot.range({ from: Buffer.of(0), to: Buffer.of(0xff) }, (key, value) => {
      entries.push(`${Buffer.from(key).toString('latin1')}=${value.toString('latin1')}`)
      return true
    }),
  )
  return entries
}
