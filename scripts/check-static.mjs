// Checks the formatting and lints, both at the same time: the formatter alone keeps one processor busy for longer than the linter takes.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const checks = [
  ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  // What has not changed since it was last checked is not read again: most of a run's time.
  ['node_modules/prettier/bin/prettier.cjs', '--check', '--cache', '--cache-strategy=content', '.'],
]

const results = await Promise.all(checks.map((words) => run(words)))
process.exitCode = results.every((succeeded) => succeeded) ? 0 : 1

/** What it prints comes at its end, in one piece. */
function run(words) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const printed = []
    child.stdout.on('data', (bytes) => printed.push(bytes))
    child.stderr.on('data', (bytes) => printed.push(bytes))
    child.once('error', (error) => printed.push(Buffer.from(`${error.message}\n`)))
    child.once('close', (status) => {
      process.stdout.write(Buffer.concat(printed))
      resolve(status === 0)
    })
  })
}
