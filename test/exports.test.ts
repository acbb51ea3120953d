import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { SourceFile } from './support/architecture.ts'
import { unusedExports, type ExportRules } from './support/unused-exports.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = readdirSync(join(root, 'packages'))
const sources = [...packages.map((name) => `packages/${name}`), 'test', 'bench', 'examples']
  .flatMap(sourcesIn)
  .concat(sourceOf('vitest.config.ts'))
const entries = new Map(packages.flatMap(entriesOf))

/** Files that vitest.config.ts names. */
const loadedByVitest = [
  'citus-setup',
  'leave-no-trace',
  'postgres-setup',
  'postgres-store',
  'report',
  'seeded-fast-check',
].map((name) => `test/support/${name}.ts`)

const rules: ExportRules = {
  entries,
  // The packages that people import. The others are parts of these.
  isPublic: (path) =>
    [...entries].some(([entry, file]) => file === path && /^(hashrange|@hashrange\/model)(\/|$)/.test(entry)),
  isStarted: (path) =>
    /(\.test|\.config|\.model|\/main|-process)\.tsx?$/.test(path) || loadedByVitest.includes(path),
}

test('every export is imported somewhere', () => expect(unusedExports(sources, rules)).toEqual([]))

describe('the check finds', () => {
  const path = 'packages/core/src/a.ts'
  const importer = source('test/planted.test.ts', "import { used } from '../packages/core/src/a.ts'")
  const planted = (text: string) => unusedExports([source(path, `export const used = 1\n${text}`), importer], rules)

  const offences: Record<string, string> = {
    'a function': 'export function planted() {}',
    'a value that only its own file uses': 'export const planted = 1\nconst more = planted',
    'a type that nothing names': 'export interface planted {}',
    'another name for something': 'export { used as planted }',
    'what comes from another file': "export { reservedWords as planted } from './expressions/reserved-words.ts'",
  }
  for (const [offence, text] of Object.entries(offences)) {
    test(offence, () => expect(planted(text)).toEqual([`${path} exports planted, which nobody imports`]))
  }

  test('a file that nobody imports', () =>
    expect(unusedExports([source(path, 'export const a = 1')], rules)).toEqual([`${path} is imported nowhere`]))

  test('what the index of a package offers in vain', () => {
    const index = source('packages/core/src/index.ts', "export * from './b.ts'\nexport const planted = 1")
    const handedOn = source('packages/core/src/b.ts', 'export const b = 1')
    const other = source('packages/server/src/main.ts', "import { b } from '@hashrange/core'")
    expect(unusedExports([index, handedOn, other], rules)).toEqual([
      'packages/core/src/index.ts exports planted, which nobody imports',
    ])
  })

  test('nothing where all is used', () => {
    expect(planted('export interface Options {}\nexport function f(options: Options) {}\nf({})')).toHaveLength(1)
    expect(planted('export interface Options {}\nfunction f(options: Options) {}\nf({})')).toEqual([])
    const late = source('packages/core/src/main.ts', "const { late } = await import('./late.ts')")
    expect(unusedExports([late, source('packages/core/src/late.ts', 'export const late = 1')], rules)).toEqual([])
  })
})

function source(path: string, text: string): SourceFile {
  return { path, text }
}

function sourcesIn(folder: string): SourceFile[] {
  return (
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.split(sep).join('/')}`)
      // Other tests make hidden folders for a while.
      .filter(
        (path) => /\.tsx?$/.test(path) && !/\/(node_modules|dist|\.[^/]+)\//.test(path) && !path.endsWith('.d.ts'),
      )
      .map(sourceOf)
  )
}

function sourceOf(path: string): SourceFile {
  return { path, text: readFileSync(join(root, path), 'utf8') }
}

/** What `exports` of a package says: which file a specifier means. */
function entriesOf(name: string): [string, string][] {
  const { name: specifier, exports = {} } = JSON.parse(
    readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
  ) as { readonly name: string; readonly exports?: Readonly<Record<string, string | { readonly source: string }>> }
  return Object.entries(exports).flatMap(([path, entry]) =>
    typeof entry === 'string' ? [] : [[specifier + path.slice(1), `packages/${name}/${entry.source.slice(2)}`]],
  )
}
