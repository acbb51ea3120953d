import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cacheFolderOf, CompiledSources } from './compiled-sources.ts'

let folder: string
let compiled: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compiled-'))
  compiled = 0
})

afterEach(() => rmSync(folder, { recursive: true }))

const compile = (): string => `compiled ${++compiled}`
const isSound = (): boolean => true

describe('sources that were compiled before', () => {
  test('are compiled once for each content and each version of the compiler', () => {
    const sources = new CompiledSources(folder, '1')
    expect(sources.of('a', compile, isSound)).toBe('compiled 1')
    expect(new CompiledSources(folder, '1').of('a', compile, isSound)).toBe('compiled 1')
    expect(sources.of('b', compile, isSound)).toBe('compiled 2')
    expect(new CompiledSources(folder, '2').of('a', compile, isSound)).toBe('compiled 3')
  })

  test('are not kept if they are wrong', () => {
    const sources = new CompiledSources(folder, '1')
    expect(sources.of('a', compile, () => false)).toBe('compiled 1')
    expect(sources.of('a', compile, isSound)).toBe('compiled 2')
  })

  test('are compiled where nothing can be kept', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    for (const place of [undefined, join(file, 'below')])
      expect(new CompiledSources(place, '1').of('a', compile, isSound)).toContain('compiled')
    expect(compiled).toBe(2)
  })

  test('are forgotten when there are many of them, the oldest first', () => {
    const sources = new CompiledSources(folder, '1', 2)
    sources.of('a', compile, isSound)
    const [oldest] = readdirSync(folder)
    utimesSync(join(folder, oldest ?? ''), 1, 1)
    for (const source of ['b', 'c']) sources.of(source, compile, isSound)
    expect(readdirSync(folder)).toHaveLength(2)
    expect(readdirSync(folder)).not.toContain(oldest)
  })
})

test('they are kept where the package is installed', () => {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'hashrange', 'dist'), { recursive: true })
  mkdirSync(join(folder, 'packages', 'hashrange'), { recursive: true })
  const kept = join(modules, '.cache', 'hashrange', 'compiled')
  expect(cacheFolderOf(join(modules, 'hashrange', 'dist', 'x.js'))).toBe(kept)
  expect(cacheFolderOf(join(folder, 'packages', 'hashrange', 'x.js'))).toBe(kept)
})
