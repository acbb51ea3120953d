import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeIf } from './support/requirement.ts'
import { runnerSnippets, testRunners } from './support/test-runners.ts'

/** A project that has installed what `npm run pack` makes, and what it says that it needs: nothing else of this repository can be found there. */
const root = fileURLToPath(new URL('../', import.meta.url))
const project = mkdtempSync(join(tmpdir(), 'hashrange-packed-'))
const run = promisify(execFile)
const { version } = JSON.parse(readFileSync(join(root, 'packages', 'hashrange', 'package.json'), 'utf8')) as {
  readonly version: string
}
const snippets = runnerSnippets(readFileSync(join(root, 'docs', 'test-runners.md'), 'utf8'))

beforeAll(async () => {
  await run(process.execPath, [join(root, 'scripts', 'pack.mjs')], { cwd: root })
  for (const name of ['hashrange', '@hashrange/model']) install(name)
  // The SDK is the user's own.
  link('@aws-sdk/client-dynamodb')
}, 120_000)

afterAll(() => rmSync(project, { recursive: true, force: true }))

/** From the folder that was packed, with only the files that the tarball has. */
function install(name: string): void {
  const source = join(root, 'packed', name.replace('@hashrange/', ''))
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>
    readonly files: readonly string[]
  }
  const target = join(project, 'node_modules', name)
  for (const part of [...manifest.files.filter((file) => !file.startsWith('!')), 'package.json'])
    cpSync(join(source, part), join(target, part), { recursive: true })
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    if (!dependency.startsWith('@hashrange/')) link(dependency)
  }
}

function link(name: string): void {
  const place = join(project, 'node_modules', name)
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), place, 'junction')
}

async function runFile(name: string, text: string): Promise<string> {
  writeFileSync(join(project, name), text)
  const { stdout } = await run(process.execPath, [name], { cwd: project })
  return stdout.trim()
}

const putAndGet = `
  const db = await open()
  await db.client.send(new CreateTableCommand({ TableName: 'things', BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] }))
  await db.client.send(new PutItemCommand({ TableName: 'things', Item: { pk: { S: 'a' }, bytes: { B: new Uint8Array([1, 2]) } } }))
  const { Item } = await db.client.send(new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'a' } } }))
  await db.close()`
const commands = '{ CreateTableCommand, GetItemCommand, PutItemCommand }'

test.for(['hashrange', 'hashrange-model'])(
  'the tarball of %s has its texts, and nothing that only builds it',
  (name) => {
    const tarball = gunzipSync(readFileSync(join(root, 'packed', `${name}-${version}.tgz`))).toString('latin1')
    for (const text of ['package.json', 'README.md', 'LICENSE', 'NOTICE'])
      expect(tarball).toContain(`package/${text}\0`)
    expect(tarball).not.toMatch(/package\/[\w./-]+(\.map|\.tsbuildinfo|\.test\.(js|d\.ts)|\.tgz)\0/)
  },
)

test('a module imports it', async () => {
  const text = `import { open } from 'hashrange'
    import { testDatabase } from 'hashrange/testing'
    import { entity } from '@hashrange/model'
    import ${commands} from '@aws-sdk/client-dynamodb'
    ${putAndGet}
    console.log(Item.pk.S, Item.bytes.B.length, typeof testDatabase, typeof entity)`
  expect(await runFile('module.mjs', text)).toBe('a 2 function function')
})

test('a script requires it', async () => {
  const text = `const { open } = require('hashrange')
    const { testDatabase } = require('hashrange/testing')
    const { entity } = require('@hashrange/model')
    const ${commands} = require('@aws-sdk/client-dynamodb')
    async function main() { ${putAndGet}
      console.log(Item.pk.S, Item.bytes.B.length, typeof testDatabase, typeof entity) }
    main()`
  expect(await runFile('script.cjs', text)).toBe('a 2 function function')
})

