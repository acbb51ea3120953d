import { parseSync } from 'rolldown/utils'
import type { SourceFile } from './architecture.ts'

/** Which exports may stay although none of our files imports them. */
export interface ExportRules {
  /** Specifiers of our own packages, and the files behind them: `@hashrange/core` is `packages/core/src/index.ts`. */
  readonly entries: ReadonlyMap<string, string>
  /** Files whose exports are for people who use hashrange. */
  readonly isPublic: (path: string) => boolean
  /** Files that are run, or read by a tool: nobody imports them. */
  readonly isStarted: (path: string) => boolean
}

/** Lists every export that no other file imports, and every file that none of them needs. */
export function unusedExports(files: readonly SourceFile[], rules: ExportRules): string[] {
  const modules = new Map(files.map((file) => [file.path, readModule(file, rules.entries)]))
  const used = new Map<string, Set<string>>([...modules.keys()].map((path) => [path, new Set()]))
  const mark = (path: string, name: string): void => {
    const names = used.get(path)
    if (names === undefined || names.has(name)) return
    names.add(name)
    const { exported = [], handsOn = [] } = modules.get(path) ?? {}
    if (!exported.includes(name)) for (const target of handsOn) mark(target, name)
  }
  for (const { uses } of modules.values())
    for (const { path, names } of uses) for (const name of names) mark(path, name)
  return [...modules].flatMap(([path, { exported }]) => {
    if (rules.isPublic(path) || rules.isStarted(path)) return []
    const names = used.get(path) ?? new Set()
    if (names.size === 0) return [`${path} is imported nowhere`]
    return exported
      .filter((name) => !names.has(name))
      .map((name) => `${path} exports ${name}, which nobody imports`)
  })
}

interface Module {
  readonly exported: readonly string[]
  readonly uses: readonly Use[]
  /** The files that it exports whole: `export * from './x.ts'`. */
  readonly handsOn: readonly string[]
}

interface Use {
  readonly path: string
  readonly names: Iterable<string>
}

function readModule({ path, text }: SourceFile, entries: ReadonlyMap<string, string>): Module {
  const { module } = parseSync(path, text)
  const uses: Use[] = []
  const resolve = (specifier: string) =>
    specifier.startsWith('.') ? new URL(specifier, `file:///${path}`).pathname.slice(1) : entries.get(specifier)
  const use = (specifier: string, names: Iterable<string>) => {
    const target = resolve(specifier)
    if (target !== undefined) uses.push({ path: target, names })
  }
  for (const { moduleRequest, entries: names } of module.staticImports) {
    // An import for its effects uses the file, though nothing of it.
    if (names.length === 0) use(moduleRequest.value, [effects])
    for (const { importName } of names) use(moduleRequest.value, importedBy(importName, text))
  }
  for (const { start, end } of module.dynamicImports.map(({ moduleRequest }) => moduleRequest)) {
    // `lazy(() => import('./x.tsx'))` needs the default, and does not say so.
    use(text.slice(start + 1, end - 1), wordsIn(text).add('default'))
  }
  // The types in `import('./x.ts').X`, which are no imports to the parser.
  for (const [, specifier = ''] of text.matchAll(/\bimport\('([^']+)'\)/g)) use(specifier, wordsIn(text))
  const exported: string[] = []
  const handsOn: string[] = []
  for (const { exportName, importName, moduleRequest } of module.staticExports.flatMap(({ entries }) => entries)) {
    const name = exportName.name ?? 'default'
    if (exportName.kind !== 'None' && !isTypeOfSignature(name, text)) exported.push(name)
    if (!moduleRequest) continue
    if (importName.kind === 'AllButDefault') handsOn.push(resolve(moduleRequest.value) ?? '')
    else use(moduleRequest.value, importedBy(importName, text))
  }
  return { exported, uses, handsOn }
}

/** A type that the rest of its file names belongs to the signatures there: it may be exported with them, whether anybody names it or not. */
function isTypeOfSignature(name: string, text: string): boolean {
  return (
    new RegExp(String.raw`^export (?:declare )?(?:interface|type) ${name}\b`, 'm').test(text) &&
    [...text.matchAll(new RegExp(String.raw`\b${name}\b`, 'g'))].length > 1
  )
}

const effects = '*'

/** Where a whole module is imported, any word of the file may be one of its names. */
function importedBy(name: { readonly kind: string; readonly name: string | null }, text: string): Iterable<string> {
  if (name.kind === 'Default') return ['default']
  return name.kind === 'Name' && name.name !== null ? [name.name] : wordsIn(text)
}

function wordsIn(text: string): Set<string> {
  return new Set(text.match(/[\w$]+/g))
}
