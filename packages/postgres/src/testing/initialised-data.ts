import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyData } from './copy-cluster.ts'
import { hydrateBinaries } from './hydrate-binaries.ts'

/** The data of a cluster in which nothing is yet, made once and kept: to make it anew takes PostgreSQL a second of the processor, and
 *  many tests start one. `make` answers the folder that it has made it in. */
export async function initialisedData(make: () => Promise<string>): Promise<string> {
  const kept = keptFolder()
  if (existsSync(kept)) return kept
  const made = await make()
  // Whoever else makes it at the same time makes the same. It is there as a whole, or not at all.
  const own = `${kept}-${randomUUID()}`
  mkdirSync(dirname(kept), { recursive: true })
  copyData(made, own)
  try {
    renameSync(own, kept)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(kept)) throw error
  }
  return kept
}

/** Beside the packages, as other caches are: a fresh installation has none, and each version of PostgreSQL and each user have their own. */
function keptFolder(): string {
  const binaries = hydrateBinaries()
  const { version } = JSON.parse(readFileSync(join(binaries, 'package.json'), 'utf8')) as { version: string }
  return join(binaries, '..', '..', '.cache', 'hashrange', `postgres-${version}-${process.getuid?.() ?? 0}`)
}
