import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDisk } from './disk.ts'
import { hasLittleRoom } from './spare-room.ts'

test('a folder that is gone while its files are in use does not look like a full disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-disk-'))
  const disk = openDisk(folder)
  expect(disk.freeBytes()).toBeGreaterThan(0)
  rmSync(folder, { recursive: true })
  expect(hasLittleRoom(disk)).toBe(false)
})
