// What the GitHub action does; it also runs anywhere else: BASE=main node review-models.mjs
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const { BASE = '', MODELS = '*.model.ts', STRICT = 'false', REGION = 'us-east-1' } = process.env
const findings = 'hashrange-findings.sarif'
const summary = []
let exitCode = 0

const models = changedModels()
if (models.length === 0) {
  summary.push('No model has changed.')
} else {
  review(models)
}
const text = `## DynamoDB models\n\n${summary.join('\n\n')}\n`
console.log(text)
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, text)
if (process.env.GITHUB_OUTPUT && existsSync(findings))
  appendFileSync(process.env.GITHUB_OUTPUT, `findings=${findings}\n`)
process.exitCode = exitCode

/** Without a commit to compare with, such as for a new branch, all models are reviewed. */
function changedModels() {
  const isKnown = /[^0]/.test(BASE) && run('git', ['cat-file', '-e', `${BASE}^{commit}`]).status === 0
  const listed = isKnown
    ? git('diff', '--name-only', '--diff-filter=d', '-z', `${BASE}...HEAD`, '--', MODELS)
    : git('ls-files', '-z', '--', MODELS)
  return listed.split('\0').filter((file) => file !== '')
}

function review(files) {
  const strict = STRICT === 'true' ? ['--strict'] : []
  const checked = hashrange('check', ...files, '--markdown', '--sarif', findings, ...strict)
  if (checked.status !== 0) exitCode = 1
  summary.push(checked.stdout.trim() || `\`hashrange check\` failed:\n\n${fenced(checked.stderr)}`)
  for (const file of files) summary.push(`### What ${file} costs\n\n${fenced(costOf(file))}`)
}

/** The former version is put beside the present one, so that its imports are found. */
function costOf(file) {
  const before = run('git', ['show', `${BASE}:${file}`])
  const former = join(dirname(file), `.before-${basename(file)}`)
  try {
    if (before.status === 0) writeFileSync(former, before.stdout)
    const words = before.status === 0 ? [former, '--compare', file] : [file]
    const { status, stdout, stderr } = hashrange('cost', ...words, '--region', REGION)
    return status === 0 ? stdout : `${stdout}${stderr}`
  } finally {
    rmSync(former, { force: true })
  }
}

function hashrange(...words) {
  return run('npx', ['--no-install', 'hashrange', ...words])
}

function git(...words) {
  const { status, stdout, stderr } = run('git', words)
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
  return stdout
}

function run(program, words) {
  // `npx` is a script on Windows, which only a shell starts; everywhere else, words stay what they are.
  return spawnSync(program, words, { encoding: 'utf8', maxBuffer: 2 ** 26, shell: process.platform === 'win32' })
}

function fenced(content) {
  return `\`\`\`\n${content.trim()}\n\`\`\``
}
