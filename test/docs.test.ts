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

for (const document of documents) {
  const blocks = runnableBlocks(readFileSync(join(root, document), 'utf8'))
  const scripts = blocks.filter(({ language }) => language === 'sh')
  const modules = blocks.filter(({ language }) => language === 'js')
  if (scripts.length > 0) describeScripts(document, scripts)
  if (modules.length > 0) {
    describe(`The JavaScript of ${document}`, () => {
      test.each(modules)('line $line prints what it says', (block) => runModule(block))
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

/** A module says in comments what it prints. */
async function runModule({ text }: CodeBlock): Promise<void> {
  const folder = projectFolder()
  writeFileSync(join(folder, 'example.mjs'), text)
  const { code, stdout, stderr } = await run(process.execPath, ['--no-warnings', 'example.mjs'], '', folder)
  const said = [...text.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, comment]) => comment)
  expect({ code, stderr, printed: stdout.trim() }).toEqual({ code: 0, stderr: '', printed: said.join('\n') })
}

/** A folder in which the packages are installed. */
function projectFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-docs-'))
  folders.push(folder)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return folder
}
