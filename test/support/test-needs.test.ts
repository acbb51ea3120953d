import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { longTests } from './longest-first.ts'
import { aboveTheStore, dependsOnStore, testsOfPackages, usesTestStore, valueImports } from './test-needs.ts'

describe('the imports of a source', () => {
  test('are those that are there when it runs', () => {
    const text = [
      "import type { A } from './a.ts'",
      "import { b } from './b.ts'",
      'import {',
      '  type C,',
      '  d,',
      "} from '@hashrange/core'",
      "import './effect.ts'",
      "export { e } from './e.ts'",
      "export type { F } from './f.ts'",
      "const g = await import('node:fs')",
      'const h = await import(/* @vite-ignore */ path)',
    ].join('\n')
    expect(valueImports(text)).toEqual(['./b.ts', '@hashrange/core', './effect.ts', './e.ts', 'node:fs'])
  })
})

describe('a test', () => {
  test('uses the store of the run if it opens an engine, through whatever', () => {
    expect(usesTestStore('packages/engine/src/operations/put-item.test.ts')).toBe(true)
    expect(usesTestStore('packages/monitoring/src/operations/operations.test.ts')).toBe(true)
    expect(usesTestStore('packages/engine/src/wire/raw-json.test.ts')).toBe(false)
  })

  test('runs on every store each time, unless it is said to stand above the store and has one server', () => {
    expect(dependsOnStore('packages/engine/src/streams/streams.test.ts')).toBe(true)
    expect(dependsOnStore('packages/engine/src/operations/query.test.ts')).toBe(true)
    expect(dependsOnStore('packages/engine/src/operations/value-refusals.test.ts')).toBe(false)
    expect(dependsOnStore('packages/access/src/gate/gate.test.ts')).toBe(false)
    expect(dependsOnStore('packages/access/src/gate/several-servers.test.ts')).toBe(true)
    expect(dependsOnStore('packages/engine/src/wire/raw-json.test.ts')).toBe(false)
    const tests = testsOfPackages()
    for (const start of aboveTheStore)
      expect(
        tests.some((file) => file.startsWith(start)),
        start,
      ).toBe(true)
  })

  test('that is said to take long is there', () => {
    for (const path of longTests) expect(existsSync(new URL(`../../${path}`, import.meta.url)), path).toBe(true)
  })
})
