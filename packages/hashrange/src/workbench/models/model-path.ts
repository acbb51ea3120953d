import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ApiRefusal } from '../api-handler.ts'

/** A model file that the page may have loaded, which runs it: below the working directory, links followed, and named as one. */
export async function pathFromPage(text: string, folder: string): Promise<string> {
  const written = resolve(folder, text)
  const path = await realpath(written).catch(() => undefined)
  if (!isModelName(text)) {
    throw new ApiRefusal(400, 'NoModelFile', 'A model file ends in .model.ts, .model.mts, .model.js or .model.mjs.')
  }
  if (!isWithin(written, folder) || (path !== undefined && !isWithin(path, await realpath(folder)))) {
    throw new ApiRefusal(
      403,
      'OutsideOfFolder',
      `Only files below ${folder}, where hashrange runs, are loaded from the page. For another, start it with --model FILE.`,
    )
  }
  if (path === undefined) throw new ApiRefusal(404, 'NoSuchFile', `There is no file ${text} below ${folder}.`)
  return path
}

/** A model file that the page may have made: in a folder that is there, below the working directory, links followed. */
export async function newPathFromPage(text: string, folder: string): Promise<string> {
  const written = resolve(folder, text)
  if (!isModelName(text)) {
    throw new ApiRefusal(400, 'NoModelFile', 'A model file ends in .model.ts, .model.mts, .model.js or .model.mjs.')
  }
  const parent = await realpath(dirname(written)).catch(() => undefined)
  const root = await realpath(folder)
  if (!isWithin(written, folder) || (parent !== undefined && parent !== root && !isWithin(parent, root))) {
    throw new ApiRefusal(403, 'OutsideOfFolder', `Only files below ${folder}, where hashrange runs, are written.`)
  }
  if (parent === undefined)
    throw new ApiRefusal(404, 'NoSuchFolder', `There is no folder for ${text} below ${folder}.`)
  return join(parent, basename(written))
}

/** How the page shows a path: shorter, where it is below the working directory. */
export function shownPath(path: string, folder: string): string {
  return isWithin(path, folder) ? relative(folder, path) : path
}

const skipped: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'coverage', 'vendor'])
const mostFolders = 2000
const mostFiles = 200

/** The model files below a folder, near ones first. Large trees are looked through in part. */
export async function findModelFiles(folder: string): Promise<string[]> {
  const found: string[] = []
  const folders = [folder]
  for (let at = 0; at < Math.min(folders.length, mostFolders) && found.length < mostFiles; at++) {
    const current = folders[at] ?? folder
    const entries = await readdir(current, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isFile() && isModelName(entry.name)) found.push(shownPath(join(current, entry.name), folder))
      else if (entry.isDirectory() && !entry.name.startsWith('.') && !skipped.has(entry.name)) {
        folders.push(join(current, entry.name))
      }
    }
  }
  return found
}

function isModelName(name: string): boolean {
  return /\.model\.m?[jt]s$/.test(name)
}

function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}
