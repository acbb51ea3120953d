import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { DiskImage } from '../../../simulation/simulated-disk.ts'

/** The files of a folder that a server of an earlier format left behind when it was killed: ten orders in the data file, ten
 *  more and a deletion in the redo log. */
export function killedFolder(format: 1 | 2): DiskImage {
  const files = JSON.parse(readFileSync(new URL(`format-${format}-folder.json`, import.meta.url), 'utf8')) as object
  return new Map(
    Object.entries(files).map(([name, base64]) => [name, gunzipSync(Buffer.from(String(base64), 'base64'))]),
  )
}

export function unpackFolder(format: 1 | 2, path: string): void {
  mkdirSync(path)
  for (const [file, bytes] of killedFolder(format)) writeFileSync(join(path, file), bytes)
}
