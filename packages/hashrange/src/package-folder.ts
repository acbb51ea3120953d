import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** Where this package lies. It is looked for by name, because what is built is not where its source was. */
export function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('hashrange/package.json'))
}
