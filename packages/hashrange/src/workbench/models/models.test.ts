import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Engine } from '@hashrange/engine'
import type { ModelDescription } from '@hashrange/model'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ModelFile } from '@hashrange/workbench/answers'
import type { JsonObject, WorkbenchContext } from '../api-handler.ts'
import { unlimitedVisitor } from '../door/visitor.ts'
import type { ModelLimits } from './model-limits.ts'
import { ModelFiles } from './model-files.ts'
import { models } from './models.ts'
import { nosqlWorkbenchFile } from './testing/nosql-workbench-file.ts'

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

interface Desk {
  readonly readOnly?: boolean
  readonly remoteModels?: boolean
  readonly isFromHere?: boolean
  readonly limits?: Partial<ModelLimits>
}

/** Asks as the page does. */
function desk(paths: readonly string[], { isFromHere = true, limits, ...options }: Desk = {}) {
  const modelFiles = new ModelFiles(paths, { base: folder, limits })
  const context = { modelFiles, readOnly: false, remoteModels: false, ...options } as unknown as WorkbenchContext
  return async <Answer>(action: string, body: JsonObject = {}): Promise<Answer> =>
    (await models(context, {
      path: action === '' ? [] : [action],
      query: new URLSearchParams(),
      body,
      isFromHere,
      request: { method: 'POST', target: '/', body: Buffer.alloc(0) },
      visitor: unlimitedVisitor(undefined as unknown as Engine),
    })) as Answer
}

/** The list when everything in it is loaded. */
async function loaded(ask: ReturnType<typeof desk>): Promise<Listed> {
  for (;;) {
    const listed = await ask<Listed>('')
    if (listed.files.every(({ isLoading }) => !isLoading)) return listed
  }
}

interface Listed {
  readonly version: string
  readonly unchanged?: boolean
  readonly files: readonly (ModelFile & {
    readonly models: readonly { readonly description: ModelDescription }[]
  })[]
}

const limitOf = ({ files }: Listed): number | undefined => files[0]?.models[0]?.description.patterns[0]?.limit

describe('the loaded models', () => {
  test('are told with their descriptions, and not again while nothing has changed', async () => {
    await put('notes.model.ts', notes())
    const ask = desk(['notes.model.ts'])
    const listed = await loaded(ask)
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
    await loaded(ask)
    await put('notes.model.ts', `import { pk } from './limit.ts'\n${notes(30, 'pk')}`)
    const second = await loaded(ask)
    expect(limitOf(second)).toBe(30)
    await put('limit.ts', 'export const pk = "NOBODY#{userId}"')
    const third = await loaded(ask)
    expect(third.files[0]?.error?.message).toContain('NOBODY#')
    // What was right last is still there to look at.
    expect(limitOf(third)).toBe(30)
  })

  test('say in which line they are wrong, and are right again when it is corrected', async () => {
    await put('notes.model.ts', notes().replace('s.int()', 's.integer()'))
    const ask = desk(['notes.model.ts'])
    const wrong = await loaded(ask)
    expect(wrong.files[0]).toMatchObject({ models: [], error: { line: 2 } })
    await put('notes.model.ts', notes())
    expect((await loaded(ask)).files[0]).toMatchObject({ error: null, models: [{ exportName: 'notes' }] })
  })

  test('a file that is not there is an error of that file', async () => {
    const ask = desk(['nowhere.model.ts'])
    expect((await loaded(ask)).files[0]?.error?.message).toContain('There is no file')
  })
})

