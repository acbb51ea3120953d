import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a test file can come to through its imports, whether it does or not. */
export interface Reach {
  /** Sources of this workspace, from its root. */
  readonly sources: ReadonlySet<string>
  /** Everything else, as it is named. */
  readonly modules: ReadonlySet<string>
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Opens the store that the engine's tests are run on. */
const openTestStore = 'packages/engine/src/testing/open-test-store.ts'

/** Compute, and touch nothing outside: no file, no socket, no process, no clock that others share. */
const harmlessModules = /^(vitest|fast-check|node:(assert|buffer|crypto|path|string_decoder|url|util|zlib))$/

/** Tests that only compute. They need no process of their own. */
export function isPure({ modules }: Reach): boolean {
  return [...modules].every((name) => harmlessModules.test(name))
}

/** Tests that can tell one store of the engine from another. */
export function usesTestStore({ sources }: Reach): boolean {
  return sources.has(openTestStore)
}

/** All test files of the workspace, from its root, with what they reach. */
export function testFiles(): ReadonlyMap<string, Reach> {
  const files = ['packages', 'examples', 'test', 'bench'].flatMap((folder) => testsIn(folder))
  return new Map(files.map((file) => [file, reachOf(file)]))
}

function testsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return []
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return testsIn(path)
    return entry.name.endsWith('.test.ts') ? [path] : []
  })
}

export function reachOf(file: string): Reach {
  const sources = new Set<string>()
  const modules = new Set<string>()
  const waiting = [file]
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    if (sources.has(source)) continue
    sources.add(source)
    const imported = importedBy(source)
    waiting.push(...imported.sources)
    for (const name of imported.modules) modules.add(name)
  }
  return { sources, modules }
}

/** What is imported for its types alone is not there when a test runs. An import whose name is computed could be of
 *  anything. */
export function valueImports(text: string): string[] {
  const statements = /^\s*(?:import|export)\s+(?!type\s)(?:[^'"`;]*?\bfrom\s*)?['"]([^'"]+)['"]/gm
  const calls = /(?<![.\w$])(?:import|require)\(\s*(?:\/\*.*?\*\/\s*)?(?:['"]([^'"]+)['"])?/g
  return [...text.matchAll(statements), ...text.matchAll(calls)].map(([, name]) => name ?? 'computed')
}

interface Imported {
  readonly sources: readonly string[]
  readonly modules: readonly string[]
}

const known = new Map<string, Imported>()

function importedBy(source: string): Imported {
  let imported = known.get(source)
  if (imported === undefined) {
    const names = /\.tsx?$/.test(source) ? valueImports(readFileSync(join(root, source), 'utf8')) : []
    const found = names.map((name) => ({ name, source: sourceOf(name, source) }))
    imported = {
      sources: found.flatMap((one) => one.source ?? []),
      modules: found.flatMap((one) => (one.source === undefined ? one.name : [])),
    }
    known.set(source, imported)
  }
  return imported
}

function sourceOf(name: string, from: string): string | undefined {
  if (!name.startsWith('.')) return exported.get(name)
  const path = join(root, dirname(from), name)
  return existsSync(path) ? relative(root, path) : undefined
}

/** The sources of what the packages export, as tests import them. */
const exported: ReadonlyMap<string, string> = new Map(
  (readJson('package.json') as { workspaces: readonly string[] }).workspaces.flatMap((folder) => {
    const manifest = readJson(`${folder}/package.json`) as Manifest
    return Object.entries(manifest.exports ?? {}).flatMap(([path, { source }]) =>
      source === undefined ? [] : [[join(manifest.name, path), join(folder, source)] as const],
    )
  }),
)

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, { readonly source?: string }>>
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
