import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { needsAwsCli, run } from './support/programs.ts'
import { describeIf, type Requirement } from './support/requirement.ts'
import { runnableBlocks, type CodeBlock } from './support/runnable-blocks.ts'
import { servedDatabase } from './support/targets.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((path) =>
  path.endsWith('.md'),
)
const folders: string[] = []

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** The examples in JavaScript, in the order of the documents. */
const modules: CodeBlock[] = []

for (const document of documents) {
  const blocks = runnableBlocks(readFileSync(join(root, document), 'utf8'))
  const scripts = blocks.filter(({ language }) => language === 'sh')
  const modulesHere = blocks.filter(({ language }) => language === 'js')
  if (scripts.length > 0) describeScripts(document, scripts)
  if (modulesHere.length > 0) {
    modules.push(...modulesHere)
    describe(`The JavaScript of ${document}`, () => {
      test.each(modulesHere)('line $line prints what it says', async (block) => {
        const said = [...block.text.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, comment]) => comment)
        const { code, printed, complained } = await (ran ??= runModules())
        const place = modules.indexOf(block)
        expect({ printed: printed[place], complained: complained[place] }).toEqual({
          printed: said.join('\n'),
          complained: '',
        })
        expect(code).toBe(0)
      })
    })
  }
}

test('documents have examples that run', () => {
  const examples = documents.flatMap((document) => runnableBlocks(readFileSync(join(root, document), 'utf8')))
  expect(examples.length).toBeGreaterThan(10)
})

/** The commands of one document are typed one after the other: in one shell, in one folder, at one server. */
function describeScripts(document: string, blocks: readonly CodeBlock[]): void {
  const anything: Requirement = { met: true, reason: '' }
  const usesAws = blocks.some(({ text }) => /\baws /.test(text))
  describeIf(usesAws ? needsAwsCli : anything, `The commands of ${document}`, () => {
    const { endpoint } = servedDatabase()

    test(`lines ${blocks.map(({ line }) => line).join(', ')} succeed`, async () => {
      const folder = projectFolder()
      const typed = blocks.map(({ text }) => text.replaceAll('http://127.0.0.1:8000', endpoint())).join('\n')
      const { code, stdout, stderr } = await run('sh', ['-eux', '-c', `${preludeOf(folder)}\n${typed}`], '', folder)
      expect(code, stdout + stderr).toBe(0)
    })
  })
}

/** `npx` would look further than here. */
function preludeOf(folder: string): string {
  return [`PATH="${folder}/node_modules/.bin:$PATH"`, 'npx() { command "$@"; }'].join('\n')
}

/** Stands before what each module prints. */
const mark = '\u0001'

const runsEach = `
for (const folder of process.argv.slice(2)) {
  for (const stream of [process.stdout, process.stderr]) stream.write('${mark}')
  process.chdir(folder)
  await import('file://' + folder + '/example.mjs')
}`

let ran: ReturnType<typeof runModules> | undefined

/** Runs one module after the other, each in a folder of its own, in a process that must come to its end by itself. One for each
 *  would spend most of its time on loading the packages. */
async function runModules(): Promise<{
  readonly code: number | null
  readonly printed: readonly string[]
  readonly complained: readonly string[]
}> {
  const targets = modules.map(({ text }) => {
    const folder = projectFolder()
    writeFileSync(join(folder, 'example.mjs'), text)
    return folder
  })
  const main = join(projectFolder(), 'run-each.mjs')
  writeFileSync(main, runsEach)
  const { code, stdout, stderr } = await run(process.execPath, ['--no-warnings', main, ...targets])
  const parts = (text: string): string[] =>
    text
      .split(mark)
      .slice(1)
      .map((part) => part.trim())
  return { code, printed: parts(stdout), complained: parts(stderr) }
}

/** A folder in which the packages are installed. */
function projectFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-docs-'))
  folders.push(folder)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return folder
}