describe('loading a model from the page', () => {
  test('finds those in the folder, loads one and lets it go', async () => {
    await put('design/notes.model.ts', notes())
    await put('node_modules/other/x.model.ts', notes())
    const ask = desk(['.'])
    expect(await ask('candidates')).toEqual({ folders: ['.'], files: ['design/notes.model.ts'] })
    expect(await ask('open', { file: 'design/notes.model.ts' })).toMatchObject({ origin: 'page', error: null })
    expect((await ask<Listed>('')).files).toHaveLength(1)
    await ask('close', { file: 'design/notes.model.ts' })
    expect((await ask<Listed>('')).files).toHaveLength(0)
  })

  test('takes nothing from outside, by path or by link, and nothing that is no model file', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'hashrange-elsewhere-'))
    await writeFile(join(outside, 'x.model.ts'), notes())
    await mkdir(join(folder, 'open'))
    await symlink(join(outside, 'x.model.ts'), join(folder, 'open', 'link.model.ts'))
    await symlink(outside, join(folder, 'open', 'linked'))
    await put('open/plain.ts', notes())
    await symlink(join(folder, 'open', 'plain.ts'), join(folder, 'open', 'disguised.model.ts'))
    await put('beside.model.ts', notes())
    const ask = desk(['open'])
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
    await put('notes.model.ts', notes())
    await put('other.model.ts', notes())
    const ask = desk(['notes.model.ts'])
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
    await put('notes.model.ts', notes())
    const content = nosqlWorkbenchFile('Book')
    const asked: readonly (readonly [string, JsonObject])[] = [
      ['open', { file: 'notes.model.ts' }],
      ['close', { file: 'notes.model.ts' }],
      ['save', { file: 'new.model.ts', name: 'library.json', content }],
    ]
    for (const [action, body] of asked) {
      await expect(desk(['.'], { readOnly: true })(action, body)).rejects.toMatchObject({ code: 'ReadOnly' })
      await expect(desk(['.'], { isFromHere: false })(action, body)).rejects.toMatchObject({
        code: 'OtherMachine',
        message: expect.stringContaining('--remote-models') as string,
      })
    }
    await expect(readFile(join(folder, 'new.model.ts'))).rejects.toThrow('ENOENT')
    const remote = desk(['.'], { isFromHere: false, remoteModels: true })
    expect(await remote('open', { file: 'notes.model.ts' })).toMatchObject({ error: null })
  })
})

describe('saving a model from the page', () => {
  test('writes the model file that a file of another tool becomes, and never over another', async () => {
    const ask = desk(['.'])
    const body = { file: 'library.model.ts', name: 'library.json', content: nosqlWorkbenchFile('Book') }
    expect(await ask('save', body)).toMatchObject({ file: 'library.model.ts', error: null })
    expect(await readFile(join(folder, 'library.model.ts'), 'utf8')).toContain("entity('Book'")
    await expect(ask('save', body)).rejects.toMatchObject({ code: 'FileExists' })
  })

  test('writes nowhere else, by path or by link', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'hashrange-elsewhere-'))
    await mkdir(join(folder, 'open'))
    await symlink(outside, join(folder, 'open', 'linked'))
    await symlink(join(outside, 'target.model.ts'), join(folder, 'open', 'dangling.model.ts'))
    const ask = desk(['open'])
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
    const ask = desk(['.'])
    const body = { file: 'a.model.ts', name: 'a.json', content: notes() }
    await expect(ask('save', body)).rejects.toMatchObject({ code: 'NoJson' })
  })
})

