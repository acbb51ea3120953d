import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AuditFile } from './audit-file.ts'

let folder: string
let path: string
let told: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-audit-'))
  path = join(folder, 'audit.log')
  told = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('an audit file', () => {
  test('holds all lines in their order, for nobody else to read', async () => {
    const file = await open()
    for (let line = 0; line < 1000; line++) file.add(`line ${line}`)
    await file.close()
    expect(linesOf(path)).toEqual(Array.from({ length: 1000 }, (_, line) => `line ${line}`))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect([file.writtenLines, file.droppedLines, told]).toEqual([1000, 0, []])
  })

  test('goes on where it was, after a line that a crash has cut off', async () => {
    writeFileSync(path, 'whole\nhal')
    const file = await open()
    file.add('next')
    await file.close()
    expect(linesOf(path)).toEqual(['whole', 'hal', 'next'])
  })

  test('is set aside when it is full, and only so many are kept', async () => {
    const file = await open({ mostBytes: 100, mostFiles: 3 })
    for (let line = 0; line < 50; line++) {
      file.add(`line ${String(line).padStart(3, '0')}`)
      if (line % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await file.close()
    const all = [`${path}.2`, `${path}.1`, path].flatMap(linesOf)
    expect(all).toEqual(
      Array.from({ length: all.length }, (_, at) => `line ${String(50 - all.length + at).padStart(3, '0')}`),
    )
    expect(all.length).toBeGreaterThan(15)
    expect(existsSync(`${path}.3`)).toBe(false)
    for (const one of [path, `${path}.1`, `${path}.2`]) expect(statSync(one).size).toBeLessThan(110)
  })

  test('may be one file alone, and may meet a line that is larger than a file', async () => {
    const file = await open({ mostBytes: 50, mostFiles: 1 })
    file.add('x'.repeat(500))
    file.add('last')
    await file.close()
    expect(linesOf(path)).toEqual(['last'])
    expect(existsSync(`${path}.1`)).toBe(false)
  })

  test('is begun again when somebody has moved it away', async () => {
    const file = await open()
    file.add('first')
    await vi.waitFor(() => expect(linesOf(path)).toEqual(['first']))
    renameSync(path, `${path}.moved`)
    file.add('second')
    await file.close()
    expect([linesOf(`${path}.moved`), linesOf(path)]).toEqual([['first'], ['second']])
  })

  test('that cannot be written is told of once, counts what it drops, and goes on when it can', async () => {
    const file = await open({ mostWaitingBytes: 100, retryMs: 20 })
    file.add('before')
    await vi.waitFor(() => expect(file.writtenLines).toBe(1))
    renameSync(folder, `${folder}.away`)
    for (let line = 0; line < 50; line++) file.add(`line ${line}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (let line = 0; line < 50; line++) file.add(`more ${line}`)
    expect(file.droppedLines).toBeGreaterThan(80)
    expect(told).toHaveLength(1)
    renameSync(`${folder}.away`, folder)
    await vi.waitFor(() => expect(told).toHaveLength(2))
    expect(told[1]).toContain(`${file.droppedLines} events were dropped`)
    file.add('after')
    await file.close()
    const lines = linesOf(path)
    expect([lines[0], lines[1], lines.at(-1)]).toEqual(['before', 'line 0', 'after'])
    expect(lines).toHaveLength(file.writtenLines)
  })

  test.skipIf(!existsSync('/dev/full'))('survives a full disk', async () => {
    const file = new AuditFile({
      path: '/dev/full',
      mostBytes: 1e6,
      mostFiles: 2,
      retryMs: 10,
      onTrouble: (text) => told.push(text),
    })
    await file.open()
    for (let line = 0; line < 100; line++) file.add(`line ${line}`)
    await vi.waitFor(() => expect(told).toHaveLength(1))
    expect(told[0]).toMatch(/ENOSPC|no space/)
    await file.close()
    expect([file.writtenLines, file.droppedLines, told.length]).toEqual([0, 100, 1])
  })

  test('that cannot be opened is known at once', async () => {
    path = join(folder, 'missing', 'audit.log')
    await expect(open()).rejects.toMatchObject({ code: 'ENOENT', path })
  })

  test('is appended to by whoever else writes to it', async () => {
    const file = await open()
    file.add('ours')
    await vi.waitFor(() => expect(file.writtenLines).toBe(1))
    appendFileSync(path, 'theirs\n')
    file.add('ours again')
    await file.close()
    expect(linesOf(path)).toEqual(['ours', 'theirs', 'ours again'])
  })
})

async function open(
  options: { mostBytes?: number; mostFiles?: number; mostWaitingBytes?: number; retryMs?: number } = {},
) {
  const file = new AuditFile({
    path,
    mostBytes: 1e6,
    mostFiles: 3,
    onTrouble: (text) => told.push(text),
    ...options,
  })
  await file.open()
  return file
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').slice(0, -1)
}
