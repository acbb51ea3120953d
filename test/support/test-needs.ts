import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Opens the store that the engine's tests are run on. */
const openTestStore = 'packages/engine/src/testing/open-test-store.ts'

/** Tests that can tell one store of the engine from another. */
export function usesTestStore(file: string): boolean {
  return sourcesOf(file).has(openTestStore)
}

/** What stands above the store: it validates, computes, counts, or speaks of what it found, and asks no more of a store than the
 *  contract that every store is tested against. What is not named here is run on every store, so what is new is, too. */
export const aboveTheStore: readonly string[] = [
  'packages/access/',
  'packages/cloudformation/',
  'packages/hashrange/',
  'packages/kinesis/src/feeds/',
  'packages/monitoring/',
  'packages/pipes/',
  'packages/engine/src/capacity/',
  'packages/engine/src/items/index-entry',
  'packages/engine/src/links/hostile-messages',
  'packages/engine/src/metering/',
  'packages/engine/src/tables/',
  'packages/engine/src/operations/costly-requests',
  'packages/engine/src/operations/dialect',
  'packages/engine/src/operations/execute-statement',
  'packages/engine/src/operations/resource-policies',
  'packages/engine/src/operations/search-vectors',
  'packages/engine/src/operations/throughput-quotas',
  'packages/engine/src/operations/value-refusals',
  'packages/engine/src/replication/legacy-global-tables',
  'packages/engine/src/replication/strong-refusals',
  'packages/engine/src/streams/stream-errors',
  'packages/engine/src/transfers/round-trip',
  'packages/engine/src/verify/findings',
  'packages/engine/src/verify/repair',
]

/** Opens several servers on one store, which no store but PostgreSQL does in earnest. */
const testServers = 'packages/engine/src/testing/test-servers.ts'

/** Tests that are run on every store in each run. The rest of those that use one are when HASHRANGE_STORES is `all`. */
export function dependsOnStore(file: string): boolean {
  if (!usesTestStore(file)) return false
  return sourcesOf(file).has(testServers) || !aboveTheStore.some((start) => file.startsWith(start))
}

/** All test files of the packages, from the root of the workspace. */
export function testsOfPackages(): string[] {
  return testsIn('packages')
}

function testsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return []
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return testsIn(path)
    return entry.name.endsWith('.test.ts') ? [path] : []
  })
}

/** The sources of this workspace that a test file can come to through its imports, whether it does or not. */
function sourcesOf(file: string): ReadonlySet<string> {
  const sources = new Set<string>()
  const waiting = [file]
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    if (sources.has(source)) continue
    sources.add(source)
    waiting.push(...sourcesImportedBy(source))
  }
  return sources
}

/** What is imported for its types alone is not there when a test runs. */
export function valueImports(text: string): string[] {
  const statements = /^\s*(?:import|export)\s+(?!type\s)(?:[^'"`;]*?\bfrom\s*)?['"]([^'"]+)['"]/gm
  const calls = /(?<![.\w$])(?:import|require)\(\s*(?:\/\*.*?\*\/\s*)?['"]([^'"]+)['"]/g
  return [...text.matchAll(statements), ...text.matchAll(calls)].flatMap(([, name]) => name ?? [])
}

const known = new Map<string, readonly string[]>()

function sourcesImportedBy(source: string): readonly string[] {
  let imported = known.get(source)
  if (imported === undefined) {
    const names = /\.tsx?$/.test(source) ? valueImports(readFileSync(join(root, source), 'utf8')) : []
    imported = names.flatMap((name) => sourceOf(name, source) ?? [])
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
