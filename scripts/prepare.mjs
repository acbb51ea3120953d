// Runs in `npm start` (for the product alone: `prepare.mjs product`; for an image, without what builds it: `prepare.mjs image`), before `npm test`,
// and is `npm run build`: installs and builds what is missing or out of date, and is silent and quick when nothing is. Plain Node, because it must
// run before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const installStamp = join(root, 'node_modules', '.hashrange-install')
/** A start needs the product alone: types that do not check, and tests and benchmarks that do not build, must not keep it from running. */
const productOnly = ['product', 'start', 'image'].includes(process.argv[2])
const pageFolder = 'packages/workbench'
const [majorVersion] = process.versions.node.split('.', 1)

if (Number(majorVersion) < 20) fail(`hashrange needs Node 20 or newer; this is ${process.version}.`)
const lockHash = hashOf(readFileSync(join(root, 'package-lock.json')))
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const packages = workspaces.filter((folder) => folder.startsWith('packages/'))
await install()
if (!productOnly) await compile()
await bundle()
// A server starts without the rest, and then makes it: scripts/start.mjs.
if (process.argv[2] !== 'start') await buildRest()
if (process.argv[2] === 'image') await prune()

/** The page of the workbench and, of the product alone, its types. While a server runs, nothing is printed unless it fails. */
export async function buildRest(beside = false) {
  await Promise.all([buildPage(beside), ...(productOnly ? [declare(beside)] : [])])
}

async function install() {
  const productHash = `product ${lockHash}`
  const installed = readStamp(installStamp)
  if (installed === lockHash || (productOnly && installed === productHash)) return
  if (installed === productHash || !isInstalledByHand()) {
    console.log(
      productOnly ? 'Installing dependencies ...' : 'Installing dependencies, with those of the tests ...',
    )
    // The tests bring browsers and databases, which a server does not need.
    const words = productOnly ? wordsOfProduct() : []
    // `npm ci` insists on an entry for every platform's optional binaries (scripts/complete-lock.mjs): what it says where one is missing would
    // only alarm, and `npm install` does the same from the same lock file.
    if (!(await npm(['ci', ...words], 'ignore')) && !(await npm(['install', ...words], 'inherit'))) {
      fail('The dependencies could not be installed; npm says why above. Then try again, or run: npm install')
    }
    writeFileSync(installStamp, productOnly ? productHash : lockHash)
  } else writeFileSync(installStamp, lockHash)
}

/** Leaves behind what only builds it. Of the whole workspace, `npm prune` would first install what is missing of the tests. */
async function prune() {
  if (!(await npm(['prune', '--omit=dev', ...wordsOfProduct()], 'inherit')))
    fail('What is not needed any more could not be removed; npm says why above.')
}

function wordsOfProduct() {
  return ['--include-workspace-root', ...packages.flatMap((folder) => ['-w', folder])]
}

