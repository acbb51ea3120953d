import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openLmdbStore, StorageError } from '@hashrange/engine'
import { sizeText } from '@hashrange/transfer'
import { withAdvice } from '../storage-advice.ts'
import { compactServer } from './compact-server.ts'
import { interruptible } from './interruption.ts'
import { Mistake } from '../mistake.ts'
import { readFlags } from './read-flags.ts'
import { readEndpoint } from './read-report.ts'
import { requireData } from './require-data.ts'
import { serverFlags } from './trust-issuer.ts'

const help = `hashrange compact: shrinks a data file by returning unused space to the disk

  hashrange compact --endpoint http://127.0.0.1:8000
  hashrange compact --path .hashrange

  --endpoint URL      a running server, which compacts its own data and keeps serving requests
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       a data folder that no server is using; .hashrange by default

The data file grows as you store data, but does not shrink when items are deleted: the free space is reused by later writes. This
command rewrites the file. It needs disk space for a second copy while it runs, and you can interrupt it at any time.`

const flags = {
  path: { type: 'string' },
  endpoint: { type: 'string' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

export async function compact(words: readonly string[]): Promise<number> {
  const { help: wantsHelp, path, endpoint } = readFlags('compact', words, flags)
  if (wantsHelp === true) {
    console.log(help)
    return 0
  }
  if (path !== undefined && endpoint !== undefined)
    throw new Mistake('--path and --endpoint are alternatives: use one of them.')
  if (endpoint === undefined) await compactFolder(path ?? '.hashrange')
  else await compactAt(readEndpoint(endpoint))
  return 0
}

async function compactAt(endpoint: string): Promise<void> {
  const onProgress = (entries: number, ofEntries: number): void => {
    if (!process.stderr.isTTY || ofEntries === 0) return
    process.stderr.write(`\r${Math.floor((100 * entries) / ofEntries)} % copied `)
  }
  const { bytesBefore, bytesAfter } = await interruptible((stopping) =>
    compactServer({ endpoint, stopping, onProgress }),
  )
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  tell(`of ${endpoint}`, bytesBefore, bytesAfter)
}

async function compactFolder(path: string): Promise<void> {
  requireData({ kind: 'lmdb', path })
  const before = sizeOf(path)
  await (await openToCompact(path)).close()
  tell(`in ${path}`, before, sizeOf(path))
}

async function openToCompact(path: string): ReturnType<typeof openLmdbStore> {
  try {
    return await openLmdbStore({ path, compacts: true })
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'locked') throw error
    throw new Error(
      `${withAdvice(error, 'command')} If a server is using it, let the server compact its own data: hashrange compact --endpoint http://127.0.0.1:8000`,
      { cause: error },
    )
  }
}

function tell(place: string, before: number, after: number): void {
  console.log(`The data file ${place} was ${sizeText(before)} and is now ${sizeText(after)}.`)
}

function sizeOf(path: string): number {
  return statSync(join(path, 'data.mdb')).size
}
