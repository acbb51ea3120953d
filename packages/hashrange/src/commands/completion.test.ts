import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runCompletion } from './completion.ts'

let told = ''

beforeEach(() => {
  told = ''
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (told += `${text}\n`))
})

afterEach(() => {
  vi.restoreAllMocks()
})

const bash = spawnSync('bash', ['--version']).status === 0

test.runIf(bash).each([
  ['hashrange sta', 1, 'start'],
  ['hashrange start --sh', 2, '--shared'],
])('bash completes "%s"', (line, position, choice) => {
  expect(runCompletion(['bash'])).toBe(0)
  const words = line.split(' ').map((word) => `'${word}'`)
  // The command itself is replaced by what it prints.
  const script = `hashrange() { printf '  hashrange start [flags]   start\\n  --shared   X\\n  --store URL  X\\n'; }
${told}
COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${position}; _hashrange; echo "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  expect([stdout.trim(), stderr]).toEqual([choice, ''])
})

test.each(['zsh', 'fish', 'bash'])('%s has a script', (shell) => {
  expect(runCompletion([shell])).toBe(0)
  expect(told).toContain('hashrange help')
  expect(told).not.toContain(String.raw`\$`)
})

test('another shell is a mistake', () => {
  expect(runCompletion(['csh'])).toBe(2)
  expect(told).toContain('bash, zsh or fish')
})
