import { StorageError } from '../storage-error.ts'
import type { StoreTimers } from '../store-timers.ts'
import type { Key, KeyChange } from '../store.ts'
import type { CheckedDataFile, DataFile } from './data-file.ts'
import type { Disk, DiskFile } from './disk.ts'
import { newName } from './replace-data-file.ts'

export interface DataCopyOptions {
  readonly disk: Disk
  readonly timers: StoreTimers
  readonly from: DataFile
  /** The file that contains the copy. */
  readonly name: string
  readonly pace?: CopyPace | undefined
}

export interface CopyPace {
  /** How much is read at once, while requests wait. */
  readonly pageBytes: number
  /** How long requests have the process to themselves between two pages. */
  readonly pauseMs: number
}

export interface CopyRun {
  readonly stopping: { readonly aborted: boolean }
  readonly onProgress: (entries: number) => void
}

/** A copy of the data file that is made while others write to it. It is copied in key order, one page at a time, each
 *  as it is at that moment, so no snapshot is held. Writes behind the position that has been reached are applied
 *  afterwards; writes ahead of it will be read. Both are final values of keys, so some may be copied twice. A failure
 *  here leaves the store as it is. */
export class DataCopy {
  readonly data: CheckedDataFile
  readonly file: DiskFile
  readonly name: string
  readonly #options: DataCopyOptions
  /** Everything before it is in the copy, or among the changes. Undefined at the end. */
  #reached: Key | undefined = Buffer.of(0)
  #changes = new Map<string, KeyChange>()
  #changesBytes = 0
  #unsyncedBytes = 0
  #syncing: Promise<void> = Promise.resolve()

  constructor(options: DataCopyOptions) {
    const { disk, name } = options
    this.#options = options
    this.name = name
    if (disk.exists(name)) disk.remove(name)
    try {
      this.data = disk.openData(name)
    } catch (error) {
      removeIfThere(disk, name)
      throw error
    }
    this.file = disk.open(name)
  }

  /** Call this with everything that is committed, once reads of the data file show it. */
  note(changes: readonly KeyChange[]): void {
    for (const change of changes) {
      if (this.#reached !== undefined && Buffer.compare(change.key, this.#reached) >= 0) continue
      this.#changes.set(Buffer.from(change.key).toString('latin1'), change)
      this.#changesBytes += change.key.length + (change.value?.length ?? 0)
    }
  }

  /** Resolves when everything except the latest writes is in the copy, and on disk. */
  async run(run: CopyRun): Promise<void> {
    let entries = 0
    while (this.#reached !== undefined) {
      this.#assertGoingOn(run)
      const page = this.#readPage(this.#reached)
      await this.#commit(this.#takeChanges(), page)
      entries += page.length
      run.onProgress(entries)
      if (this.#unsyncedBytes > syncedBytes) await this.#beginSync()
      await this.#pause()
    }
    // The first round takes long, and little is written meanwhile.
    for (let round = 0; round < 2; round++) {
      await this.#beginSync()
      await this.#syncing
      this.#assertGoingOn(run)
      await this.#commit(this.#takeChanges())
    }
  }

  /** Resolves when the copy contains everything, and is on disk. Call this when nothing is written meanwhile. */
  async complete(): Promise<void> {
    if (this.#reached !== undefined) throw new Error('the copy has not come to its end')
    await this.#commit(this.#takeChanges())
    await this.#syncing
    await this.file.sync()
  }

  /** Removes it again, whichever name it has. If it cannot be removed, it is removed when the folder is opened, or
   *  another copy is made. */
  async discard(): Promise<void> {
    const { disk } = this.#options
    await this.#syncing.catch(() => undefined)
    await this.data.close().catch(() => undefined)
    this.file.close()
    for (const name of [this.name, newName]) removeIfThere(disk, name)
  }

  #readPage(from: Key): readonly KeyChange[] {
    const pageBytes = this.#options.pace?.pageBytes ?? usualPace.pageBytes
    const page: KeyChange[] = []
    let bytes = 0
    this.#reached = undefined
    this.#options.from.range({ from, to: lastKey }, (key, value) => {
      page.push({ key, value })
      bytes += key.length + value.length
      if (bytes < pageBytes) return true
      this.#reached = Buffer.concat([key, Buffer.of(0)])
      return false
    })
    return page
  }

  #takeChanges(): readonly KeyChange[] {
    const changes = [...this.#changes.values()]
    this.#changes = new Map()
    this.#changesBytes = 0
    return changes
  }

  async #commit(changes: readonly KeyChange[], page: readonly KeyChange[] = []): Promise<void> {
    if (changes.length + page.length === 0) return
    for (const { key, value } of [...changes, ...page]) this.#unsyncedBytes += key.length + (value?.length ?? 0)
    await this.data.commit(changes, page)
  }

  /** Runs beside the copying. Only one runs at a time, so that the disk sets the pace. */
  async #beginSync(): Promise<void> {
    await this.#syncing
    this.#unsyncedBytes = 0
    this.#syncing = this.file.sync()
    // It is awaited later.
    this.#syncing.catch(() => undefined)
  }

  #pause(): Promise<void> {
    const { timers, pace = usualPace } = this.#options
    return pace.pauseMs === 0 ? Promise.resolve() : timers.pause(pace.pauseMs)
  }

  #assertGoingOn({ stopping }: CopyRun): void {
    if (stopping.aborted) throw new StorageError('unavailable', 'The compaction was stopped. Nothing has changed.')
    if (this.#options.disk.freeBytes() < spareBytes) {
      throw new StorageError('io', 'The disk is almost full, so the compaction was cancelled. Nothing has changed.')
    }
    if (this.#changesBytes > mostWaitingBytes) {
      throw new StorageError(
        'unavailable',
        'The disk is too slow for a compaction during so many writes, so the compaction was cancelled. Nothing has changed. Try again when there are fewer writes.',
      )
    }
  }
}

/** The space that the store itself may need while it is copied. */
export const spareBytes = 64 * 1024 * 1024

const usualPace: CopyPace = { pageBytes: 512 * 1024, pauseMs: 2 }
const syncedBytes = 32 * 1024 * 1024
const mostWaitingBytes = 256 * 1024 * 1024
const lastKey = Buffer.alloc(1_978, 0xff)

function removeIfThere(disk: Disk, name: string): void {
  try {
    if (disk.exists(name)) disk.remove(name)
  } catch {
    // Nobody is blocked by it.
  }
}
