import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../api-handler.ts'
import { nosqlWorkbenchFile } from './testing/nosql-workbench-file.ts'
import { ModelFolder, loaded, notes, type Listed } from './testing/model-folder.ts'

let files: ModelFolder
beforeEach(async () => {
  files = await ModelFolder.open()
})
afterEach(() => files.remove())

const limitOf = ({ files }: Listed): number | undefined => files[0]?.models[0]?.description.patterns[0]?.limit

describe('the loaded models', () => {
  test('are told with their descriptions, and not again while nothing has changed', async () => {
    await files.put('notes.model.ts', notes())
    const ask = files.desk(['notes.model.ts'])
    const listed = await loaded(ask)
    expect(listed.files).toMatchObject([
      { file: 'notes.model.ts', origin: 'command-line', error: null, models: [{ exportName: 'notes' }] },
    ])
    expect(limitOf(listed)).toBe(25)
    expect(await ask('', { known: listed.version })).toEqual({ version: listed.version, unchanged: true })
  })

  test('follow the file, and the files it imports', async () => {
    await files.put('limit.ts', 'export const pk = "USER#{userId}"')
    await files.put('notes.model.ts', `import { pk } from './limit.ts'\n${notes(25, 'pk')}`)
    const ask = files.desk(['notes.model.ts'])
    await loaded(ask)
    await files.put('notes.model.ts', `import { pk } from './limit.ts'\n${notes(30, 'pk')}`)
    const second = await loaded(ask)
    expect(limitOf(second)).toBe(30)
    await files.put('limit.ts', 'export const pk = "NOBODY#{userId}"')
    const third = await loaded(ask)
    expect(third.files[0]?.error?.message).toContain('NOBODY#')
    // What was right last is still there to look at.
    expect(limitOf(third)).toBe(30)
  })

  test('say in which line they are wrong, and are right again when it is corrected', async () => {
    await files.put('notes.model.ts', notes().replace('s.int()', 's.integer()'))
    const ask = files.desk(['notes.model.ts'])
    const wrong = await loaded(ask)
    expect(wrong.files[0]).toMatchObject({ models: [], error: { line: 2 } })
    await files.put('notes.model.ts', notes())
    expect((await loaded(ask)).files[0]).toMatchObject({ error: null, models: [{ exportName: 'notes' }] })
  })

  test('a file that is not there is an error of that file', async () => {
    const ask = files.desk(['nowhere.model.ts'])
    expect((await loaded(ask)).files[0]?.error?.message).toContain('There is no file')
  })
})

describe('loading a model from the page', () => {
  test('finds those in the folder, loads one and lets it go', async () => {
    await files.put('design/notes.model.ts', notes())
    await files.put('node_modules/other/x.model.ts', notes())
    const ask = files.desk(['.'])
    expect(await ask('candidates')).toEqual({ folders: ['.'], files: ['design/notes.model.ts'] })
    expect(await ask('open', { file: 'design/notes.model.ts' })).toMatchObject({ origin: 'page', error: null })
    expect((await ask<Listed>('')).files).toHaveLength(1)
    await ask('close', { file: 'design/notes.model.ts' })
    expect((await ask<Listed>('')).files).toHaveLength(0)
  })

  test('takes nothing from outside, by path or by link, and nothing that is no model file', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'hashrange-elsewhere-'))
    await writeFile(join(outside, 'x.model.ts'), notes())
    await mkdir(join(files.path, 'open'))
    await symlink(join(outside, 'x.model.ts'), join(files.path, 'open', 'link.model.ts'))
    await symlink(outside, join(files.path, 'open', 'linked'))
    await files.put('open/plain.ts', notes())
    await symlink(join(files.path, 'open', 'plain.ts'), join(files.path, 'open', 'disguised.model.ts'))
    await files.put('beside.model.ts', notes())
    const ask = files.desk(['open'])
    for (const file of [
      join(outside, 'x.model.ts'),
      'beside.model.ts',
      'open/link.model.ts',
      'open/linked/x.model.ts',
      'open/../beside.model.ts',
      'open/../../x.model.ts',
      '../x.model.ts',
    ]) {
      await expect(ask('open', { file }), file).rejects.toMatchObject({ code: 'OutsideOfFolder' })
    }
    // Nothing decodes a path: what is encoded is a name.
    for (const file of ['open/%2e%2e/beside.model.ts', 'open/..%2fbeside.model.ts', 'open/gone.model.ts']) {
      await expect(ask('open', { file }), file).rejects.toMatchObject({ code: 'NoSuchFile' })
    }
    for (const file of ['open/plain.ts', 'open/disguised.model.ts', 'open', '/etc/passwd']) {
      await expect(ask('open', { file }), file).rejects.toMatchObject({ code: 'NoModelFile' })
    }
    await expect(ask('open', { file: 'open/\0.model.ts' })).rejects.toMatchObject({ code: 'BadRequest' })
    expect((await ask<Listed>('')).files).toEqual([])
    await rm(outside, { recursive: true })
  })

  test('takes what the command line names, and nothing else unless it names a folder', async () => {
    await files.put('notes.model.ts', notes())
    await files.put('other.model.ts', notes())
    const ask = files.desk(['notes.model.ts'])
    expect(await ask('candidates')).toEqual({ folders: [], files: [] })
    expect(await ask('open', { file: 'notes.model.ts' })).toMatchObject({ origin: 'command-line', error: null })
    await expect(ask('open', { file: 'other.model.ts' })).rejects.toMatchObject({
      code: 'NoModelFolder',
      message: expect.stringContaining('--model FOLDER') as string,
    })
    await expect(
      ask('save', { file: 'new.model.ts', name: 'library.json', content: nosqlWorkbenchFile('Book') }),
    ).rejects.toMatchObject({ code: 'NoModelFolder' })
  })

  test('is for those who may write, on this machine', async () => {
    await files.put('notes.model.ts', notes())
    const content = nosqlWorkbenchFile('Book')
    const asked: readonly (readonly [string, JsonObject])[] = [
      ['open', { file: 'notes.model.ts' }],
      ['close', { file: 'notes.model.ts' }],
      ['save', { file: 'new.model.ts', name: 'library.json', content }],
    ]
    for (const [action, body] of asked) {
      await expect(files.desk(['.'], { readOnly: true })(action, body)).rejects.toMatchObject({ code: 'ReadOnly' })
      await expect(files.desk(['.'], { isFromHere: false })(action, body)).rejects.toMatchObject({
        code: 'OtherMachine',
        message: expect.stringContaining('--remote-models') as string,
      })
    }
    await expect(readFile(join(files.path, 'new.model.ts'))).rejects.toThrow('ENOENT')
    const remote = files.desk(['.'], { isFromHere: false, remoteModels: true })
    expect(await remote('open', { file: 'notes.model.ts' })).toMatchObject({ error: null })
  })
})

