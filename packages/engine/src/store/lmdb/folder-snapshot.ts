import { StorageError } from '../storage-error.ts'
import type { Key, OpenSnapshot, Range, Value } from '../store.ts'
import type { DiskFile } from './disk.ts'
import { latestState, type FileState } from './file-state.ts'
import type { FolderState } from './folder-state.ts'
import { PageCache, PageCursor } from './page-cursor.ts'
import { PageFile } from './page-file.ts'
import { PageDamage } from './tree-page.ts'
import { checksumBytes } from './value-checksum.ts'

/** The contents of a folder, read without LMDB and without changing it: the pages of its data file, and the later
 *  changes in the redo log. Checksums are not verified here, so that damaged data can be inspected. */
export class FolderSnapshot implements OpenSnapshot {
  readonly #pages: PageCache
  readonly #state: FileState
  readonly #trimmed: number
  readonly #changes = new Map<string, Value | undefined>()
  /** The keys of the changes, in order. */
  readonly #changedKeys: readonly Buffer[]

  constructor(file: DiskFile, { metaPages, values, changes }: FolderState) {
    this.#state = latestState(metaPages)
    this.#pages = new PageCache(new PageFile(file, this.#state.pageBytes))
    this.#trimmed = values === 'checked' ? checksumBytes : 0
    for (const batch of changes) for (const { key, value } of batch) this.#changes.set(nameOf(key), value)
    this.#changedKeys = [...this.#changes.keys()]
      .map((name) => Buffer.from(name, 'latin1'))
      .toSorted((one, other) => Buffer.compare(one, other))
  }

  get(key: Key): Value | undefined {
    if (this.#changes.size > 0) {
      const name = nameOf(key)
      if (this.#changes.has(name)) return this.#changes.get(name)
    }
    return undamaged(() => {
      const cursor = new PageCursor(this.#pages, this.#state)
      return cursor.seek(key) && cursor.key.equals(key) ? this.#valueAt(cursor) : undefined
    })
  }

  getMany(keys: readonly Key[]): readonly (Value | undefined)[] {
    return keys.map((key) => this.get(key))
  }

  range({ from, to, reverse = false }: Range, visit: (key: Key, value: Value) => boolean): void {
    undamaged(() => {
      const order = reverse ? -1 : 1
      const entries = this.#entries(from, to, reverse)
      const changed = this.#changed(from, to, reverse)
      let entry = entries.next()
      let change = changed.next()
      while (entry.done !== true || change.done !== true) {
        const compared =
          entry.done === true
            ? 1
            : change.done === true
              ? -1
              : order * Buffer.compare(entry.value.key, change.value)
        if (compared < 0 && entry.done !== true) {
          if (!visit(entry.value.key, this.#valueAt(entry.value))) return
        } else if (change.done !== true) {
          const value = this.#changes.get(nameOf(change.value))
          if (value !== undefined && !visit(change.value, value)) return
          change = changed.next()
        }
        if (compared <= 0) entry = entries.next()
      }
    })
  }

  close(): void {
    // Nothing is held.
  }

  #valueAt(cursor: PageCursor): Value {
    const { value } = cursor
    if (value.length < this.#trimmed) throw new PageDamage('a value is cut short')
    return value.subarray(0, value.length - this.#trimmed)
  }

  /** The cursor visits one entry of the data file after another. Keys that are out of order, or before those that
   *  were asked for, would make it, or whoever goes on from there, run forever. */
  *#entries(from: Key, to: Key, reverse: boolean): Generator<PageCursor> {
    const cursor = new PageCursor(this.#pages, this.#state)
    let isThere = reverse ? seekBefore(cursor, to) : cursor.seek(from)
    let before: Buffer | undefined
    while (isThere) {
      const { key } = cursor
      if (reverse ? Buffer.compare(key, from) < 0 : Buffer.compare(key, to) >= 0) return
      const isInOrder = reverse
        ? Buffer.compare(key, before ?? to) < 0
        : before === undefined
          ? Buffer.compare(key, from) >= 0
          : Buffer.compare(key, before) > 0
      if (!isInOrder) throw new PageDamage('its keys are not in order')
      before = key
      yield cursor
      isThere = reverse ? cursor.previous() : cursor.next()
    }
  }

  *#changed(from: Key, to: Key, reverse: boolean): Generator<Buffer> {
    const keys = this.#changedKeys
    const start = firstNotBefore(keys, from)
    const end = firstNotBefore(keys, to)
    for (let at = start; at < end; at++) {
      const key = keys[reverse ? end - 1 - (at - start) : at]
      if (key !== undefined) yield key
    }
  }
}

function seekBefore(cursor: PageCursor, to: Key): boolean {
  return cursor.seek(to) ? cursor.previous() : cursor.seekEnd()
}

function firstNotBefore(keys: readonly Buffer[], key: Key): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = keys[middle]
    if (found !== undefined && Buffer.compare(found, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function nameOf(key: Key): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
}

/** Reading damaged data ends in an error of the store, whatever it runs into. */
function undamaged<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof PageDamage) && !(cause instanceof RangeError)) throw cause
    throw new StorageError('damaged', `A page of the data file is damaged (${cause.message}).`, cause)
  }
}
