import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** The files of a model: its own, and those of the same project that it imports. */
export interface SourceFiles {
  /** Changes with the content of any of them. */
  readonly digest: string
  readonly files: readonly string[]
}

/** More than any model needs; further files are not watched. */
const mostFiles = 200

export async function readSources(path: string): Promise<SourceFiles> {
  const hash = createHash('sha256')
  const files = [path]
  for (let at = 0; at < files.length; at++) {
    const file = files[at] ?? ''
    const text = await readFile(file, 'utf8').catch(() => undefined)
    hash.update(`${file}\0${text ?? ''}\0`)
    for (const name of importedNames(text ?? '')) {
      const found = await firstThatIs(candidatesOf(resolve(dirname(file), name)))
      if (found !== undefined && !files.includes(found) && files.length < mostFiles) files.push(found)
    }
  }
  return { digest: hash.digest('hex').slice(0, 24), files }
}

/** Changes when a file is written, without reading it. */
export async function signatureOf(files: readonly string[]): Promise<string> {
  const marks = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mtimeMs, size, ino }) => `${mtimeMs}/${size}/${ino}`,
        () => 'gone',
      ),
    ),
  )
  return marks.join(' ')
}

/** `from './entities.ts'`, `import './setup.ts'`, `import('./more.ts')`, `require('./old.cjs')`. A line that only
 *  looks like one means that a file is watched for nothing. */
function importedNames(text: string): string[] {
  const pattern = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g
  return [...text.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [name]))
}

function candidatesOf(path: string): string[] {
  const endings = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js']
  // A name that ends in .js may be that of the TypeScript file it is compiled from.
  return [path, path.replace(/\.(m|c)?js$/, '.$1ts'), ...endings.map((ending) => path + ending)]
}

async function firstThatIs(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const isThere = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}
