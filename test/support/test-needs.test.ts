import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { longTests } from './longest-first.ts'
import { usesTestStore, valueImports } from './test-needs.ts'

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

  test('that is said to take long is there', () => {
    for (const path of longTests) expect(existsSync(new URL(`../../${path}`, import.meta.url)), path).toBe(true)
  })
})