describe('saving a model from the page', () => {
  test('writes the model file that a file of another tool becomes, and never over another', async () => {
    const ask = files.desk(['.'])
    const body = { file: 'library.model.ts', name: 'library.json', content: nosqlWorkbenchFile('Book') }
    expect(await ask('save', body)).toMatchObject({ file: 'library.model.ts', error: null })
    expect(await readFile(join(files.path, 'library.model.ts'), 'utf8')).toContain("entity('Book'")
    await expect(ask('save', body)).rejects.toMatchObject({ code: 'FileExists' })
  })

  test('writes nowhere else, by path or by link', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'hashrange-elsewhere-'))
    await mkdir(join(files.path, 'open'))
    await symlink(outside, join(files.path, 'open', 'linked'))
    await symlink(join(outside, 'target.model.ts'), join(files.path, 'open', 'dangling.model.ts'))
    const ask = files.desk(['open'])
    const save = (file: string): Promise<unknown> =>
      ask('save', { file, name: 'x.json', content: nosqlWorkbenchFile('Book') })
    for (const file of [
      'new.model.ts',
      'open/../new.model.ts',
      'open/linked/new.model.ts',
      join(outside, 'a.model.ts'),
    ]) {
      await expect(save(file), file).rejects.toMatchObject({ code: 'OutsideOfFolder' })
    }
    await expect(save('open/dangling.model.ts')).rejects.toMatchObject({ code: 'FileExists' })
    await expect(save('open/none/new.model.ts')).rejects.toMatchObject({ code: 'NoSuchFolder' })
    await expect(save('open/new.ts')).rejects.toMatchObject({ code: 'NoModelFile' })
    await expect(save(`open/${'x'.repeat(300)}.model.ts`)).rejects.toMatchObject({ code: 'BadRequest' })
    expect(await readdir(outside)).toEqual([])
    await rm(outside, { recursive: true })
  })

  test('takes no code', async () => {
    const ask = files.desk(['.'])
    const body = { file: 'a.model.ts', name: 'a.json', content: notes() }
    await expect(ask('save', body)).rejects.toMatchObject({ code: 'NoJson' })
  })
})

