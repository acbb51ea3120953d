import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ApiRefusal } from '../api-handler.ts'

/** Where the page may load model files from. */
export interface ModelFolders {
  /** What relative paths are relative to. */
  readonly base: string
  /** Absolute; those that `--model` names. */
  readonly folders: readonly string[]
}

/** A model file that the page may load, which runs it: in one of the folders, with links followed, and named as a
 *  model file. */
export async function pathFromPage(text: string, places: ModelFolders): Promise<string> {
  assertName(text)
  assertFolders(places)
  const written = resolve(places.base, text)
  assertWithin(written, places.folders, places)
  const path = await realpath(written).catch(() => undefined)
  if (path === undefined) throw new ApiRefusal(404, 'NoSuchFile', `There is no file ${text}.`)
  // The file that a link leads to is the one that is run.
  assertName(path)
  assertWithin(path, await realFolders(places), places)
  return path
}

/** A model file that the page may create: in an existing folder, within one of the folders, with links followed. */
export async function newPathFromPage(text: string, places: ModelFolders): Promise<string> {
  assertName(text)
  assertFolders(places)
  const written = resolve(places.base, text)
  assertWithin(written, places.folders, places)
  const parent = await realpath(dirname(written)).catch(() => undefined)
  if (parent === undefined) throw new ApiRefusal(404, 'NoSuchFolder', `There is no folder ${dirname(text)}.`)
  const path = join(parent, basename(written))
  assertWithin(path, await realFolders(places), places)
  return path
}

/** How the page shows a path: shorter, where it is below the working directory. */
export function shownPath(path: string, base: string): string {
  if (path === base) return '.'
  return isWithin(path, base) ? relative(base, path) : path
}

const skipped: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'coverage', 'vendor'])
const mostFolders = 2000
const mostFiles = 200

/** The model files in the folders, near ones first. Large trees are only searched in part. */
export async function findModelFiles({ folders: roots, base }: ModelFolders): Promise<string[]> {
  const found = new Set<string>()
  const folders = [...roots]
  for (let at = 0; at < Math.min(folders.length, mostFolders) && found.size < mostFiles; at++) {
    const current = folders[at] ?? base
    const entries = await readdir(current, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isFile() && isModelName(entry.name)) found.add(shownPath(join(current, entry.name), base))
      else if (entry.isDirectory() && !entry.name.startsWith('.') && !skipped.has(entry.name)) {
        folders.push(join(current, entry.name))
      }
    }
  }
  return [...found]
}

function assertFolders({ folders }: ModelFolders): void {
  if (folders.length > 0) return
  throw new ApiRefusal(
    403,
    'NoModelFolder',
    'No folder has been set for model files. To load and save them here, start hashrange with --model FOLDER.',
  )
}

function assertName(text: string): void {
  if (isModelName(text)) return
  throw new ApiRefusal(
    400,
    'NoModelFile',
    'The name of a model file must end in .model.ts, .model.mts, .model.js or .model.mjs.',
  )
}

function assertWithin(path: string, folders: readonly string[], { folders: named, base }: ModelFolders): void {
  if (folders.some((folder) => isWithin(path, folder))) return
  const places = named.map((folder) => shownPath(folder, base)).join(', ')
  throw new ApiRefusal(
    403,
    'OutsideOfFolder',
    `The workbench can only use the model files in ${places}. To use others, start hashrange with --model FILE or --model FOLDER.`,
  )
}

async function realFolders({ folders }: ModelFolders): Promise<string[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
  return real.filter((folder) => folder !== undefined)
}

function isModelName(name: string): boolean {
  return /\.model\.m?[jt]s$/.test(name)
}

function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}
