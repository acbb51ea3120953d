import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelDescription } from '@hashrange/model'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WorkbenchContext } from '../api-handler.ts'
import { ModelFiles, type ModelFileInfo } from './model-files.ts'
import { models } from './models.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'hashrange-workbench-models-')))
})
afterEach(() => rm(folder, { recursive: true }))

const notes = (limit = 25, from = "'USER#{userId}'"): string => `import { entity, model, s } from '@hashrange/model'
const Note = entity('Note', { userId: s.ulid(), title: s.string(), noteId: s.int(), slug: s.string() })
  .key({ pk: 'USER#{userId}', sk: 'NOTE#{noteId:05}' })
  .unique('slug')
  .volume({ items: 100_000, perPartition: 20 })
export const notes = model({
  name: 'notes',
  entities: { Note },
  patterns: (p) => ({
    notesOf: p.query({ pk: ${from}, limit: ${limit}, traffic: { rate: 100 } }),
    bySlug: p.lookup('Note', 'slug'),
    write: p.put('Note', { traffic: { rate: 10 } }),
  }),
})
`

let clock = 1_700_000_000
/** As an editor saves it: later than before, whatever the file system's clock can tell apart. */
async function put(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, text)
  clock += 1
  await utimes(file, clock, clock)
  return file
}

/** Asks as the page does. */
function desk(paths: readonly string[], readOnly = false) {
  const context = { modelFiles: new ModelFiles(paths, folder), readOnly } as unknown as WorkbenchContext
  return async <Answer>(action: string, body: object = {}): Promise<Answer> =>
    (await models(context, {
      path: action === '' ? [] : [action],
      query: new URLSearchParams(),
      body,
    })) as Answer
}

interface Listed {
  readonly version: string
  readonly unchanged?: boolean
  readonly files: readonly (ModelFileInfo & {
    readonly models: readonly { readonly description: ModelDescription }[]
  })[]
}

const limitOf = ({ files }: Listed): number | undefined => files[0]?.models[0]?.description.patterns[0]?.limit

describe('the loaded models', () => {
  test('are told with their descriptions, and not again while nothing has changed', async () => {
    await put('notes.model.ts', notes())
    const ask = desk(['notes.model.ts'])
    const listed = await ask<Listed>('')
    expect(listed.files).toMatchObject([
      { file: 'notes.model.ts', origin: 'command-line', error: null, models: [{ exportName: 'notes' }] },
    ])
    expect(limitOf(listed)).toBe(25)
    expect(await ask('', { known: listed.version })).toEqual({ version: listed.version, unchanged: true })
  })

  test('follow the file, and the files it imports', async () => {
    await put('limit.ts', 'export const pk = "USER#{userId}"')
    await put('notes.model.ts', `import { pk } from './limit.ts'\n${notes(25, 'pk')}`)
    const ask = desk(['notes.model.ts'])
    const first = await ask<Listed>('')
    await put('notes.model.ts', `import { pk } from './limit.ts'\n${notes(30, 'pk')}`)
    const second = await ask<Listed>('', { known: first.version })
    expect(limitOf(second)).toBe(30)
    await put('limit.ts', 'export const pk = "NOBODY#{userId}"')
    const third = await ask<Listed>('', { known: second.version })
    expect(third.files[0]?.error?.message).toContain('NOBODY#')
    // What was right last is still there to look at.
    expect(limitOf(third)).toBe(30)
  })

  test('say in which line they are wrong, and are right again when it is corrected', async () => {
    await put('notes.model.ts', notes().replace('s.int()', 's.integer()'))
    const ask = desk(['notes.model.ts'])
    const wrong = await ask<Listed>('')
    expect(wrong.files[0]).toMatchObject({ models: [], error: { line: 2 } })
    await put('notes.model.ts', notes())
    expect((await ask<Listed>('')).files[0]).toMatchObject({ error: null, models: [{ exportName: 'notes' }] })
  })

  test('a file that is not there is an error of that file', async () => {
    const ask = desk(['nowhere.model.ts'])
    expect((await ask<Listed>('')).files[0]?.error?.message).toContain('There is no file')
  })
})

