import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { largeModel } from './large-model.ts'
import { typeCheck } from './type-check.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** How long it takes is measured by the benchmark. */
test('a model of 40 entities with 160 patterns is little work for the compiler', () => {
  const folder = mkdtempSync(join(root, 'bench', '.type-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { instantiations } = typeCheck(folder, largeModel(40, 4), join(root, 'tsconfig.base.json'))
  expect(instantiations).toBeLessThan(400_000)
}, 120_000)