/** The code of a function, as a bundler makes it for Lambda. */
async function bundled(name: string, conditionNames: readonly string[], more: readonly string[] = []) {
  const build = await rolldown({
    input: join(project, name),
    platform: 'node',
    resolve: { conditionNames: [...conditionNames, 'node', 'import'] },
    external: [/^@aws-sdk\//, ...more],
  })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  return output[0].code
}

test('a function that is bundled for production has less than 35 KB of it, and works', async () => {
  cpSync(join(root, 'examples', 'shop', 'shop.model.ts'), join(project, 'shop.model.ts'))
  writeFileSync(
    join(project, 'function.ts'),
    `import { connect, entity, model, s } from '@hashrange/model'
    import { shop } from './shop.model.ts'
    export const description = shop.description
    export const handler = async (client, customer) => {
      const db = connect(shop, client)
      await db.register(customer)
      const { item } = await db.customerByEmail({ email: customer.email })
      return item?.name
    }
    export const unsound = () => model({ name: 'things', entities: { Thing: entity('Thing', { id: s.string() }) }, patterns: () => ({}) })`,
  )
  const [small, whole, own] = await Promise.all([
    bundled('function.ts', ['production']),
    bundled('function.ts', []),
    bundled('function.ts', [], ['@hashrange/model']),
  ])
  expect(gzipSync(small).length - gzipSync(own).length).toBeLessThan(35 * 1024)
  expect(gzipSync(whole).length).toBeGreaterThan(gzipSync(small).length)

  const text = `import { open } from 'hashrange'
    import { createTableInputs } from '@hashrange/model/export'
    import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
    for (const file of ['./small.mjs', './whole.mjs']) {
      const { handler, description, unsound } = await import(file)
      const db = await open()
      for (const input of createTableInputs(description)) await db.client.send(new CreateTableCommand(input))
      console.log(await handler(db.client, { name: file, email: 'ada@example.com' }))
      try { unsound() } catch ({ code, message }) { console.log(code, message.split('(')[0].trim()) }
      await db.close()
    }`
  writeFileSync(join(project, 'small.mjs'), small)
  writeFileSync(join(project, 'whole.mjs'), whole)
  expect((await runFile('functions.mjs', text)).split('\n')).toEqual([
    './small.mjs',
    'INVALID_MODEL Thing is not valid. This bundle does not say why, because it was made for production. Load the model without a bundler, for example in a test.',
    './whole.mjs',
    'INVALID_MODEL Thing has no key. Add .key',
  ])
})

for (const { name, requirement, arrange, run: words } of testRunners(root)) {
  describeIf(requirement, `In ${name}`, () => {
    test('the snippet of docs/test-runners.md passes', async () => {
      const { file, text } = snippets.get(name) ?? { file: '', text: '' }
      const folder = join(project, 'in', name.replace(':', '-'))
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
      writeFileSync(join(folder, 'package.json'), '{ "name": "orders", "jest": {} }')
      symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction')
      arrange?.(folder)
      const [program = '', ...rest] = words(folder)
      const { stdout, stderr } = await run(program, rest, {
        cwd: folder,
        env: { ...process.env, NODE_OPTIONS: '' },
      })
      expect(stdout + stderr).toMatch(/\b1 pass|# pass 1|1 passed|1 passing/)
    })
  })
}

const ownTsc = join('node_modules', 'typescript', 'bin', 'tsc')
const olderTsc = join('test', 'runners', ownTsc)

test.for([
  ['nodenext', 'nodenext', ownTsc],
  ['bundler', 'esnext', ownTsc],
  // TypeScript 7 no longer has this one, but many projects do.
  ['node10', 'commonjs', olderTsc],
] as const)('its types are found by %s', async ([resolution, module, tsc], { skip }) => {
  skip(!existsSync(join(root, tsc)), 'an older TypeScript is not installed; run: npm install --prefix test/runners')
  const text = `import { open, type Database } from 'hashrange'
    import { testDatabase } from 'hashrange/testing'
    import { HashrangeContainer } from 'hashrange/testcontainers'
    import { entity, s } from '@hashrange/model'
    import { checkModel } from '@hashrange/model/check'
    export async function use(): Promise<void> {
      const db: Database = await open({ path: 'x' })
      // @ts-expect-error: a path is a string
      await open({ path: 1 })
      void [db.client.config, testDatabase, HashrangeContainer, checkModel, entity('User', { id: s.string() })]
    }`
  const name = module === 'commonjs' ? 'types.ts' : 'types.mts'
  writeFileSync(join(project, name), text)
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', module, '--moduleResolution', resolution]
  // One of them checks all that is declared; the others find it.
  if (resolution !== 'nodenext') flags.push('--skipLibCheck')
  const typeRoots = ['--typeRoots', join(root, 'node_modules', '@types'), '--types', 'node']
  await run(process.execPath, [join(root, tsc), ...flags, ...typeRoots, name], { cwd: project })
})

test('the command serves the database and the workbench, and checks a model', async () => {
  const command = join(project, 'node_modules', 'hashrange', 'bin', 'hashrange.js')
  const server = spawn(process.execPath, [command, 'start', '--memory', '--port', '0'], { cwd: project })
  try {
    const address = await addressOf(server)
    expect(await (await fetch(new URL('/health', address))).text()).toContain('healthy')
    const page = await fetch(new URL('/_workbench/', address))
    expect(page.headers.get('content-type')).toContain('text/html')
    await page.arrayBuffer()
  } finally {
    server.kill()
    await once(server, 'close')
  }
  await run(process.execPath, [command, 'init', 'music', '--dir', 'music'], { cwd: project })
  const check = [command, 'check', 'music.model.ts', '--items', '200']
  const { stdout } = await run(process.execPath, check, { cwd: join(project, 'music') })
  expect(stdout).toContain('pattern')
})

async function addressOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error('nothing is printed')
  for await (const line of createInterface({ input: server.stdout })) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (address !== undefined) return address
  }
  throw new Error('it ended before it was ready')
}