/** npm notes what it installed in a lock file of its own; one that is newer than ours is of an `npm install`. */
function isInstalledByHand() {
  const hiddenLock = join(root, 'node_modules', '.package-lock.json')
  return existsSync(hiddenLock) && statSync(hiddenLock).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

function npm(command, stdio) {
  const words = [...command, '--no-audit', '--no-fund']
  const npmScript = process.env['npm_execpath']
  return npmScript?.endsWith('.js')
    ? run(process.execPath, [npmScript, ...words], { cwd: root, stdio })
    : run('npm', words, { cwd: root, stdio, shell: process.platform === 'win32' })
}

/** Checks all types, and builds the tests and the benchmark. */
function compile() {
  return make({
    name: 'types (tsc -b)',
    stamp: '.hashrange-compiled',
    sources: workspaces,
    isThere: workspaces.every((folder) => existsSync(join(root, folder, 'dist', '.tsbuildinfo'))),
    tool: join('typescript', 'bin', 'tsc'),
    words: ['-b'],
  })
}

/** The types of what programs import. A server runs without them, so nothing is said if they cannot be made. */
function declare(beside) {
  return make({
    beside,
    name: 'the types of the packages (tsc -b)',
    stamp: '.hashrange-declared',
    sources: packages,
    isThere: packages.every(
      (folder) => folder === pageFolder || existsSync(join(root, folder, 'dist', 'index.d.ts')),
    ),
    tool: join('typescript', 'bin', 'tsc'),
    words: ['-b', 'packages/hashrange'],
    mayFail: true,
  })
}

/** The code of the packages, from their sources. */
function bundle() {
  const code = packages.filter((folder) => folder !== pageFolder)
  return make({
    name: 'the packages (rolldown)',
    stamp: '.hashrange-bundled',
    sources: [...code, 'scripts'],
    isThere: code.every((folder) => existsSync(join(root, folder, 'dist', 'index.js'))),
    tool: join('..', 'scripts', 'bundle.mjs'),
    words: [],
  })
}

/** The workbench's page, from the sources of its own package and of those that it imports. */
function buildPage(beside) {
  return make({
    beside,
    name: 'the workbench (vite build)',
    stamp: '.hashrange-page',
    sources: [pageFolder, 'packages/core', 'packages/model'],
    isThere: existsSync(join(root, pageFolder, 'dist', 'page', 'index.html')),
    tool: join('vite', 'bin', 'vite.js'),
    words: ['build', '--logLevel', 'warn', '--outDir', 'dist/page-next'],
    folder: pageFolder,
    // A server may be asked for the page meanwhile: it has the whole one, or none.
    finish: () => {
      const built = join(root, pageFolder, 'dist')
      rmSync(join(built, 'page'), { recursive: true, force: true })
      renameSync(join(built, 'page-next'), join(built, 'page'))
    },
  })
}

/** Runs a tool, unless what it makes is there and its sources are as they were. */
async function make({
  name,
  stamp,
  sources,
  isThere,
  tool,
  words,
  folder = '.',
  finish = () => {},
  mayFail = false,
  beside = false,
}) {
  const stampFile = join(root, 'node_modules', stamp)
  const fingerprint = fingerprintOf(sources)
  if (isThere && readStamp(stampFile) === fingerprint) return
  if (!beside) console.log(`Building ${name} ...`)
  const script = join(root, 'node_modules', tool)
  if (!existsSync(script)) fail('The tools that build it are not installed. Run: npm install')
  // Half a build must not be taken for a whole one.
  rmSync(stampFile, { force: true })
  const options = { cwd: join(root, folder), stdio: mayFail || beside ? 'ignore' : 'inherit' }
  const succeeded = await (beside ? runBeside : run)(process.execPath, [script, ...words], options)
  if (!succeeded && beside && !mayFail) return console.error(`${name} failed. To see why, run: npm run build`)
  if (!succeeded && !mayFail) fail('That failed; the lines above say why.')
  finish()
  writeFileSync(stampFile, fingerprint)
}

/** Beside a server, which decides itself when it ends. */
function runBeside(program, words, options) {
  return new Promise((resolve) => {
    const child = spawn(program, words, options)
    const end = () => child.kill()
    process.once('exit', end)
    child.once('error', () => resolve(false))
    child.once('close', (status) => {
      process.off('exit', end)
      resolve(status === 0)
    })
  })
}

/** Tells whether the program succeeded. Whoever ends this process meanwhile ends the program first. */
function run(program, words, options) {
  return new Promise((resolve) => {
    const child = spawn(program, words, options)
    const stop = (signal) => {
      child.once('close', () => process.exit(1))
      child.kill(signal)
    }
    const signals = ['SIGHUP', 'SIGINT', 'SIGTERM']
    const settle = (succeeded) => {
      for (const signal of signals) process.off(signal, stop)
      resolve(succeeded)
    }
    for (const signal of signals) process.once(signal, stop)
    child.once('error', () => settle(false))
    child.once('close', (status) => settle(status === 0))
  })
}

/** Changes when a source is added, changed or removed, or another compiler is installed. */
function fingerprintOf(folders) {
  const lines = [lockHash]
  for (const name of readdirSync(root)) {
    if (/^tsconfig.*\.json$/.test(name)) lines.push(stateOf(join(root, name)))
  }
  for (const folder of folders) listSources(join(root, folder), lines)
  return hashOf(lines.join('\n'))
}

function listSources(folder, lines) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) listSources(path, lines)
    else if (/\.(ts|tsx|json|css|html|svg|js|mjs)$/.test(entry.name)) lines.push(stateOf(path))
  }
}

function stateOf(path) {
  const { mtimeMs, size } = statSync(path)
  return `${path} ${mtimeMs} ${size}`
}

function hashOf(content) {
  return createHash('sha256').update(content).digest('hex')
}

function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
