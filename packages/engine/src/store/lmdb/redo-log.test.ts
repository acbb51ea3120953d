import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { RedoLog, type KeyChange } from './redo-log.ts'

const root = mkdtempSync(join(tmpdir(), 'hashrange-redo-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const newFolder = (): string => mkdtempSync(join(root, 'log-'))

describe('the redo log', () => {
  test('gives back what was appended, deletions, empty and large values included', async () => {
    const folder = newFolder()
    const log = RedoLog.open(folder)
    const large = 'x'.repeat(1_000_000)
    await log.append(1, [change('a', '1'), change('b', undefined)])
    await log.append(2, [change('c', ''), change('d', large)])
    log.close()
    expect(batches(folder, 0)).toEqual([
      [1, { a: '1', b: undefined }],
      [2, { c: '', d: large }],
    ])
    expect(batches(folder, 1).map(([batch]) => batch)).toEqual([2])
  })

  test('goes on in the other file, and reads both in the order they were written', async () => {
    const folder = newFolder()
    const log = RedoLog.open(folder)
    await log.append(1, [change('a', '1')])
    log.switchFile()
    await log.append(2, [change('a', '2')])
    log.switchFile()
    await log.append(3, [change('a', '3')])
    log.close()
    expect(batches(folder, 1)).toEqual([
      [2, { a: '2' }],
      [3, { a: '3' }],
    ])
  })

  test('what is left of a file’s earlier use is not taken for more', async () => {
    const folder = newFolder()
    const log = RedoLog.open(folder)
    for (let batch = 1; batch <= 5; batch++) await log.append(batch, [change('a', String(batch))])
    log.switchFile()
    log.switchFile()
    await log.append(6, [change('a', '6')])
    log.close()
    expect(batches(folder, 5)).toEqual([[6, { a: '6' }]])
  })

  test('a large file is made small when it is used anew, and not before', async () => {
    const folder = newFolder()
    const log = RedoLog.open(folder)
    log.switchFile()
    await log.append(1, [change('a', 'x'.repeat(70_000_000))])
    log.close()
    const afterCrash = RedoLog.open(folder)
    afterCrash.switchFile()
    expect(batches(folder, 0).map(([batch]) => batch)).toEqual([1])
    await afterCrash.append(2, [change('a', '2')])
    afterCrash.close()
    expect(batches(folder, 1)).toEqual([[2, { a: '2' }]])
    expect(statSync(join(folder, 'redo-1')).size).toBeLessThan(1_000)
  })

  test.each(['cut short', 'changed'])(
    'a last record that was %s is left out, the ones before it are kept',
    async (damage) => {
      const folder = newFolder()
      const log = RedoLog.open(folder)
      await log.append(1, [change('a', '1')])
      await log.append(2, [change('b', '22222222')])
      log.close()
      const file = join(folder, 'redo-0')
      const bytes = readFileSync(file)
      if (damage === 'changed') bytes.writeUInt8(0, bytes.length - 3)
      writeFileSync(file, damage === 'changed' ? bytes : bytes.subarray(0, bytes.length - 3))
      expect(batches(folder, 0)).toEqual([[1, { a: '1' }]])
    },
  )

  test('nothing but rubbish is nothing', () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'redo-0'), Buffer.alloc(10_000, 255))
    expect(batches(folder, 0)).toEqual([])
  })
})

function change(key: string, value: string | undefined): KeyChange {
  return { key: Buffer.from(key), value: value === undefined ? undefined : Buffer.from(value) }
}

function batches(folder: string, after: number): [number, Record<string, string | undefined>][] {
  const log = RedoLog.open(folder)
  const found = [...log.batchesAfter(after)].map(
    ({ batch, changes }): [number, Record<string, string | undefined>] => [
      batch,
      Object.fromEntries(changes.map(({ key, value }) => [Buffer.from(key).toString(), value?.toString()])),
    ],
  )
  log.close()
  return found
}
