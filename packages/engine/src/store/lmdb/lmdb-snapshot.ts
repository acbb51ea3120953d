import type { Key, OpenSnapshot, Range, Value } from '../store.ts'
import type { DataFile, HeldState } from './data-file.ts'

/** Reads of a data file, which LMDB answers at once. */
export class LmdbSnapshot implements OpenSnapshot {
  readonly #data: DataFile
  /** Without one, reads share the transaction that is renewed between turns of the event loop. */
  readonly #held: HeldState | undefined

  constructor(data: DataFile, held?: HeldState) {
    this.#data = data
    this.#held = held
  }

  get(key: Key): Value | undefined {
    return this.#data.get(key, this.#held)
  }

  getMany(keys: readonly Key[]): readonly (Value | undefined)[] {
    return keys.map((key) => this.get(key))
  }

  range(bounds: Range, visit: (key: Key, value: Value) => boolean): void {
    this.#data.range(bounds, visit, this.#held)
  }

  close(): void {
    this.#held?.release()
  }
}
