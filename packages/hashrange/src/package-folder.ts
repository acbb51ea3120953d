import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** The folder of this package. It is found by name, because built files are not where their sources were. */
export function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('hashrange/package.json'))
}
