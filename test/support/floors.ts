import { posix } from 'node:path'
import { importsOf, isTestCode, type SourceFile } from './architecture.ts'

/** A floor of a package: folders, and files beside them, that may import what lies on the floors below, and nothing else of the package. */
export interface Floor {
  readonly floor: string
  readonly holds: readonly string[]
}

/** In what ways the sources of a package break the order of its floors, of which the lowest comes first. Tests are free of it. */
export function floorViolations(files: readonly SourceFile[], floors: readonly Floor[]): string[] {
  const heights = new Map(floors.flatMap(({ holds }, height) => holds.map((unit) => [unit, height] as const)))
  const known = new Set<string>()
  const found = shipped(files).flatMap((file) => {
    const from = unitOf(file.path, '')
    known.add(from)
    const height = heights.get(from)
    if (height === undefined) return [`${file.path}: no floor holds ${from}`]
    return importedBy(file).flatMap((target) => {
      const to = unitOf(target, '')
      if (to === from || (heights.get(to) ?? height) < height) return []
      return [`${file.path}: ${from} imports ${to}, which is not below it`]
    })
  })
  const missing = [...heights.keys()].filter((unit) => !known.has(unit))
  return [...found, ...missing.map((unit) => `a floor holds ${unit}, which is not there`)]
}

/** The circles in which folders of a package import each other, at any depth: each as the names that it goes through. A file that stands beside folders
 *  counts as one of them at the top of the package; further down it may use the folders beside it, and they it. */
export function folderCycles(files: readonly SourceFile[]): string[] {
  const sources = shipped(files)
  const levels = new Set(sources.flatMap(({ path }) => foldersAbove(path)))
  return [...levels].flatMap((level) => {
    const graph = new Map<string, Set<string>>()
    for (const file of sources) {
      const from = siblingIn(level, file.path)
      if (from === undefined) continue
      for (const target of importedBy(file)) {
        const to = siblingIn(level, target)
        if (to !== undefined && to !== from) addTo(graph, from, to)
      }
    }
    const cycle = cycleOf(graph)
    return cycle === undefined ? [] : [cycle.join(' -> ')]
  })
}

function shipped(files: readonly SourceFile[]): SourceFile[] {
  return files.filter(({ path }) => !isTestCode(path))
}

/** The files of the same package that a file imports. */
function importedBy({ path, text }: SourceFile): string[] {
  return importsOf(text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier))
    .filter((target) => target.startsWith(`${sourcesOf(path)}/`))
}

/** `packages/engine/src`. */
function sourcesOf(path: string): string {
  return path.split('/').slice(0, 3).join('/')
}

/** The folder or file in a folder of the sources that holds a file. */
function unitOf(path: string, folder: string): string {
  const inside = path.slice(sourcesOf(path).length + 1)
  return inside.slice(folder.length).split('/', 1)[0] ?? ''
}

/** The folders of the sources that a file lies in, as `` or `store/lmdb/`. */
function foldersAbove(path: string): string[] {
  const folders = path.split('/').slice(3, -1)
  return ['', ...folders.map((_, depth) => `${folders.slice(0, depth + 1).join('/')}/`)]
}

/** What stands directly in a folder and holds a file; nothing for a file that is elsewhere, or that stands there by itself, but for the top. */
function siblingIn(level: string, path: string): string | undefined {
  const inside = path.slice(sourcesOf(path).length + 1)
  if (!inside.startsWith(level)) return undefined
  const isFile = !inside.slice(level.length).includes('/')
  return isFile && level !== '' ? undefined : level + unitOf(path, level)
}

function addTo(graph: Map<string, Set<string>>, from: string, to: string): void {
  const known = graph.get(from)
  if (known === undefined) graph.set(from, new Set([to]))
  else known.add(to)
}

/** One circle, if there is any. */
function cycleOf(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (unit: string, path: readonly string[]): readonly string[] | undefined => {
    const at = path.indexOf(unit)
    if (at >= 0) return [...path.slice(at), unit]
    if (done.has(unit)) return undefined
    for (const next of graph.get(unit) ?? []) {
      const cycle = visit(next, [...path, unit])
      if (cycle !== undefined) return cycle
    }
    done.add(unit)
    return undefined
  }
  for (const unit of graph.keys()) {
    const cycle = visit(unit, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}
