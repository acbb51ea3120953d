import {
  Branches,
  openLmdbFolder,
  openLmdbStore,
  StorageError,
  unsealedStore,
  type LmdbFolder,
} from '@hashrange/engine'
import { verifyStore, type VerifyReport } from '@hashrange/engine/verify'
import { keyOfData } from '../key-of-data.ts'
import { requireData } from '../require-data.ts'
import type { Verifiable, VerifyRun } from './verifiable.ts'

/** A data folder that no server is using. It is read without changing it; only for a repair is it opened as a server
 *  does. */
export function verifiableFolder(path: string): Verifiable {
  return {
    name: path,
    flag: `--path ${path}`,
    run: (run) => (run.repair ? repairFolder(path, run) : verifyFolder(path, run)),
  }
}

async function verifyFolder(path: string, run: VerifyRun): Promise<VerifyReport> {
  requireData({ kind: 'lmdb', path })
  const folder = openLmdbFolder(path)
  try {
    if (!folder.isClean) {
      run.onNote(
        `${path} was not closed cleanly. Verifying what the next start will recover, including ${folder.batches} batches from the redo log.`,
      )
    }
    const store = await unsealedStore(folder, keyOfData())
    return await verifyStore({ ...run, store, longestSnapshotMs: Number.POSITIVE_INFINITY })
  } finally {
    await folder.close()
  }
}

async function repairFolder(path: string, run: VerifyRun): Promise<VerifyReport> {
  requireData({ kind: 'lmdb', path })
  const folder = openLmdbFolder(path)
  try {
    await assertSound(folder, run)
  } finally {
    await folder.close()
  }
  const store = await openLmdbStore({
    path,
    onRecovery: ({ batches }) =>
      run.onNote(`${path} was recovered, including ${batches} batches from the redo log.`),
  })
  try {
    // A repair must leave branches as they are, like any other write.
    const { main } = await Branches.open(await unsealedStore(store, keyOfData()))
    return await verifyStore({ ...run, store: main, longestSnapshotMs: Number.POSITIVE_INFINITY })
  } finally {
    await store.close()
  }
}

/** LMDB trusts what it reads, so a damaged folder is not opened. */
async function assertSound(folder: LmdbFolder, { stopping }: VerifyRun): Promise<void> {
  const problems: string[] = []
  await folder.verify({
    stopping,
    longestSnapshotMs: Number.POSITIVE_INFINITY,
    onFault: ({ place, problem }) => problems.push(`${place}: ${problem}`),
    onUnchecked: () => undefined,
    onProgress: () => undefined,
  })
  const [first] = problems
  if (first === undefined) return
  throw new StorageError(
    'damaged',
    `The files themselves are damaged and cannot be repaired (${first}). Run verify without --repair to see all the damage, then restore the folder from a copy or an archive.`,
  )
}
