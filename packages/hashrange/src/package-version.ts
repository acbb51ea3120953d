import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from './package-folder.ts'

export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}
