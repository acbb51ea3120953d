import { lockFolder, type FolderLock } from './folder-lock.ts'
import type { DiskFile } from './lmdb/disk.ts'
import { latestState, metaPagesDamage } from './lmdb/file-state.ts'
import { readFolderState, type FolderState } from './lmdb/folder-state.ts'
import { FolderSnapshot } from './lmdb/folder-snapshot.ts'
import { openReadOnlyDisk } from './lmdb/read-only-disk.ts'
import { verifyDataFile } from './lmdb/verify-data-file.ts'
import { StorageError } from './storage-error.ts'
import type {
  Key,
  MaybePromise,
  OpenSnapshot,
  Snapshot,
  Store,
  StoreFault,
  StoreVerification,
  Value,
} from './store.ts'

/** A data folder, opened for inspection: nothing in it is changed, and LMDB, which trusts what it reads, is not used.
 *  It shows what opening the folder would recover. Nobody else can open it meanwhile. */
export interface LmdbFolder extends Store {
  /** Whether it was closed properly; otherwise the next start recovers it, with this many batches of the redo log. */
  readonly isClean: boolean
  readonly batches: number
  verify(run: StoreVerification): Promise<boolean>
}

export function openLmdbFolder(path: string): LmdbFolder {
  const lock = lockIfPossible(path)
  try {
    return new FolderStore(path, lock)
  } catch (error) {
    lock?.release()
    throw error
  }
}

class FolderStore implements LmdbFolder {
  readonly isClean: boolean
  readonly batches: number
  readonly #lock: FolderLock | undefined
  readonly #faults: StoreFault[] = []
  readonly #state: FolderState | undefined
  readonly #file: DiskFile | undefined
  readonly #snapshot: FolderSnapshot | undefined

  constructor(path: string, lock: FolderLock | undefined) {
    const disk = openReadOnlyDisk(path)
    const state = readFolderState(disk, (place, problem) => this.#faults.push({ place, problem }))
    this.#lock = lock
    this.#state = state
    this.isClean = state?.isClean ?? true
    this.batches = state?.batches ?? 0
    if (state === undefined) return
    this.#file = disk.open(state.dataName)
    const damage = metaPagesDamage(state.metaPages)
    if (damage === undefined) this.#snapshot = new FolderSnapshot(this.#file, state)
    else this.#faults.push({ place: state.dataName, problem: `The meta pages are damaged: ${damage}.` })
  }

  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return read(this.openSnapshot())
  }

  openSnapshot(): OpenSnapshot {
    return this.#snapshot ?? nothing
  }

  transact<T>(): Promise<T> {
    return Promise.reject(new StorageError('not-writable', 'The folder was opened read-only.'))
  }

  async verify(run: StoreVerification): Promise<boolean> {
    for (const fault of this.#faults) run.onFault(fault)
    const state = this.#state
    const file = this.#file
    if (state === undefined || file === undefined || this.#snapshot === undefined) return this.#faults.length === 0
    await verifyDataFile({
      name: state.dataName,
      values: state.values,
      hold: () => ({ file, state: latestState(state.metaPages), release: () => undefined }),
      run: { ...run, longestSnapshotMs: Number.POSITIVE_INFINITY },
    })
    // Reading damaged data ends in an error, and does no harm.
    return true
  }

  close(): Promise<void> {
    this.#file?.close()
    this.#lock?.release()
    return Promise.resolve()
  }
}

/** If nobody may write, no server can be running either. */
function lockIfPossible(path: string): FolderLock | undefined {
  try {
    return lockFolder(path)
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not-writable') return undefined
    throw error
  }
}

const nothing: OpenSnapshot = {
  get: () => undefined,
  getMany: (keys: readonly Key[]) => keys.map((): Value | undefined => undefined),
  range: () => undefined,
  close: () => undefined,
}
