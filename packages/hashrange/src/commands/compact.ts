import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openLmdbStore } from '@hashrange/engine'
import { sizeText } from '@hashrange/transfer'
import { readFlags } from './read-flags.ts'
import { requireData } from './require-data.ts'

const help = `hashrange compact: gives the room back to the disk that a data folder does not need any more

  hashrange compact --path .hashrange

  --path FOLDER       the data folder, which no server may be using; .hashrange by default

A data file grows with what is stored and does not shrink when items are deleted: their room is used for what is written next. This
command writes the file anew. It needs room for a second one meanwhile, and may be interrupted at any moment.`

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
  console.log(`The data file of ${path} had ${sizeText(before)} and has ${sizeText(sizeOf(path))} now.`)
  return 0
}

function sizeOf(path: string): number {
  return statSync(join(path, 'data.mdb')).size
}
