import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { KeyChange } from '../store.ts'
import { openDisk, type Disk } from './disk.ts'
import { createRedoFiles, isRedoFileOf, RedoLog } from './redo-log.ts'
import { findBatches, readBatch, type FoundBatches } from './redo-records.ts'

const root = mkdtempSync(join(tmpdir(), 'hashrange-redo-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const store = Buffer.from('a store!')
const name = Buffer.from('this log')
const generation = 1

async function newLog(): Promise<{ readonly folder: string; readonly disk: Disk; readonly log: RedoLog }> {
  const folder = mkdtempSync(join(root, 'log-'))
  const disk = openDisk(folder)
  await createRedoFiles(disk, store)
  return { folder, disk, log: new RedoLog(disk, name) }
}

describe('the redo log', () => {
  test('gives back what was appended, deletions, empty and large values included', async () => {
    const { disk, log } = await newLog()
    const large = 'x'.repeat(1_000_000)
    await log.append(1, generation, [change('a', '1'), change('b', undefined)])
    await log.append(2, generation, [change('c', ''), change('d', large)])
    log.close()
    expect(batches(disk, 0)).toEqual([
      [1, { a: '1', b: undefined }],
      [2, { c: '', d: large }],
    ])
    expect(batches(disk, 1).map(([batch]) => batch)).toEqual([2])
  })

  test('goes on in the other file, and both are read in the order they were written', async () => {
    const { disk, log } = await newLog()
    await log.append(1, generation, [change('a', '1')])
    log.switchFile()
    await log.append(2, generation, [change('a', '2')])
    log.switchFile()
    await log.append(3, generation, [change('a', '3')])
    log.close()
    expect(batches(disk, 1)).toEqual([
      [2, { a: '2' }],
      [3, { a: '3' }],
    ])
  })

  test('what is left of a file’s earlier use is not taken for more', async () => {
    const { disk, log } = await newLog()
    for (let batch = 1; batch <= 5; batch++) await log.append(batch, generation, [change('a', String(batch))])
    log.switchFile()
    log.switchFile()
    await log.append(6, generation, [change('a', '6')])
    log.close()
    expect(batches(disk, 5)).toEqual([[6, { a: '6' }]])
  })

  test('what another log has left in the files does not count', async () => {
    const { disk, log } = await newLog()
    await log.append(1, generation, [change('a', 'of an earlier process')])
    log.close()
    const another = Buffer.from('that log')
    const later = new RedoLog(disk, another)
    later.switchFile()
    await later.append(2, generation, [change('a', '2')])
    later.close()
    expect(findBatches(disk, another, 0, generation)).toMatchObject({ places: [], missing: 1 })
    expect(findBatches(disk, another, 1, generation).places.map(({ batch }) => batch)).toEqual([2])
  })

  test('a large file is made small when it is used anew, and not before', async () => {
    const { folder, disk, log } = await newLog()
    log.switchFile()
    await log.append(1, generation, [change('a', 'x'.repeat(70_000_000))])
    log.close()
    const afterCrash = new RedoLog(disk, name)
    afterCrash.switchFile()
    expect(batches(disk, 0).map(([batch]) => batch)).toEqual([1])
    await afterCrash.append(2, generation, [change('a', '2')])
    afterCrash.close()
    expect(batches(disk, 1)).toEqual([[2, { a: '2' }]])
    expect(statSync(join(folder, 'redo-1')).size).toBeLessThan(1_000)
    expect(isRedoFileOf(disk, 'redo-1', store)).toBe(true)
  })

  test.each(['cut short', 'changed'])(
    'a last record that was %s is left out, the ones before it are kept',
    async (damage) => {
      const { folder, disk, log } = await newLog()
      await log.append(1, generation, [change('a', '1')])
      await log.append(2, generation, [change('b', '22222222')])
      log.close()
      const file = join(folder, 'redo-0')
      const bytes = readFileSync(file)
      if (damage === 'changed') bytes.writeUInt8(0, bytes.length - 3)
      writeFileSync(file, damage === 'changed' ? bytes : bytes.subarray(0, bytes.length - 3))
      expect(batches(disk, 0)).toEqual([[1, { a: '1' }]])
      expect(found(disk, 0).missing).toBeUndefined()
    },
  )

  test('a bit that was changed before the last record is noticed, wherever it is', async () => {
    const { folder, disk, log } = await newLog()
    for (let batch = 1; batch <= 3; batch++) await log.append(batch, generation, [change('a', `value ${batch}`)])
    log.switchFile()
    await log.append(4, generation, [change('a', 'value 4')])
    log.close()
    const file = join(folder, 'redo-0')
    const whole = readFileSync(file)
    for (let position = 16; position < whole.length; position++) {
      const changed = Buffer.from(whole)
      changed.writeUInt8(changed.readUInt8(position) ^ (1 << (position % 8)), position)
      writeFileSync(file, changed)
      expect(found(disk, 0).missing, `byte ${position}`).toBeGreaterThan(0)
    }
  })

  test('records that tell of a newer checkpoint than the one that was found are noticed', async () => {
    const { disk, log } = await newLog()
    await log.append(1, generation, [change('a', '1')])
    await log.append(2, generation + 1, [change('a', '1')])
    log.close()
    expect(findBatches(disk, name, 1, generation).newerGeneration).toBe(generation + 1)
  })

  test('a value that looks like a record is none', async () => {
    const { folder, disk, log } = await newLog()
    await log.append(1, generation, [change('a', '1')])
    log.close()
    const record = readFileSync(join(folder, 'redo-0')).subarray(16)
    const { disk: otherDisk, log: other } = await newLog()
    const forged = Buffer.from(record)
    forged.set(Buffer.from('guessed!'), 0)
    await other.append(1, generation, [{ key: Buffer.from('a'), value: forged }])
    other.close()
    expect(batches(disk, 0)).toHaveLength(1)
    expect(batches(otherDisk, 0)).toHaveLength(1)
  })

  test('nothing but rubbish is nothing', async () => {
    const { folder, disk, log } = await newLog()
    log.close()
    writeFileSync(join(folder, 'redo-0'), Buffer.alloc(10_000, 255))
    expect(batches(disk, 0)).toEqual([])
    expect(isRedoFileOf(disk, 'redo-0', store)).toBe(false)
    expect(isRedoFileOf(disk, 'redo-1', store)).toBe(true)
  })
})

function change(key: string, value: string | undefined): KeyChange {
  return { key: Buffer.from(key), value: value === undefined ? undefined : Buffer.from(value) }
}

function found(disk: Disk, after: number): FoundBatches {
  return findBatches(disk, name, after, generation)
}

function batches(disk: Disk, after: number): [number, Record<string, string | undefined>][] {
  return found(disk, after).places.map((place) => [
    place.batch,
    Object.fromEntries(
      readBatch(disk, place).map(({ key, value }) => [Buffer.from(key).toString(), value?.toString()]),
    ),
  ])
}
