import type { Effect } from './effect.ts'

export type Key = Uint8Array
/** A Buffer, because its bytes are copied and read as text on the hot path, without creating a view. */
export type Value = Buffer
export type MaybePromise<T> = T | Promise<T>

/** An ordered map from byte keys to byte values. The engine asks for nothing more. */
export interface Store {
  /** Whether other processes may use the same data at the same time. */
  readonly shared?: boolean
  /** Whether the data is on several nodes, and a view sees each as of a moment of its own: one may already show a
   *  transaction that another does not show yet. */
  readonly viewsSeveralMoments?: boolean
  /** Runs `read` on one snapshot that contains every transaction acknowledged so far. `read` may wait for the
   *  snapshot's own results, and for nothing else. For a store on another machine it is cheapest if `read` returns
   *  the very promise of its only result, as `(snapshot) => snapshot.get(key)` does. */
  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T>
  /** The same for reads that need not see the latest writes, if something other than the primary can serve them.
   *  Optional. */
  viewEventually?<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T>
  /** A snapshot that stays the same over several reads, until it is closed. It closes by itself if it is held for
   *  more than a few seconds, and then its reads throw a StorageError with the code `expired` (see
   *  short-snapshots.ts). Longer work reads in short ranges (see cuts/). */
  openSnapshot(): MaybePromise<OpenSnapshot>
  /** Reads `keys`, lets `decide` choose the writes, applies them atomically and durably. `decide` is pure: it may be
   *  called any number of times, with the same values or with fresh ones after a conflict, and only one of its
   *  answers counts. It changes nothing, and gets time and randomness only from what it was created with. If it
   *  throws, nothing is written and the caller gets the error. A counter among the keys is read, but a change of it
   *  is not a conflict. A key that `isSpare` names need not be read, and its value is then undefined. */
  transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
    isSpare?: IsSpare,
  ): Promise<T>
  /** Throws a StorageError while requests cannot be served: the store cannot be reached, or has another version. A
   *  store that is always available does not need it. */
  probe?(): Promise<void>
  /** What a store on several nodes cannot serve right now, in a sentence; undefined if all of them answer. */
  whatIsMissing?(): Promise<string | undefined>
  /** Calls `listener` with every batch of writes that is on disk and visible, in order. Only a store that no other
   *  process can write to knows all of them. */
  follow?(listener: (batch: CommittedBatch) => void): Following
  /** Checks what is below the map, such as pages and checksums, and reports what is wrong. Returns whether the map
   *  can be read without harming the process. Optional. */
  verify?(run: StoreVerification): Promise<boolean>
  /** Frees the space that the data no longer needs, while it is in use. A store that others maintain does not need
   *  it. */
  compact?(run: StoreCompaction): Promise<CompactedStore>
  /** The time where the data is. An embedded store uses the clock of this machine, and has none of its own. */
  time?(): Promise<StoreTime>
  /** Learns what other processes have changed about how data must be written. Called whenever definitions have been learnt from
   *  them, after these were read and before they are used. */
  refresh?(): Promise<void>
  /** Figures about the store itself, for monitoring. */
  figures?(): readonly StoreFigure[]
  /** The highest sequence that any log has been given. */
  lastSequence?(): MaybePromise<bigint>
  close(): Promise<void>
}

/** Whether a key is of no use, given the values of the keys before it: for a store that reads one after the other. */
export type IsSpare = (position: number, before: readonly (Value | undefined)[]) => boolean

export interface Following {
  /** Identifies the store, and never changes. */
  readonly store: string
  /** The last batch before those that are followed. */
  readonly batch: number
  stop(): void
}

/** The result of transactions that share a commit. */
export interface CommittedBatch {
  readonly number: number
  /** The previous batch. Numbers increase, with gaps. */
  readonly previous: number
  readonly changes: readonly KeyChange[]
}

/** A key that is written: its value afterwards, or undefined. */
export interface KeyChange {
  readonly key: Key
  /** The key as text (key-text.ts), if somebody has needed it already. */
  readonly name?: string
  readonly value: Value | undefined
  /** What the write of a log entry said about it. */
  readonly about?: unknown
}

export interface StoreFigure {
  /** In snake case, such as `connections`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
}

export interface StoreVerification {
  readonly stopping: { readonly aborted: boolean }
  /** How long others may be kept from reusing what is being read. */
  readonly longestSnapshotMs: number
  readonly onFault: (fault: StoreFault) => void
  /** Called for what could not be checked, with the reason. */
  readonly onUnchecked: (reason: string) => void
  /** Called with the number of pages, or other parts of the store, that were checked since the last call. */
  readonly onProgress: (pages: number) => void
}