describe('loading a model from the page', () => {
  test('finds those below the folder, loads one and lets it go', async () => {
    await put('design/notes.model.ts', notes())
    await put('node_modules/other/x.model.ts', notes())
    const ask = desk([])
    expect(await ask('candidates')).toMatchObject({ files: ['design/notes.model.ts'] })
    expect(await ask('open', { file: 'design/notes.model.ts' })).toMatchObject({ origin: 'page', error: null })
    expect((await ask<Listed>('')).files).toHaveLength(1)
    await ask('close', { file: 'design/notes.model.ts' })
    expect((await ask<Listed>('')).files).toHaveLength(0)
  })

  test('takes nothing from outside, by path or by link, nothing that is no model file, and nothing while read-only', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'hashrange-elsewhere-'))
    await writeFile(join(outside, 'x.model.ts'), notes())
    await symlink(join(outside, 'x.model.ts'), join(folder, 'link.model.ts'))
    await put('plain.ts', notes())
    await put('notes.model.ts', notes())
    const ask = desk([])
    await expect(ask('open', { file: join(outside, 'x.model.ts') })).rejects.toMatchObject({
      code: 'OutsideOfFolder',
    })
    await expect(ask('open', { file: 'link.model.ts' })).rejects.toMatchObject({ code: 'OutsideOfFolder' })
    await expect(ask('open', { file: '../x.model.ts' })).rejects.toMatchObject({ code: 'OutsideOfFolder' })
    await expect(ask('open', { file: 'plain.ts' })).rejects.toMatchObject({ code: 'NoModelFile' })
    await expect(ask('open', { file: 'gone.model.ts' })).rejects.toMatchObject({ code: 'NoSuchFile' })
    await expect(desk([], true)('open', { file: 'notes.model.ts' })).rejects.toMatchObject({ code: 'ReadOnly' })
    await rm(outside, { recursive: true })
  })
})

describe('what is asked about a model', () => {
  test('the checker and the cost are computed once for each content', async () => {
    await put('notes.model.ts', notes())
    const ask = desk(['notes.model.ts'])
    const about = { file: 'notes.model.ts', model: 'notes' }
    const report = await ask<{ patterns: { pattern: string; readUnits: number }[]; findings: { code: string }[] }>(
      'check',
      about,
    )
    expect(report.patterns.map(({ pattern }) => pattern)).toEqual(['notesOf', 'bySlug', 'write'])
    expect(report.findings.map(({ code }) => code)).toContain('unowned-pattern')
    const files = new ModelFiles(['notes.model.ts'], folder)
    const first = await files.report('notes.model.ts', 'notes')
    expect(await files.report('notes.model.ts', 'notes')).toBe(first)
    await put('notes.model.ts', notes(30))
    expect(await files.report('notes.model.ts', 'notes')).not.toBe(first)
    const cost = await ask<{ pricesFrom: string; patterns: { pattern: string; onDemand: number }[] }>('cost', about)
    expect(cost).toMatchObject({ pricesFrom: '2024-11-01', patterns: [{ pattern: 'notesOf' }, {}, {}] })
    await expect(ask('cost', { ...about, region: 'mars-1' })).rejects.toMatchObject({ code: 'NoPrices' })
    await expect(ask('check', { ...about, model: 'other' })).rejects.toMatchObject({ code: 'NoSuchModel' })
  })

  test('every form that is offered can be had, under a name of its own', async () => {
    await put('notes.model.ts', notes())
    const ask = desk(['notes.model.ts'])
    const about = { file: 'notes.model.ts', model: 'notes' }
    const { formats } = await ask<{ formats: readonly { name: string; title: string }[] }>('formats')
    const names = new Set<string>()
    for (const { name: format } of formats) {
      const { text, fileName } = await ask<{ text: string; fileName: string }>('export', { ...about, format })
      expect(text).toMatch(/notes/i)
      names.add(fileName)
    }
    expect(names.size).toBe(formats.length)
    await expect(ask('export', { ...about, format: 'cobol' })).rejects.toMatchObject({ code: 'NoSuchFormat' })
  })

  test('a pattern is explained as the client sends it', async () => {
    await put('notes.model.ts', notes())
    const ask = desk(['notes.model.ts'])
    const about = { file: 'notes.model.ts', model: 'notes' }
    const userId = '01J0000000000000000000000A'
    expect(await ask('explain', { ...about, pattern: 'notesOf', parameters: { userId } })).toMatchObject({
      requests: [
        {
          operation: 'Query',
          input: { TableName: 'notes', Limit: 25, ExpressionAttributeValues: { ':v1': { S: `USER#${userId}` } } },
        },
      ],
    })
    await expect(ask('explain', { ...about, pattern: 'notesOf', parameters: {} })).rejects.toMatchObject({
      message: 'The pattern notesOf needs userId.',
    })
    await expect(ask('explain', { ...about, pattern: 'nothing' })).rejects.toMatchObject({ code: 'NoSuchPattern' })
  })

  test('of a lookup, the second request follows from what the first has found', async () => {
    await put('notes.model.ts', notes())
    const ask = desk(['notes.model.ts'])
    const about = { file: 'notes.model.ts', model: 'notes', pattern: 'bySlug', parameters: { slug: 'first' } }
    const { requests } = await ask<{ requests: { operation: string; input: { Key: object } }[] }>('explain', about)
    expect(requests).toMatchObject([{ operation: 'GetItem' }])
    const found = {
      ...requests[0]?.input.Key,
      EntityType: { S: 'Note.slug' },
      userId: { S: '01J0000000000000000000000A' },
      noteId: { N: '7' },
      slug: { S: 'first' },
    }
    expect(await ask('explain', { ...about, found })).toMatchObject({
      requests: [
        {
          operation: 'GetItem',
          input: { Key: { pk: { S: 'USER#01J0000000000000000000000A' }, sk: { S: 'NOTE#00007' } } },
        },
      ],
    })
  })
})
