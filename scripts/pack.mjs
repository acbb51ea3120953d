// `npm run pack`: makes the two packages that users install, in packed/. `@hashrange/model` is light enough for a function; `hashrange` has
// everything else in it, so that there is one version of one thing to install. The packages of this repository are how it is built, and are
// not published.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { copyTypes } from './copy-types.mjs'
import { entriesOf } from './entries-of.mjs'
import { insidePackages } from './packages.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packed = join(root, 'packed')

rmSync(packed, { recursive: true, force: true })
await packModel(join(packed, 'model'))
await packHashrange(join(packed, 'hashrange'))
for (const name of ['model', 'hashrange']) pack(join(packed, name))

async function packModel(folder) {
  const source = join(root, 'packages', 'model')
  await bundle(source, folder)
  copyTexts(source, folder)
  writeManifest(folder, readManifest(source))
}

async function packHashrange(folder) {
  const source = join(root, 'packages', 'hashrange')
  const manifest = readManifest(source)
  await bundle(source, folder)
  cpSync(join(root, 'packages', 'workbench', 'dist', 'page'), join(folder, 'page'), { recursive: true })
  for (const part of ['bin', 'templates', 'hashrange.config.schema.json'])
    cpSync(join(source, part), join(folder, part), { recursive: true })
  copyTexts(source, folder)

  const dependencies = { ...manifest.dependencies }
  const peers = { ...manifest.peerDependencies }
  for (const name of insidePackages) {
    const one = readManifest(join(root, 'packages', name))
    Object.assign(dependencies, one.dependencies)
    Object.assign(peers, one.peerDependencies)
  }
  for (const name of Object.keys(dependencies)) {
    if (isInside(name) || name === '@hashrange/workbench') delete dependencies[name]
  }
  writeManifest(folder, {
    ...manifest,
    dependencies: sorted(dependencies),
    peerDependencies: sorted(peers),
    // A server needs no SDK: those who ask for a client, or read from S3, bring theirs.
    peerDependenciesMeta: Object.fromEntries(Object.keys(sorted(peers)).map((name) => [name, { optional: true }])),
    files: [...manifest.files, 'page'],
  })
}

/** As modules, and once more for `require` in tools that have a way of their own to load modules, such as Jest. */
async function bundle(source, folder) {
  const entries = entriesOf(source)
  const { exports } = readManifest(source)
  const exported = Object.values(exports).flatMap(({ source: file }) =>
    file === undefined ? [] : join(source, file),
  )
  const options = {
    platform: 'node',
    resolve: { conditionNames: ['source', 'node', 'import'] },
    external: (id) => !isAbsolute(id) && !id.startsWith('.') && !isInside(id),
  }
  const modules = await rolldown({ ...options, input: entries })
  await modules.write({ dir: join(folder, 'dist'), format: 'esm', chunkFileNames: 'chunks/[name].js' })
  await modules.close()
  const required = Object.entries(entries).filter(([, file]) => exported.includes(file))
  const scripts = await rolldown({ ...options, input: Object.fromEntries(required) })
  await scripts.write({
    dir: join(folder, 'dist', 'require'),
    format: 'cjs',
    chunkFileNames: 'chunks/[name].js',
  })
  await scripts.close()
  writeFileSync(join(folder, 'dist', 'require', 'package.json'), '{ "type": "commonjs" }\n')
  for (const dist of [join(folder, 'dist'), join(folder, 'dist', 'require')]) {
    const declared = required.map(([entry]) => `${entry}.d.ts`)
    copyTypes({ root, name: basename(source), inside: insidePackages, entries: declared, dist })
  }
}

function isInside(id) {
  return insidePackages.some((name) => id === `@hashrange/${name}` || id.startsWith(`@hashrange/${name}/`))
}

function copyTexts(source, folder) {
  mkdirSync(folder, { recursive: true })
  for (const name of ['LICENSE', 'NOTICE'])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(folder, name))
  cpSync(join(source, 'README.md'), join(folder, 'README.md'))
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** What users have of it: no sources to fall back to, nothing that only our tests use, and nothing that only builds it. */
function writeManifest(folder, { exports, ...manifest }) {
  const published = Object.entries(exports).flatMap(([name, entry]) => {
    if (typeof entry === 'string') return [[name, entry]]
    if (entry.default === undefined) return []
    return [[name, { ...(entry.production && { production: waysTo(entry.production) }), ...waysTo(entry.default) }]]
  })
  const { types, default: main } = filesOf('require/index')
  // For resolutions that know no exports.
  const below = published.flatMap(([name, { require: files }]) =>
    name === '.' || files === undefined ? [] : [[posix.relative('.', name), [files.types]]],
  )
  const typesVersions = { '*': Object.fromEntries(below) }
  const whole = { ...manifest, main, types, typesVersions, exports: Object.fromEntries(published) }
  delete whole.devDependencies
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(whole, undefined, 2)}\n`)
}

function waysTo(file) {
  const place = file.replace(/^\.\/dist\//, '').replace(/\.js$/, '')
  return { import: filesOf(place), require: filesOf(`require/${place}`) }
}

function filesOf(place) {
  return { types: `./dist/${place}.d.ts`, default: `./dist/${place}.js` }
}

function sorted(entries) {
  return Object.fromEntries(Object.entries(entries).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function pack(folder) {
  const words = ['pack', '--pack-destination', packed, '--loglevel', 'error']
  const npmScript = process.env['npm_execpath']
  const { status } = npmScript?.endsWith('.js')
    ? spawnSync(process.execPath, [npmScript, ...words], { cwd: folder, stdio: 'inherit' })
    : spawnSync('npm', words, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(1)
}
