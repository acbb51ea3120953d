import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from './support/programs.ts'
import { servedDatabase } from './support/targets.ts'
import { applyDiff, shownPattern, tutorialSteps, type TutorialStep } from './support/tutorial-steps.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const steps = tutorialSteps(readFileSync(join(root, 'docs/tutorial.md'), 'utf8'))
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-tutorial-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  mkdirSync(join(folder, 'clone'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// One after the other, as a newcomer does: a step that fails lets those after it fail.
describe('The tutorial', () => {
  const { endpoint } = servedDatabase()
  let place = ''

  test.each(steps)('line $line: $kind', async (step) => {
    place = await follow(step, place === '' ? join(folder, 'clone') : place, endpoint())
  })

  test('goes all the way', () => {
    const scripts = steps.flatMap((step) => (step.kind === 'run' ? [step.script] : [])).join('\n')
    for (const command of ['init', 'check', 'cost', 'generate', 'plan', 'migrate'])
      expect(scripts).toContain(`npx hashrange ${command}`)
    expect(steps.map(({ kind }) => kind)).toContain('write')
  })
})

/** The endpoint that the tutorial shows. */
const shown = 'http://127.0.0.1:8000'

/** Answers the folder in which the next step is taken. */
async function follow(step: TutorialStep, place: string, endpoint: string): Promise<string> {
  if (step.kind === 'run') return runStep({ ...step, script: step.script.replaceAll(shown, endpoint) }, place)
  const path = join(place, step.file)
  if (step.kind === 'edit') writeFileSync(path, applyDiff(readFileSync(path, 'utf8'), step.diff))
  else writeFileSync(path, step.text.replaceAll(shown, endpoint))
  return place
}

async function runStep(step: Extract<TutorialStep, { kind: 'run' }>, place: string): Promise<string> {
  const placeFile = join(folder, 'place')
  const script = [
    `PATH="${folder}/node_modules/.bin:$PATH"`,
    'NO_COLOR=1',
    'export PATH NO_COLOR',
    // `npx` would look further than here, and what is to be installed is there.
    'npx() { command "$@"; }',
    'npm() { :; }',
    step.script,
    `pwd > '${placeFile}'`,
  ]
  const { code, stdout, stderr } = await run('sh', ['-eu', '-c', script.join('\n')], '', place)
  expect(code === 0, stdout + stderr).toBe(!step.fails)
  expect(stdout).toMatch(shownPattern(step.shows))
  return step.fails ? place : readFileSync(placeFile, 'utf8').trim()
}
