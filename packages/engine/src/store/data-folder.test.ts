import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDataFolder } from './data-folder.ts'

const parent = mkdtempSync(join(tmpdir(), 'hashrange-folder-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

test('a folder is made with all that is above it, and may be there already', () => {
  const path = join(parent, 'a', 'b', 'c')
  makeDataFolder(path)
  makeDataFolder(path)
  writeFileSync(join(path, 'file'), '')
  makeDataFolder(path)
  expect(statSync(path).isDirectory()).toBe(true)
})

test('what cannot be a folder is told in a sentence', () => {
  const file = join(parent, 'file')
  writeFileSync(file, '')
  symlinkSync(join(parent, 'nowhere'), join(parent, 'dangling'))
  // Nothing can be created there: not even by root, and Node.js tries for ever.
  const proc = existsSync('/proc') ? ['/proc/hashrange', '/proc/hashrange/data'] : []
  for (const path of [file, join(file, 'below'), join(parent, 'dangling'), `${parent}/nul\0`, ...proc]) {
    expect(() => makeDataFolder(path)).toThrow(expect.objectContaining({ code: 'not-writable' }))
  }
})
