export type Key = Uint8Array
/** A Buffer, because its bytes are copied and read as text on the hot path, without a view made for it. */
export type Value = Buffer
export type MaybePromise<T> = T | Promise<T>

/** An ordered map from byte keys to byte values. The engine asks for nothing more. */
export interface Store {
  /** Runs `read` against one snapshot that holds every transaction acknowledged so far. `read` may wait for the
   *  snapshot's own answers, and for nothing else. */
  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T>
  /** A snapshot for long work, which stays the same until it is closed. The store keeps what it shows until then. */
  openSnapshot(): MaybePromise<OpenSnapshot>
  /** Reads `keys`, lets `decide` choose the writes, applies them atomically and durably.
   *  `decide` is pure: after a conflict it is asked again with fresh values. If it throws, nothing is written and the
   *  error is the caller's. */
  transact<T>(keys: readonly Key[], decide: (values: readonly (Value | undefined)[]) => Decision<T>): Promise<T>
  close(): Promise<void>
}

/** The values are the caller's to keep, and never change. */
export interface Snapshot {
  get(key: Key): MaybePromise<Value | undefined>
  getMany(keys: readonly Key[]): MaybePromise<readonly (Value | undefined)[]>
  /** Hands the entries between the bounds, in order, to `visit` until it returns false or the range ends.
   *  Page-wise underneath: no promise is paid per entry. */
  range(bounds: Range, visit: (key: Key, value: Value) => boolean): MaybePromise<void>
}

export interface OpenSnapshot extends Snapshot {
  close(): void
}

export interface Range {
  /** Inclusive. */
  readonly from: Key
  /** Exclusive. */
  readonly to: Key
  readonly reverse?: boolean
  /** At most so many entries will be asked for: lets a store size its pages. */
  readonly limit?: number
}

/** The writes of one decision are applied in order. */
export interface Decision<T> {
  readonly writes: readonly Write[]
  readonly answer: T
}

export type Write =
  | { readonly kind: 'put'; readonly key: Key; readonly value: Value }
  | { readonly kind: 'delete'; readonly key: Key }
  /** Adds to a vector of counters. Commutes with every other `add`, so no conflict follows from it. */
  | { readonly kind: 'add'; readonly key: Key; readonly amounts: readonly number[] }
  /** Adds an entry at the end of a log: the store gives it the key `log · sequence` (see sequence.ts), with a sequence
   *  above those of every transaction that was committed before. */
  | { readonly kind: 'append'; readonly log: Key; readonly atMs: number; readonly value: Value }