describe('what is asked about a model', () => {
  test('the checker and the cost are computed once for each content', async () => {
    await files.put('notes.model.ts', notes())
    const ask = files.desk(['notes.model.ts'])
    const about = { file: 'notes.model.ts', model: 'notes' }
    const report = await ask<{ patterns: { pattern: string; readUnits: number }[]; findings: { code: string }[] }>(
      'check',
      about,
    )
    expect(report.patterns.map(({ pattern }) => pattern)).toEqual(['notesOf', 'bySlug', 'write'])
    expect(report.findings.map(({ code }) => code)).toContain('unowned-pattern')
    expect(await ask('check', about)).toBe(report)
    const cost = await ask<{ pricesFrom: string; patterns: { pattern: string; onDemand: number }[] }>('cost', about)
    expect(cost).toMatchObject({ pricesFrom: '2024-11-01', patterns: [{ pattern: 'notesOf' }, {}, {}] })
    await expect(ask('cost', { ...about, region: 'mars-1' })).rejects.toMatchObject({ code: 'NoPrices' })
    await expect(ask('check', { ...about, model: 'other' })).rejects.toMatchObject({ code: 'NoSuchModel' })
    await files.put('notes.model.ts', notes(30))
    expect(await ask('check', about)).not.toBe(report)
  }, 120_000)

  test('every form that is offered can be had, under a name of its own', async () => {
    const withRoles = notes().replace('  patterns:', "  roles: { reader: { patterns: ['notesOf'] } },\n  patterns:")
    await files.put('notes.model.ts', withRoles)
    const ask = files.desk(['notes.model.ts'])
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
    await files.put('notes.model.ts', notes())
    await expect(ask('export', { ...about, format: 'iam' })).rejects.toMatchObject({ code: 'NotPossible' })
  })

  test('a pattern is explained as the client sends it', async () => {
    await files.put('notes.model.ts', notes())
    const ask = files.desk(['notes.model.ts'])
    const about = { file: 'notes.model.ts', model: 'notes' }
    const userId = '01J0000000000000000000000A'
    expect(await ask('explain', { ...about, pattern: 'notesOf', parameters: { userId } })).toMatchObject({
      requests: [
        {
          operation: 'Query',
          input: { TableName: 'notes', Limit: 25, ExpressionAttributeValues: { ':pk': { S: `USER#${userId}` } } },
        },
      ],
    })
    await expect(ask('explain', { ...about, pattern: 'notesOf', parameters: {} })).rejects.toMatchObject({
      message: 'The pattern notesOf needs userId.',
    })
    await expect(ask('explain', { ...about, pattern: 'nothing' })).rejects.toMatchObject({ code: 'NoSuchPattern' })
  })

  test('of a lookup, the second request follows from what the first has found', async () => {
    await files.put('notes.model.ts', notes())
    const ask = files.desk(['notes.model.ts'])
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

describe('a text in place of a model file', () => {
  test('is checked by the type checker of its project, if it has one', async () => {
    await files.put('notes.model.ts', notes())
    const ask = files.desk(['notes.model.ts'], { editModels: true })
    const content = "import './elsewhere.ts'\nexport const limit: number = '25'\n"
    expect(await ask('types', { file: 'notes.model.ts', content })).toEqual({ isAvailable: false, problems: [] })
    await mkdir(join(files.path, 'node_modules'))
    await symlink(
      fileURLToPath(new URL('../../../../../node_modules/typescript', import.meta.url)),
      join(files.path, 'node_modules', 'typescript'),
    )
    await files.put('elsewhere.ts', "export const other: number = 'not what was asked about'")
    expect(await ask('types', { file: 'notes.model.ts', content })).toMatchObject({
      isAvailable: true,
      problems: [{ line: 2, column: 14, code: 'TS2322', message: expect.stringContaining("'string'") as string }],
    })
    // Nothing is left beside the file.
    expect((await readdir(files.path)).toSorted()).toEqual(['elsewhere.ts', 'node_modules', 'notes.model.ts'])
  })

  test('is not looked at where files may not be edited', async () => {
    await files.put('notes.model.ts', notes())
    const ask = files.desk(['notes.model.ts'])
    await expect(ask('types', { file: 'notes.model.ts', content: '' })).rejects.toMatchObject({ code: 'NoEditing' })
  })

  test('can start from a template, or from a table and its items', async () => {
    const ask = files.desk(['.'])
    const { templates } = await ask<{ templates: { name: string }[] }>('templates')
    expect(templates.map(({ name }) => name)).toContain('shop')
    const { file } = await ask<{ file: string }>('save', { file: 'mine.model.ts', template: 'shop' })
    expect(await readFile(join(files.path, file), 'utf8')).toContain("entity('Customer'")
    await expect(ask('import', { template: '../../../etc/passwd' })).rejects.toMatchObject({
      code: 'NoSuchTemplate',
    })
    const Table = {
      TableName: 'books',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    }
    const content = JSON.stringify({ Table, Items: [{ pk: { S: 'BOOK#1' }, title: { S: 'Dune' } }] })
    expect(await ask('import', { name: 'books', content })).toMatchObject({
      name: 'books',
      source: expect.stringContaining('title: s.string()') as string,
    })
  })
})
