import { createRequire } from 'node:module'

export function packageVersion(): string {
  const manifest = createRequire(import.meta.url)('../package.json') as { readonly version: string }
  return manifest.version
}
