import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the workbench has the icons that it imports, as lucide-react draws them', () => {
  const words = ['scripts/generate-icons.mjs', '--check']
  expect(() =>
    execFileSync(process.execPath, words, { cwd: new URL('..', import.meta.url), stdio: 'pipe' }),
  ).not.toThrow()
})
