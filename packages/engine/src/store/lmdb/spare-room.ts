import type { StoreTimers } from '../store-timers.ts'
import type { Disk } from './disk.ts'

/** Keeps LMDB from meeting a full disk: a commit that finds no room halfway can corrupt its memory and end the process.
 *  So writes are rejected while a little is still free. It is not asked for every batch how much that is, because a
 *  batch is quicker than the question. */
export class SpareRoom {
  readonly #disk: Disk
  readonly #timers: StoreTimers
  #bytesSince = Number.POSITIVE_INFINITY
  #lookedAt = 0

  constructor(disk: Disk, timers: StoreTimers) {
    this.#disk = disk
    this.#timers = timers
  }

  /** Throws if so many bytes might not fit, after those of others that the data file does not have yet. */
  assertFor(bytes: number, waitingBytes = 0): void {
    this.#bytesSince += bytes
    if (this.#bytesSince < bytesBetween && this.#timers.now() - this.#lookedAt < msBetween) return
    this.assertLeft(bytes + waitingBytes)
  }

  assertLeft(bytes = 0): void {
    this.#bytesSince = 0
    this.#lookedAt = this.#timers.now()
    assertSomeRoom(this.#disk, bytes)
  }
}

/** Throws if so many bytes might not fit. */
export function assertSomeRoom(disk: Pick<Disk, 'freeBytes'>, bytes = 0): void {
  if (hasLittleRoom(disk, bytes)) throw new Error('ENOSPC: hardly any space is left on the disk')
}

/** A batch is written to the redo log, and its pages to the data file. */
export function hasLittleRoom(disk: Pick<Disk, 'freeBytes'>, bytes = 0): boolean {
  return disk.freeBytes() < leastFreeBytes + 3 * bytes
}

const leastFreeBytes = 4 * 1024 * 1024
const bytesBetween = 1024 * 1024
const msBetween = 100
