import { tokenHeaders } from '../auth/server-token.ts'
import { openLmdbStore } from '@hashrange/engine'
import {
  openArchivePlace,
  sizeText,
  takeSnapshot,
  writeSnapshot,
  type ArchivePlace,
  type SnapshotFile,
} from '@hashrange/transfer'
import { isAboutSaves, save, saveHelp } from './save.ts'
import { Mistake } from '../mistake.ts'
import { readFlags, required } from './read-flags.ts'
import { requireData } from './require-data.ts'
import { serverFlags } from './trust-issuer.ts'

const help = `hashrange snapshot: copies everything in a server or a data folder, while it is in use

  hashrange snapshot --to backups --endpoint http://127.0.0.1:8000
  hashrange snapshot --to s3://my-bucket/hashrange --path .hashrange

  --to PLACE          a folder, or s3://bucket/prefix
  --endpoint URL      the address of the server, which keeps serving requests
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using

To restore it: hashrange start --from PLACE --path NEW_FOLDER. A server started with --archive PLACE keeps such an archive up
to date by itself, and you can restore it as it was at any point in time: --at 2026-06-15T12:00:00Z.`

const flags = {
  to: { type: 'string' },
  endpoint: { type: 'string' },
  path: { type: 'string' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

export async function snapshot(words: readonly string[]): Promise<number> {
  if (isAboutSaves(words)) return save(words)
  const values = readFlags('snapshot', words, flags)
  if (values.help === true) {
    console.log(`${help}\n\n${saveHelp}`)
    return 0
  }
  const to = required('snapshot', '--to', values.to)
  const { endpoint, path } = values
  if ((endpoint === undefined) === (path === undefined)) {
    throw new Mistake('Name either a server (--endpoint) or a data folder (--path) to take a snapshot of.')
  }
  const place = await openArchivePlace(to)
  let bytes = 0
  const onProgress = (soFar: number): void => {
    bytes = soFar
    if (process.stderr.isTTY) process.stderr.write(`\r${sizeText(bytes)} `)
  }
  const file =
    endpoint === undefined
      ? await ofFolder(path ?? '', place, onProgress)
      : await ofServer(endpoint, place, onProgress)
  if (process.stderr.isTTY) process.stderr.write('\r')
  console.log(`Copied ${sizeText(bytes)} to ${to}, as of ${new Date(file.end.atMs).toISOString()}.`)
  return 0
}

async function ofFolder(
  path: string,
  to: ArchivePlace,
  onProgress: (bytes: number) => void,
): Promise<SnapshotFile> {
  requireData({ kind: 'lmdb', path })
  const store = await openLmdbStore({ path })
  try {
    return await takeSnapshot({ store, to, now: Date.now, onProgress })
  } finally {
    await store.close()
  }
}

async function ofServer(
  endpoint: string,
  to: ArchivePlace,
  onProgress: (bytes: number) => void,
): Promise<SnapshotFile> {
  const root = new URL('/_hashrange/snapshots', endpoint).href
  const headers = tokenHeaders()
  const id = await acceptedText(await fetch(root, { method: 'POST', headers }))
  async function* frames(): AsyncGenerator<Uint8Array> {
    for (let number = 0, bytes = 0; ; number++) {
      const response = await fetch(`${root}/${id}/${number}`, { headers })
      if (response.status === 204) return
      if (!response.ok) throw new Error(await response.text())
      const piece = new Uint8Array(await response.arrayBuffer())
      bytes += piece.length
      onProgress(bytes)
      yield piece
    }
  }
  return writeSnapshot(to, frames())
}

async function acceptedText(response: Response): Promise<string> {
  const text = await response.text()
  if (!response.ok) throw new Error(`The server refused: ${text.trim()}`)
  return text
}
