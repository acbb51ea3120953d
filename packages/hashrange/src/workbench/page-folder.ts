import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packageFolder } from '../package-folder.ts'

/** Where the page is: in this package when it is installed, and in the package that builds it in a clone. */
export function pageFolder(): string {
  const packed = join(packageFolder(), 'page')
  if (existsSync(packed)) return packed
  const manifest = createRequire(import.meta.url).resolve('@hashrange/workbench/package.json')
  return join(dirname(manifest), 'dist', 'page')
}
