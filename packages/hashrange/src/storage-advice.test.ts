import { StorageError, type StorageProblem } from '@hashrange/engine'
import { expect, test } from 'vitest'
import { settingAdvice } from './setting-advice.ts'
import { withAdvice } from './storage-advice.ts'

const folder = '/data'
const problems: readonly (readonly [StorageProblem, command: string, program: string])[] = [
  [
    { kind: 'folder-in-use', folder, processId: 7 },
    'Stop that process, or choose another folder with --path.',
    'Stop that process, or choose another folder as path.',
  ],
  [
    { kind: 'folder-in-use', folder, processId: undefined },
    'Stop it, or choose another folder with --path.',
    'Stop it, or choose another folder as path.',
  ],
  [{ kind: 'folder-not-created', folder }, 'Choose another with --path.', 'Choose another as path.'],
  [
    { kind: 'data-unreadable', folder },
    'Restore the whole folder from a copy, or start with another --path.',
    'Restore the whole folder from a copy, or open another path.',
  ],
  [
    { kind: 'unfinished-copy' },
    'Run the same hashrange copy again, or copy to an empty folder or database.',
    'Run the same hashrange copy again, or copy to an empty folder or database.',
  ],
  [
    { kind: 'schema-not-current', version: undefined },
    'Let a server set it up, or run the SQL that hashrange schema --print prints.',
    'Let a server set it up, or run the SQL that hashrange schema --print prints.',
  ],
  [
    { kind: 'schema-not-current', version: 1 },
    'Let a server set it up, or run the SQL that hashrange schema --print --from 1 prints.',
    'Let a server set it up, or run the SQL that hashrange schema --print --from 1 prints.',
  ],
]

test.each(problems)('%j is followed by advice for the one who can act', (problem, command, program) => {
  const error = new StorageError('io', 'That is wrong.', undefined, problem)
  expect(withAdvice(error, 'command')).toBe(`That is wrong. ${command}`)
  expect(withAdvice(error, 'program')).toBe(`That is wrong. ${program}`)
})

test('programs are not told of flags', () => {
  for (const [problem] of problems) {
    expect(withAdvice(new StorageError('io', '', undefined, problem), 'program')).not.toContain('--path')
  }
  const off = new StorageError('clock', 'It is off.', undefined, { kind: 'clock-off', offMs: 3_600_000 })
  expect(withAdvice(off, 'command')).toContain('or start with --max-clock-offset 3601 to use')
  expect(withAdvice(off, 'program')).toContain('or open with maxClockOffsetMs: 3601000 to use')
})

test('what nobody can help speaks for itself', () => {
  expect(withAdvice(new StorageError('io', 'The disk is full.'), 'command')).toBe('The disk is full.')
})

test('what is refused for want of a setting is followed by the setting', () => {
  const [command, program] = [settingAdvice('command'), settingAdvice('program')]
  expect(command.ofHost('a.example')).toContain('--allowed-hosts a.example')
  expect(program.ofHost('a.example')).toContain("allowedHosts: ['a.example']")
  expect(command.ofOrigin('https://a.example')).toContain('--cors https://a.example')
  expect(program.ofOrigin('https://a.example')).toContain("cors: ['https://a.example']")
  expect(command.ofReceiver('https://a.example/')).toContain('--webhooks https://a.example/')
  expect(program.ofReceiver('https://a.example/')).toContain("webhooks: ['https://a.example/']")
})
