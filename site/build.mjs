// `npm run build` in this folder: the site of this checkout, in built/. With `-- --versions`, also that of every release, in a folder
// of its own. `-- --no-api` leaves the reference of the types out, which needs a build of the packages.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { Application } from 'typedoc'
import { checkAnchors, mendAnchors } from './anchors.mjs'
import { stage, writeDecisions } from './stage.mjs'

const site = dirname(fileURLToPath(import.meta.url))
const root = join(site, '..')
const flags = new Set(process.argv.slice(2))
const base = process.env['SITE_BASE'] ?? '/'
const target = join(site, 'staged')
const built = join(site, 'built')

const tags = flags.has('--versions') ? releases() : []
process.env['SITE_VERSIONS'] = tags.join(' ')
rmSync(built, { recursive: true, force: true })
await buildSite({ checkout: root, ref: 'main', version: 'next', base, outDir: built })
checkAnchors(built, base)
for (const tag of tags) await buildRelease(tag)

async function buildRelease(tag) {
  const checkout = join(mkdtempSync(join(tmpdir(), 'hashrange-site-')), tag)
  git('worktree', 'add', '--detach', '--quiet', checkout, tag)
  try {
    await buildSite({ checkout, ref: tag, version: tag, base: `${base}${tag}/`, outDir: join(built, tag) })
  } finally {
    git('worktree', 'remove', '--force', checkout)
    rmSync(dirname(checkout), { recursive: true, force: true })
  }
}

async function buildSite({ checkout, ref, version, base, outDir }) {
  stage({ root: checkout, target, ref })
  writeDecisions(target)
  if (!flags.has('--no-api')) await describeTypes(checkout)
  process.env['SITE_VERSION'] = version
  await build(site, { base, outDir })
}

/** From the types that users have, because these are what they see. */
async function describeTypes(checkout) {
  const types = join(checkout, 'packages', 'hashrange', 'dist', 'index.d.ts')
  if (checkout !== root || !existsSync(types))
    execFileSync(process.execPath, [join(checkout, 'scripts', 'prepare.mjs'), 'product'], { stdio: 'inherit' })
  const of = (name, ...files) => files.map((file) => join(checkout, 'packages', name, 'dist', `${file}.d.ts`))
  const parts = [
    'index',
    'check/index',
    'cost/index',
    'changes/index',
    'derived/index',
    'export/index',
    'import/index',
  ]
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    outputs: [{ name: 'markdown', path: join(target, 'api') }],
    entryPoints: [
      ...of('hashrange', 'index', 'testing/index', 'testcontainers/index'),
      ...of('model', ...parts, 'migration/index', 'plan/index', 'roles/index'),
    ].filter((file) => existsSync(file)),
    tsconfig: join(site, 'tsconfig.api.json'),
    basePath: join(checkout, 'packages'),
    name: 'API reference',
    readme: 'none',
    skipErrorChecking: true,
    excludeExternals: true,
    disableSources: true,
    hideBreadcrumbs: true,
    entryFileName: 'index.md',
    outputFileStrategy: 'modules',
    logLevel: 'Error',
  })
  const project = await app.convert()
  if (project === undefined) throw new Error('The types cannot be read.')
  for (const module of project.children ?? []) module.name = importName(module.name)
  await app.generateOutputs(project)
  mendAnchors(join(target, 'api'))
}

/** `hashrange/dist/testing/index` is imported as `hashrange/testing`. */
function importName(name) {
  const path = name.replace('/dist', '').replace(/\/index(\.d)?$/, '')
  return path.startsWith('model') ? `@hashrange/${path}` : path
}

function releases() {
  const names = git('tag', '--list', 'v*', '--sort=-version:refname').trim()
  return names === '' ? [] : names.split('\n')
}

function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' })
}