export interface StoreCompaction {
  /** Gives up, unless it is almost done. */
  readonly stopping: { readonly aborted: boolean }
  /** Called with how many entries have been copied, of about how many. */
  readonly onProgress: (entries: number, ofEntries: number) => void
}

/** The size of the data before and after. */
export interface CompactedStore {
  readonly bytesBefore: number
  readonly bytesAfter: number
}

export interface StoreFault {
  /** The file, or whatever else contains the bytes. */
  readonly place: string
  readonly problem: string
  /** The key of the affected value, if any. */
  readonly key?: Key
}

/** At the time of the result, it was between `atMs` and `atMs + tookMs`. */
export interface StoreTime {
  readonly atMs: number
  readonly tookMs: number
}

/** The caller may keep the values; they never change. */
export interface Snapshot {
  get(key: Key): MaybePromise<Value | undefined>
  getMany(keys: readonly Key[]): MaybePromise<readonly (Value | undefined)[]>
  /** Passes the entries between the bounds, in order, to `visit` until it returns false or the range ends. Reads in
   *  pages: there is no promise per entry. */
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
  readonly reverse?: boolean | undefined
  /** At most this many entries will be needed: lets a store choose the size of its pages. */
  readonly limit?: number | undefined
  /** Whether nothing else is read from this snapshot: a store on another machine then ends its transaction with the question. */
  readonly isAlone?: boolean | undefined
  /** Whether only the keys are needed: a store may then leave the values empty. */
  readonly keysOnly?: boolean | undefined
}

/** The writes of one decision are applied in order. */
export interface Decision<T> {
  readonly writes: readonly Write[]
  readonly answer: T
  /** Applied when the decision counts: before the next decision that sees its writes, and before any read shows them.
   *  Undone if the writes fail, and before the decision is called again. */
  readonly effect?: Effect | undefined
}

export type Write =
  | { readonly kind: 'put'; readonly key: Key; readonly value: Value }
  /** Puts a value if there is none; an existing one stays. Nothing is read for it, and it causes no conflict. */
  | { readonly kind: 'insert'; readonly key: Key; readonly value: Value }
  | { readonly kind: 'delete'; readonly key: Key }
  /** Adds to a vector of at most eight counters. Commutes with every other `add`, so it causes no conflict. */
  | { readonly kind: 'add'; readonly key: Key; readonly amounts: readonly number[] }
  /** Adds an entry at the end of a log: the store gives it the key `log · sequence` (see sequence.ts). The sequence
   *  is above every sequence of the log, and above every sequence that any log had when this one got its first entry.
   *  A reader that has read a log to its end has seen everything that will ever be below that point. */
  | {
      readonly kind: 'append'
      readonly log: Key
      readonly atMs: number
      readonly value: Value
      /** For whoever follows the store. It is not stored, and a store may drop it. */
      readonly about?: unknown
    }

/** What a store must know about keys to spread them over shards. `layout/` provides it for the engine's keys. */
export interface KeyPlacement {
  /** Sixteen bits, of which a store uses as many leading ones as it has shards. */
  shardBits(key: Key): number
  /** How many leading bytes of the key they depend on. */
  placedBytes(key: Key): number
  /** Whether, among keys with the same first five bytes, the shards have the order of the keys. */
  isOrdered(key: Key): boolean
  /** Whether the key is written by `add`. Counters may be kept in parts, which are summed when they are read. */
  isCounter(key: Key): boolean
  /** Whether the key belongs to what is kept aside: backups, and what was changed while a table was read. Storing it
   *  separately keeps it out of everybody's way. */
  isKept(key: Key): boolean
  readonly keptRange: { readonly from: Key; readonly to: Key }
  /** Whether parts of the counter may be in any shard. It is written with what it counts, and rarely read. */
  isScattered(key: Key): boolean
  /** Entries that nearly every write reads, and that hardly ever change. Stores on several nodes have a copy of them
   *  in every shard. */
  readonly copiedRange: { readonly from: Key; readonly to: Key }
  /** Where the counters are among the keys: separate ranges, in order. */
  readonly counterRanges: readonly { readonly from: Key; readonly to: Key }[]
}
