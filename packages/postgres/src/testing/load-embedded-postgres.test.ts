import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadEmbeddedPostgres } from './load-embedded-postgres.ts'

test('leaves the exit code of the process to the process', async () => {
  const count = (): number => process.listenerCount('beforeExit') + process.listenerCount('exit')
  const before = count()
  await loadEmbeddedPostgres()
  expect(count()).toBe(before)
})

test('the package itself would not, which is why it is loaded this way', () => {
  const script = "import 'embedded-postgres'; process.exitCode = 3"
  const cwd = fileURLToPath(new URL('.', import.meta.url))
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd }).status).toBe(0)
})
