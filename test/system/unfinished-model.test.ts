import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { hashrangeMain } from '../support/hashrange-main.ts'

test.each([
  ['await new Promise(() => {})', 'endless.model.ts does not finish loading'],
  ['process.exit(0)', 'endless.model.ts ended the process with exit code 0'],
])('a model file whose code is %s is reported', async (code, sentence) => {
  const folder = await mkdtemp(join(tmpdir(), 'hashrange-unfinished-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'endless.model.ts')
  await writeFile(file, `${code}\nexport default 1\n`)
  const child = spawn(process.execPath, [hashrangeMain, 'check', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [printed, status] = await Promise.all([
    text(child.stderr),
    new Promise((resolve) => {
      child.once('close', resolve)
    }),
  ])
  expect(printed).toContain(sentence)
  expect(status).toBe(2)
})
