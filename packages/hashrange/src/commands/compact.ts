import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openLmdbStore } from '@hashrange/engine'
import { sizeText } from '@hashrange/transfer'
import { readFlags } from './read-flags.ts'
import { requireData } from './require-data.ts'

const help = `hashrange compact: shrinks a data folder by returning unused space to the disk

  hashrange compact --path .hashrange

  --path FOLDER       a data folder that no server is using; .hashrange by default

The data file grows as you store data, but does not shrink when items are deleted: the free space is reused by later writes. This
command rewrites the file. It needs disk space for a second copy while it runs, and you can interrupt it at any time.`

const flags = {
  path: { type: 'string', default: '.hashrange' },
  help: { type: 'boolean', short: 'h' },
} as const

export async function compact(words: readonly string[]): Promise<number> {
  const values = readFlags('compact', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const { path } = values
  requireData({ kind: 'lmdb', path })
  const before = sizeOf(path)
  const store = await openLmdbStore({ path, compacts: true })
  await store.close()
  console.log(`The data file in ${path} was ${sizeText(before)} and is now ${sizeText(sizeOf(path))}.`)
  return 0
}

function sizeOf(path: string): number {
  return statSync(join(path, 'data.mdb')).size
}
