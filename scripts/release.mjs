// `npm run release -- 0.2.0`: sets the version everywhere, dates the changelog, packs, commits and tags. Nothing is pushed or published: push
// the commit and the tag when you have looked at them, and the release workflow does the rest.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const version = process.argv[2]
if (!/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version ?? '')) fail('Name the version: npm run release -- 0.2.0')
if (output('git', 'status', '--porcelain') !== '')
  fail('There are changes that are not committed. Commit them first.')
const tag = `v${version}`
if (output('git', 'tag', '--list', tag) !== '') fail(`There is a tag ${tag} already.`)
// Before anything is changed: a clone that has only been started does not have it.
if (!existsSync(join(root, 'node_modules', 'prettier')))
  fail('The tools that a release needs are not installed. Run: npm run build')
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

for (const folder of workspaces) {
  edit(join(folder, 'package.json'), (text) => {
    const manifest = JSON.parse(text)
    manifest.version = version
    for (const kind of ['dependencies', 'devDependencies']) {
      for (const name of Object.keys(manifest[kind] ?? {})) {
        if (name === 'hashrange' || name.startsWith('@hashrange/')) manifest[kind][name] = version
      }
    }
    return `${JSON.stringify(manifest, undefined, 2)}\n`
  })
}
edit('CHANGELOG.md', (text) => {
  if (!text.includes('## Unreleased\n'))
    fail('CHANGELOG.md has no section "Unreleased": what is new in this version?')
  const day = new Date().toISOString().slice(0, 10)
  return text.replace('## Unreleased\n', `## ${version} (${day})\n`)
})
run('npm', 'install', '--package-lock-only', '--no-audit', '--no-fund')
run(
  'npx',
  'prettier',
  '--write',
  '--log-level',
  'warn',
  'package.json',
  '*/package.json',
  'packages/*/package.json',
)
run('npm', 'run', 'pack')
run('git', 'commit', '--quiet', '--all', '--message', `release ${version}`)
run('git', 'tag', '--annotate', tag, '--message', `hashrange ${version}`)
console.log(
  `\n${tag} is committed and tagged, and packed/ has its packages. Look at them, then: git push --follow-tags`,
)

function edit(path, change) {
  const whole = join(root, path)
  writeFileSync(whole, change(readFileSync(whole, 'utf8')))
}

function output(program, ...words) {
  return execFileSync(program, words, { cwd: root, encoding: 'utf8' }).trim()
}

function run(program, ...words) {
  execFileSync(program, words, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
