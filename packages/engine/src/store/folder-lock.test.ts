import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from './folder-lock.ts'

// What other processes see is tested in test/system/folder-lock.test.ts.

let parent: string
let folder: string

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'hashrange-lock-'))
  folder = join(parent, 'data')
  mkdirSync(folder)
  symlinkSync(folder, join(parent, 'link'))
})

afterEach(() => rmSync(parent, { recursive: true, force: true }))

test.each([
  ['as it was', () => folder],
  ['with a slash at its end', () => `${folder}/`],
  ['by a detour', () => `${folder}/../data/.`],
  ['from the working folder', () => relative(process.cwd(), folder)],
  ['through a link', () => join(parent, 'link')],
])('a folder is locked for its own process too, spelt %s', (_, spelling) => {
  const lock = lockFolder(folder)
  expect(() => lockFolder(spelling())).toThrow(`is in use by process ${process.pid}.`)
  lock.release()
  lockFolder(spelling()).release()
})

test('a lock is released once, whatever was opened since', () => {
  const first = lockFolder(folder)
  first.release()
  const second = lockFolder(folder)
  first.release()
  expect(() => lockFolder(folder)).toThrow('is in use')
  second.release()
})

test('what an earlier holder has left in the file does not matter, and is replaced', () => {
  const file = join(folder, 'lock')
  for (const left of ['', 'x'.repeat(10_000), '999999999 12\n', `${process.pid} 1\n`, `${process.ppid}\n`]) {
    writeFileSync(file, left)
    const lock = lockFolder(folder)
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${process.pid}\nThis file is locked`))
    lock.release()
    expect(readFileSync(file, 'utf8')).toBe('')
  }
  expect(readdirSync(folder)).toEqual(['lock'])
})

test('a folder that is not there, or whose lock cannot be opened, is refused in a sentence', () => {
  expect(() => lockFolder(join(folder, 'none'))).toThrow(/none is not writable\.$/)
  mkdirSync(join(folder, 'lock'))
  expect(() => lockFolder(folder)).toThrow('is not writable')
})
