import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { cacheFolderOf, CompiledSources } from './compiled-sources.ts'

export type Exports = Readonly<Record<string, unknown>>

/** Loads a TypeScript or JavaScript file as it is now, with what it imports. TypeScript is compiled line by line in place,
 *  so that line numbers in stacks are those of the file. */
export async function loadSource(
  path: string,
  { virtualModules = {} }: { readonly virtualModules?: Readonly<Record<string, unknown>> } = {},
): Promise<Exports> {
  // Loaded here, because only those who have such a file need it.
  const { createJiti } = await import('jiti')
  const options = { fsCache: false, moduleCache: false }
  const compiler = createJiti(path, options)
  const { version } = createRequire(import.meta.url)('jiti/package.json') as { readonly version: string }
  const compiled = new CompiledSources(cacheFolderOf(fileURLToPath(import.meta.url)), version)
  const jiti = createJiti(path, {
    ...options,
    virtualModules: { ...virtualModules },
    transform: (given) => {
      const { source, filename = '', ts = false, async: isAsync = false } = given
      // What is compiled names its file only in place of `import.meta`, and if the source is wrong.
      const about = [ts, isAsync, source.includes('import.meta') && filename].join(' ')
      const compile = (): string => compiler.transform(given)
      return { code: compiled.of(`${about}\0${source}`, compile, (code) => !code.includes('__JITI_ERROR__')) }
    },
  })
  return jiti.import<Exports>(path)
}
