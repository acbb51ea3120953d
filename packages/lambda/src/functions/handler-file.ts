import { stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'

export interface HandlerFile {
  readonly path: string
  readonly exportName: string
}

const endings = ['.mjs', '.js', '.cjs', '.ts', '.mts', '.cts']

/** `src/index.handler` is the export `handler` of `src/index.js`, or of a file with another ending of JavaScript or
 *  TypeScript. */
export async function findHandlerFile(folder: string, handler: string): Promise<HandlerFile> {
  const [, file = '', exportName = ''] = /^(.*?[^/\\.][^/\\.]*)\.([\w$.]+)$/.exec(handler) ?? []
  const base = resolve(folder, file)
  if (file !== '' && (base === folder || base.startsWith(folder + sep))) {
    for (const ending of endings) {
      const path = base + ending
      if (await isFile(path)) return { path, exportName }
    }
  }
  const error = new Error(`There is no file for the handler ${handler}.`)
  error.name = 'Runtime.ImportModuleError'
  throw error
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