describe('a model file that misbehaves', () => {
  const limits = { answerMs: 4000, checkMs: 6000, memoryBytes: 400 * 1024 ** 2 }

  test('is stopped if it loops', async () => {
    await put('loop.model.ts', 'for (;;) {}')
    const ask = desk(['loop.model.ts'], { limits: { ...limits, loadMs: 1000 } })
    expect((await loaded(ask)).files[0]?.error?.message).toMatch(/^loop\.model\.ts was stopped: .* within 1 second/)
  })

  test('keeps none of the others waiting while it loops', async () => {
    await put('loop.model.ts', 'for (;;) {}')
    await put('notes.model.ts', notes())
    const ask = desk(['loop.model.ts', 'notes.model.ts'], { limits: { ...limits, loadMs: 600_000 } })
    await ask('export', { file: 'notes.model.ts', model: 'notes', format: 'terraform' })
    expect((await ask<Listed>('')).files).toMatchObject([
      { isLoading: true, models: [] },
      { error: null, models: [{ exportName: 'notes' }] },
    ])
    await put('loop.model.ts', notes())
    expect((await loaded(ask)).files).toMatchObject([{ error: null }, { error: null }])
  })

  test('is loaded as soon as it is corrected, however long its old content would still loop', async () => {
    await put('notes.model.ts', 'await new Promise(() => undefined)')
    const ask = desk(['notes.model.ts'], { limits: { ...limits, loadMs: 600_000 } })
    expect((await ask<Listed>('')).files[0]).toMatchObject({ isLoading: true })
    await put('notes.model.ts', notes())
    expect((await loaded(ask)).files[0]).toMatchObject({ error: null, models: [{ exportName: 'notes' }] })
  })

  for (const [where, program] of [
    ['on the heap', 'const all = []; for (;;) all.push(new Array(1000).fill(all.length))'],
    ['beside the heap', 'const all = []; for (;;) all.push(Buffer.alloc(1024 * 1024, 7))'],
  ] as const) {
    test(`is stopped if it fills the memory ${where}`, async () => {
      await put('large.model.ts', program)
      const ask = desk(['large.model.ts'], { limits })
      expect((await loaded(ask)).files[0]?.error?.message).toBe(
        'large.model.ts was stopped: it used too much memory (more than 400 MB).',
      )
    })
  }

  test('is told if it ends its own process, or fails later', async () => {
    await put('exit.model.ts', 'process.exit(7)')
    await put('late.model.ts', `${notes()}\nsetTimeout(() => { throw new Error('late') }, 1)`)
    const ask = desk(['exit.model.ts', 'late.model.ts'], { limits })
    const [exited] = (await loaded(ask)).files
    expect(exited?.error?.message).toContain('ended its own process with exit code 7')
  })

  test('is stopped if it loops when it is asked, and is there again for the next question', async () => {
    const loop = '{ get() { for (;;) {} } }'
    const looping = `Object.defineProperties(notes, { description: { value: notes.description }, resolved: ${loop}, definitions: ${loop} })`
    await put('notes.model.ts', `${notes()}\n${looping}`)
    const ask = desk(['notes.model.ts'], { limits })
    const about = { file: 'notes.model.ts', model: 'notes' }
    const asked = { ...about, pattern: 'notesOf', parameters: { userId: '01J0000000000000000000000A' } }
    await expect(ask('explain', asked)).rejects.toMatchObject({
      code: 'ModelTooSlow',
      message: 'notes.model.ts was stopped: it did not answer (explain) within 4 seconds.',
    })
    expect(await ask('export', { ...about, format: 'markdown' })).toMatchObject({ fileName: 'notes.md' })
  })

  test('is not told what is said to the server alone', async () => {
    process.env['HASHRANGE_STORE'] = 'postgres://user:password@host/database'
    await put(
      'notes.model.ts',
      `${notes()}\nif (process.env.HASHRANGE_STORE !== undefined) throw new Error('told')`,
    )
    expect((await loaded(desk(['notes.model.ts']))).files[0]?.error).toBeNull()
    delete process.env['HASHRANGE_STORE']
  })

  test('goes when the server goes, even while it loops', async () => {
    const pidFile = join(folder, 'pid')
    await put(
      'loop.model.ts',
      `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); for (;;) {}`,
    )
    const child = fileURLToPath(new URL('../../../dist/model-process.js', import.meta.url))
    const server = spawn(process.execPath, [
      '-e',
      `require('node:child_process').fork(${JSON.stringify(child)}, ['1000000000'], { execArgv: [] })
        .send({ id: 0, question: { kind: 'load', path: ${JSON.stringify(join(folder, 'loop.model.ts'))} } })`,
    ])
    await expect.poll(() => readFile(pidFile, 'utf8').catch(() => '')).toMatch(/\d/)
    const pid = Number(await readFile(pidFile, 'utf8'))
    expect(isRunning(pid)).toBe(true)
    server.kill('SIGKILL')
    await expect.poll(() => isRunning(pid)).toBe(false)
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

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
    expect(await ask('check', about)).toBe(report)
    const cost = await ask<{ pricesFrom: string; patterns: { pattern: string; onDemand: number }[] }>('cost', about)
    expect(cost).toMatchObject({ pricesFrom: '2024-11-01', patterns: [{ pattern: 'notesOf' }, {}, {}] })
    await expect(ask('cost', { ...about, region: 'mars-1' })).rejects.toMatchObject({ code: 'NoPrices' })
    await expect(ask('check', { ...about, model: 'other' })).rejects.toMatchObject({ code: 'NoSuchModel' })
    await put('notes.model.ts', notes(30))
    expect(await ask('check', about)).not.toBe(report)
  }, 120_000)

  test('every form that is offered can be had, under a name of its own', async () => {
    const withRoles = notes().replace('  patterns:', "  roles: { reader: { patterns: ['notesOf'] } },\n  patterns:")
    await put('notes.model.ts', withRoles)
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
    await put('notes.model.ts', notes())
    await expect(ask('export', { ...about, format: 'iam' })).rejects.toMatchObject({ code: 'NotPossible' })
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
