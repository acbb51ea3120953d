import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runModelCommand } from './run-model-command.ts'
import { useTerminal } from './testing/use-terminal.ts'

const terminal = useTerminal('plan')

async function put(name: string, attributes: string): Promise<string> {
  const file = join(terminal.folder, name)
  await writeFile(
    file,
    `import { entity, model, s } from '@hashrange/model'
const Note = entity('Note', { noteId: s.ulid(), ${attributes} }).key({ pk: 'NOTE#{noteId}', sk: 'NOTE' }).volume({ items: 100_000 })
export const notes = model({ name: 'notes', entities: { Note }, patterns: (p) => ({ note: p.get('Note') }) })
`,
  )
  return file
}

test('an unsafe difference is planned, and fails the build unless it is allowed', async () => {
  const words = [await put('old.model.ts', ''), await put('new.model.ts', 'text: s.string()')]
  expect(await runModelCommand('plan', words)).toBe(1)
  expect(terminal.told).toContain('notes: 1 unsafe while old and new code run side by side\n')
  expect(terminal.told).toContain('unsafe      Note.text is new and required')
  expect(terminal.told).toMatch(
    /cost +[\d,]+ read and 100,000 write units, \$0\.\d+ on demand, \d+ (s|min) at 500 units a second/,
  )
  expect(await runModelCommand('plan', [...words, '--allow-unsafe', '--rate', '1000'])).toBe(0)
  terminal.told = ''
  expect(await runModelCommand('plan', [...words, '--json'])).toBe(1)
  expect(JSON.parse(terminal.told)).toMatchObject({ kind: 'unsafe', differences: [{ what: 'Note.text' }] })
  terminal.told = ''
  expect(await runModelCommand('plan', [...words, '--markdown'])).toBe(1)
  expect(terminal.told).toContain('| Note.text | unsafe | is new and required |')
})

test('a compatible difference needs a deployment alone', async () => {
  const words = [await put('old.model.ts', ''), await put('new.model.ts', 'text: s.string().optional()')]
  expect(await runModelCommand('plan', words)).toBe(0)
  expect(terminal.told).toContain('Deploy the new code: nothing else is needed.')
  terminal.told = ''
  expect(await runModelCommand('plan', [words[0] ?? '', words[0] ?? ''])).toBe(0)
  expect(terminal.told).toBe('notes: no difference in what is stored.\n')
})

test('mistakes are explained', async () => {
  const file = await put('old.model.ts', '')
  const mistakes: [string[], string][] = [
    [[file], 'Name two model files, the old one first, or one and --endpoint.'],
    [[file, file, '--json', '--markdown'], 'cannot be used together'],
    [[file, file, '--region', 'mars-1'], 'There are no prices for the region "mars-1".'],
    [[file, join(terminal.folder, 'none.model.ts')], 'There is no file'],
  ]
  for (const [words, message] of mistakes) {
    terminal.told = ''
    expect(await runModelCommand('plan', words)).toBe(2)
    expect(terminal.told).toContain(message)
  }
})
