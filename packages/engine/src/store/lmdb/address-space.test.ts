import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mapBytes } from './address-space.ts'
import { openDataFile, type DataFile } from './data-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-address-space-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('one process has room for more data files than there are terabytes of addresses', async () => {
  const files: DataFile[] = []
  for (let number = 0; number < 140; number++) files.push(openDataFile(join(folder, `${number}.mdb`)))
  const key = Buffer.from('key')
  for (const file of files) await file.commit([{ key, value: Buffer.from('value') }])
  for (const file of files) expect(file.get(key)?.toString()).toBe('value')
  await Promise.all(files.map((file) => file.close()))
})

test('where there are few addresses, maps are small; where there are none, the file is refused', () => {
  const path = join(folder, 'other.mdb')
  expect(mapBytes(path, 2 ** 47)).toBe(2 ** 40)
  expect(mapBytes(path, 2 ** 39)).toBe(2 ** 30)
  expect(() => mapBytes(path, 2 ** 30)).toThrow('no address space left')
})
