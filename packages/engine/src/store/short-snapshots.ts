import { StorageError } from './storage-error.ts'
import { processTimers, type StoreTimers } from './store-timers.ts'
import type { Key, MaybePromise, OpenSnapshot, Range, Value } from './store.ts'

/** What a store must keep for a snapshot grows with everything that is written meanwhile. */
export const longestSnapshotMs = 5_000

/** Each needs something that a store has few of: a reader slot of LMDB, a connection. */
const mostSnapshots = 8

/** Hands out snapshots that nobody can hold for long: after `longestSnapshotMs` they are closed, even if somebody is
 *  reading them. */
export class ShortSnapshots {
  readonly #timers: StoreTimers
  readonly #open = new Set<ShortSnapshot>()

  constructor(timers: StoreTimers = processTimers) {
    this.#timers = timers
  }

  /** Call this before a snapshot is opened. */
  assertFew(): void {
    if (this.#open.size < mostSnapshots) return
    throw new StorageError('unavailable', `${mostSnapshots} snapshots are open already. Close one, or try again.`)
  }

  limit(snapshot: OpenSnapshot): OpenSnapshot {
    const short = new ShortSnapshot(snapshot, this.#timers, () => this.#open.delete(short))
    this.#open.add(short)
    return short
  }

  /** Closes those that are open. What is read from them after that throws `reason`. */
  closeAll(reason: StorageError): void {
    for (const snapshot of this.#open) snapshot.close(reason)
  }
}

class ShortSnapshot implements OpenSnapshot {
  readonly #snapshot: OpenSnapshot
  readonly #timer: { cancel(): void }
  readonly #onClosed: () => void
  /** Why it is closed, if it is. */
  #closed: StorageError | undefined

  constructor(snapshot: OpenSnapshot, timers: StoreTimers, onClosed: () => void) {
    this.#snapshot = snapshot
    this.#onClosed = onClosed
    this.#timer = timers.after(longestSnapshotMs, () => this.close())
  }

  get(key: Key): MaybePromise<Value | undefined> {
    this.#assertOpen()
    return this.#snapshot.get(key)
  }

  getMany(keys: readonly Key[]): MaybePromise<readonly (Value | undefined)[]> {
    this.#assertOpen()
    return this.#snapshot.getMany(keys)
  }

  range(bounds: Range, visit: (key: Key, value: Value) => boolean): MaybePromise<void> {
    this.#assertOpen()
    return this.#snapshot.range(bounds, visit)
  }

  close(reason = expired()): void {
    if (this.#closed !== undefined) return
    this.#closed = reason
    this.#timer.cancel()
    this.#onClosed()
    this.#snapshot.close()
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw this.#closed
  }
}

function expired(): StorageError {
  return new StorageError(
    'expired',
    `The snapshot is closed: none stays open for more than ${longestSnapshotMs} ms.`,
  )
}

export function isExpired(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'expired'
}
