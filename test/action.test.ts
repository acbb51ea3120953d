import {
  mkdtempSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  existsSync,
  readdirSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from './support/programs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let folder: string

const git = (...words: string[]) =>
  run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false', ...words], '', folder)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-action-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(folder, 'src'))
  await git('init', '-q')
  const model = readFileSync(join(root, 'packages/hashrange/templates/leaderboard/leaderboard.model.ts'), 'utf8')
  writeFileSync(join(folder, 'src/scores.model.ts'), model)
  await git('add', 'src')
  await git('commit', '-qm', 'before')
  writeFileSync(join(folder, 'src/scores.model.ts'), model.replace('rate: 200', 'rate: 2000'))
  await git('commit', '-qam', 'after')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function review(base: string) {
  rmSync(join(folder, 'summary.md'), { force: true })
  const script = `BASE='${base}' MODELS='*.model.ts' GITHUB_STEP_SUMMARY=summary.md GITHUB_OUTPUT=output node '${root}/action/review-models.mjs'`
  const { code, stdout, stderr } = await run('sh', ['-c', script], '', folder)
  return { code, said: stdout + stderr, summary: readFileSync(join(folder, 'summary.md'), 'utf8') }
}

test('the action reviews the models that have changed, and compares their cost', async () => {
  const { code, said, summary } = await review('HEAD~1')
  expect(code, said).toBe(0)
  expect(summary).toContain('### What src/scores.model.ts costs')
  expect(summary).toMatch(/\+ ?\$\d|\$\d.*→/)
  expect(existsSync(join(folder, 'hashrange-findings.sarif'))).toBe(true)
  expect(readdirSync(join(folder, 'src'))).toEqual(['scores.model.ts'])
})

test('nothing is reviewed where no model has changed', async () => {
  expect((await review('HEAD')).summary).toContain('No model has changed.')
})
