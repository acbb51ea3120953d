import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, release, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly system: string
  readonly versions: Readonly<Record<string, string>>
}

/** Figures mean little without it. */
export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()} ${process.arch}`,
    versions: {
      node: process.versions.node,
      hashrange: versionOf('hashrange'),
      dynalite: versionOf('dynalite'),
      lmdb: versionOf('lmdb'),
      '@aws-sdk/client-dynamodb': versionOf('@aws-sdk/client-dynamodb'),
    },
  }
}

/** Read from the file itself, because a package need not export its package.json. */
function versionOf(packageName: string): string {
  for (const folder of createRequire(import.meta.url).resolve.paths(packageName) ?? []) {
    try {
      const { version } = JSON.parse(readFileSync(`${folder}/${packageName}/package.json`, 'utf8')) as {
        version: string
      }
      return version
    } catch {
      continue
    }
  }
  return 'unknown'
}
