import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FunctionDesign } from '../function-design.ts'
import { zipOf, type ZipEntry } from './zip-of.ts'

/** A server takes a package in one request. */
const mostBytes = 40 * 1024 * 1024
const mostFiles = 10_000

/** What tools write beside the code, and what belongs to one machine. */
const leftOut = /^(\..*|cdk\.out|coverage)$/

/** The package of a function whose code is here, or why there is none. */
export function packageOf({ packageType, inlineCode, codePath, runtime }: FunctionDesign): Buffer | string {
  if (packageType === 'Image') return 'images are not run here'
  if (inlineCode !== undefined) return inlinePackage(inlineCode, runtime)
  if (codePath === undefined) return 'its code is not in a folder of this machine'
  const found = statSync(codePath, { throwIfNoEntry: false })
  if (found === undefined) return `there is no ${codePath}`
  if (!found.isDirectory()) {
    if (found.size > mostBytes) return tooLarge(codePath)
    return codePath.endsWith('.zip') ? readFileSync(codePath) : `${codePath} is neither a folder nor a zip file`
  }
  const entries: ZipEntry[] = []
  const bytes = collect(codePath, '', entries, 0)
  if (bytes > mostBytes || entries.length > mostFiles) return tooLarge(codePath)
  return entries.length === 0 ? `${codePath} is empty` : zipOf(entries)
}

/** CloudFormation calls the file of inline code index. */
export function inlinePackage(text: string, runtime: string): Buffer {
  return zipOf([{ name: runtime.startsWith('python') ? 'index.py' : 'index.js', content: Buffer.from(text) }])
}

function collect(folder: string, prefix: string, entries: ZipEntry[], before: number): number {
  let bytes = before
  for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
    if (leftOut.test(entry.name) || bytes > mostBytes || entries.length > mostFiles) continue
    const name = prefix + entry.name
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory() === true && !entry.isSymbolicLink())
      bytes = collect(folder, `${name}/`, entries, bytes)
    else if (found?.isFile() === true) {
      bytes += found.size
      if (bytes <= mostBytes)
        entries.push({ name, content: readFileSync(path), isExecutable: (found.mode & 0o111) !== 0 })
    }
  }
  return bytes
}

function tooLarge(path: string): string {
  return `${path} has more than 40 MB or ${mostFiles} files, which is too much for one request`
}
