import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ModelFolder, loaded, notes, type Listed } from './testing/model-folder.ts'

let files: ModelFolder
beforeEach(async () => {
  files = await ModelFolder.open()
})
afterEach(() => files.remove())

describe('a model file that misbehaves', () => {
  const limits = { answerMs: 4000, checkMs: 6000, memoryBytes: 400 * 1024 ** 2 }

  test('is stopped if it loops', async () => {
    await files.put('loop.model.ts', 'for (;;) {}')
    const ask = files.desk(['loop.model.ts'], { limits: { ...limits, loadMs: 1000 } })
    expect((await loaded(ask)).files[0]?.error?.message).toMatch(/^loop\.model\.ts was stopped: .* within 1 second/)
  })

  test('keeps none of the others waiting while it loops', async () => {
    await files.put('loop.model.ts', 'for (;;) {}')
    await files.put('notes.model.ts', notes())
    const ask = files.desk(['loop.model.ts', 'notes.model.ts'], { limits: { ...limits, loadMs: 600_000 } })
    await ask('export', { file: 'notes.model.ts', model: 'notes', format: 'terraform' })
    expect((await ask<Listed>('')).files).toMatchObject([
      { isLoading: true, models: [] },
      { error: null, models: [{ exportName: 'notes' }] },
    ])
    await files.put('loop.model.ts', notes())
    expect((await loaded(ask)).files).toMatchObject([{ error: null }, { error: null }])
  })

  test('is loaded as soon as it is corrected, however long its old content would still loop', async () => {
    await files.put('notes.model.ts', 'await new Promise(() => undefined)')
    const ask = files.desk(['notes.model.ts'], { limits: { ...limits, loadMs: 600_000 } })
    expect((await ask<Listed>('')).files[0]).toMatchObject({ isLoading: true })
    await files.put('notes.model.ts', notes())
    expect((await loaded(ask)).files[0]).toMatchObject({ error: null, models: [{ exportName: 'notes' }] })
  })

  for (const [where, program] of [
    ['on the heap', 'const all = []; for (;;) all.push(new Array(1000).fill(all.length))'],
    ['beside the heap', 'const all = []; for (;;) all.push(Buffer.alloc(1024 * 1024, 7))'],
  ] as const) {
    test(`is stopped if it fills the memory ${where}`, async () => {
      await files.put('large.model.ts', program)
      const ask = files.desk(['large.model.ts'], { limits })
      expect((await loaded(ask)).files[0]?.error?.message).toBe(
        'large.model.ts was stopped: it used too much memory (more than 400 MB).',
      )
    })
  }

  test('is told if it ends its own process, or fails later', async () => {
    await files.put('exit.model.ts', 'process.exit(7)')
    await files.put('late.model.ts', `${notes()}\nsetTimeout(() => { throw new Error('late') }, 1)`)
    const ask = files.desk(['exit.model.ts', 'late.model.ts'], { limits })
    const [exited] = (await loaded(ask)).files
    expect(exited?.error?.message).toContain('ended its own process with exit code 7')
  })

  test('is stopped if it loops when it is asked, and is there again for the next question', async () => {
    const loop = '{ get() { for (;;) {} } }'
    const looping = `Object.defineProperties(notes, { description: { value: notes.description }, resolved: ${loop}, definitions: ${loop} })`
    await files.put('notes.model.ts', `${notes()}\n${looping}`)
    const ask = files.desk(['notes.model.ts'], { limits })
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
    await files.put(
      'notes.model.ts',
      `${notes()}\nif (process.env.HASHRANGE_STORE !== undefined) throw new Error('told')`,
    )
    expect((await loaded(files.desk(['notes.model.ts']))).files[0]?.error).toBeNull()
    delete process.env['HASHRANGE_STORE']
  })

  test('goes when the server goes, even while it loops', async () => {
    const pidFile = join(files.path, 'pid')
    await files.put(
      'loop.model.ts',
      `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); for (;;) {}`,
    )
    const child = fileURLToPath(new URL('../../../dist/model-process.js', import.meta.url))
    const server = spawn(process.execPath, [
      '-e',
      `require('node:child_process').fork(${JSON.stringify(child)}, ['1000000000'], { execArgv: [] })
        .send({ id: 0, question: { kind: 'load', path: ${JSON.stringify(join(files.path, 'loop.model.ts'))} } })`,
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
