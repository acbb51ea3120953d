import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where the package of the page keeps what it built. */
export function pageFolder(): string {
  const manifest = createRequire(import.meta.url).resolve('@hashrange/workbench/package.json')
  return join(dirname(manifest), 'dist', 'page')
}
