// `node scripts/try-dockerfile.mjs`: carries out every step of the Dockerfile on this machine, in folders that stand for the stages of the
// build, and tries what it makes: the command, the check of its health, the signal that stops it. For machines without Docker; with Docker,
// `docker build .` does the same. A step that this script does not know is an error, so that it cannot fall behind.
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hashrange-dockerfile-')))
/** The file systems of the stages, by their names; the last is the image. */
const stages = new Map()
let stage
const image = { environment: {}, user: 'root', ports: [], volumes: [], health: '', entrypoint: [], command: [] }

try {
  for (const step of stepsOf(readFileSync(join(root, 'Dockerfile'), 'utf8'))) {
    console.log(`${step.word} ${step.rest.length > 100 ? `${step.rest.slice(0, 100)} …` : step.rest}`)
    carryOut(step)
  }
  await tryImage()
  console.log('Every step of the Dockerfile was carried out, and what it makes works.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function stepsOf(text) {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => ({ word: line.split(' ', 1)[0], rest: line.slice(line.indexOf(' ') + 1) }))
}

function carryOut({ word, rest }) {
  if (word === 'FROM') return begin(rest)
  if (word === 'WORKDIR') return void (stage.folder = inside(rest))
  if (word === 'COPY') return copy(rest)
  if (word === 'RUN') return runStep(rest)
  if (word === 'ENV')
    return void Object.assign(image.environment, Object.fromEntries(rest.split(' ').map((pair) => pair.split('='))))
  if (word === 'USER') return void (image.user = rest)
  if (word === 'VOLUME') return void image.volumes.push(rest)
  if (word === 'EXPOSE') return void image.ports.push(Number(rest))
  if (word === 'HEALTHCHECK') return void (image.health = rest.slice(rest.indexOf('CMD ') + 4))
  if (word === 'ENTRYPOINT') return void (image.entrypoint = JSON.parse(rest))
  if (word === 'CMD') return void (image.command = JSON.parse(rest))
  fail(`This script does not know the step ${word}. Teach it, in ${fileURLToPath(import.meta.url)}.`)
}

function begin(rest) {
  const [, major, name = 'image'] =
    /^node:(\d+)-\S+(?: AS (\S+))?$/.exec(rest) ?? fail(`FROM ${rest} is not an image of Node.js.`)
  const [ours] = process.versions.node.split('.', 1)
  if (ours !== major) console.log(`  (the image has Node.js ${major}; this is ${ours})`)
  stage = { root: join(folder, name), folder: '' }
  mkdirSync(join(stage.root, 'usr/local/bin'), { recursive: true })
  stage.folder = stage.root
  stages.set(name, stage)
}

function copy(rest) {
  const [, from, source, target] =
    /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? fail(`COPY ${rest} is not understood.`)
  if (from !== undefined) {
    cpSync(join(stages.get(from).root, source), inside(target), { recursive: true, verbatimSymlinks: true })
    return
  }
  // The files of the repository are what a clone has; .dockerignore leaves out what a build makes.
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (listed.status !== 0) fail('This is not a clone: git does not list its files.')
  for (const path of listed.stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name))))
    cpSync(join(root, path), join(stage.folder, path))
}

/** Paths of the image are paths below the folder that stands for it. Owners are left as they are: the users of the image are not here. */
function runStep(rest) {
  for (const command of rest.split(' && ')) {
    const link = /^ln -s (\S+) (\S+)$/.exec(command)
    if (link !== null) symlinkSync(inside(link[1]), inside(link[2]))
    else if (command.startsWith('mkdir ')) mkdirSync(inside(command.slice('mkdir '.length)))
    else if (command.startsWith('chown ')) inside(command.split(' ').at(-1))
    else {
      const { status } = spawnSync('sh', ['-c', command], {
        cwd: stage.folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      if (status !== 0) fail(`RUN ${command} ended with ${status}.`)
    }
  }
}

function inside(path) {
  return path.startsWith('/') ? join(stage.root, path) : join(stage.folder, path)
}

async function tryImage() {
  const port = await freePort()
  if (!image.ports.includes(Number(image.environment.HASHRANGE_PORT)))
    fail('The port of the server is not exposed.')
  if (!image.volumes.includes(image.environment.HASHRANGE_PATH)) fail('The data folder is not a volume.')
  if (image.user === 'root') fail('The server runs as root.')
  const settings = {
    ...process.env,
    ...image.environment,
    HASHRANGE_PORT: String(port),
    HASHRANGE_PATH: inside(image.environment.HASHRANGE_PATH),
  }
  const words = [...image.entrypoint.map((word) => (word.startsWith('/') ? inside(word) : word)), ...image.command]
  const start = (more) => spawn(words[0], words.slice(1), { env: { ...settings, ...more }, stdio: 'pipe' })

  const open = start({})
  const why = await textOf(open)
  if ((await endOf(open)) === 0 || !why().includes('--auth'))
    fail('A server that all can reach starts without --auth.')

  const server = start({ HASHRANGE_INSECURE: '1' })
  const said = await textOf(server)
  const until = Date.now() + 30_000
  while (!isHealthy(settings)) {
    if (Date.now() > until || server.exitCode !== null)
      fail(`The server does not become healthy. It said:\n${said()}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  server.kill('SIGTERM')
  const code = await endOf(server)
  if (code !== 0) fail(`After SIGTERM, the server ended with ${code}. It said:\n${said()}`)
  if (isHealthy(settings)) fail('A server that has ended is healthy.')
  const linked = spawnSync(join(stage.root, 'usr/local/bin/hashrange'), ['--version'], { encoding: 'utf8' })
  if (linked.status !== 0) fail(`hashrange --version ended with ${linked.status}: ${linked.stderr}`)
  const compiler = join(stage.root, 'opt/hashrange/node_modules/typescript')
  if (existsSync(compiler)) fail('The compiler is in the image.')
  const used = spawnSync('du', ['-sm', join(stage.root, 'opt/hashrange')], { encoding: 'utf8' })
  console.log(`The image has ${used.stdout.split('\t', 1)[0]} MB besides Node.js.`)
}

function isHealthy(settings) {
  return spawnSync('sh', ['-c', image.health], { env: settings }).status === 0
}

async function textOf(child) {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  return () => text
}

function endOf(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode)
    else child.once('close', resolve)
  })
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function fail(sentence) {
  throw new Error(sentence)
}
