import type { Effect } from './effect.ts'

export type Key = Uint8Array
/** A Buffer, because its bytes are copied and read as text on the hot path, without a view made for it. */
export type Value = Buffer
export type MaybePromise<T> = T | Promise<T>

/** An ordered map from byte keys to byte values. The engine asks for nothing more. */
export interface Store {
  /** Whether other processes may use the same data at the same time. */
  readonly shared?: boolean
  /** Runs `read` against one snapshot that holds every transaction acknowledged so far. `read` may wait for the
   *  snapshot's own answers, and for nothing else. A store on another machine answers a `read` that hands back the very
   *  promise of its only answer, as `(snapshot) => snapshot.get(key)` does, at the least cost. */
  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T>
  /** The same for reads that need not see what was acknowledged a moment ago, where something else than the primary can serve them: a store
   *  that has nothing of the kind need not. */
  viewEventually?<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T>
  /** A snapshot that stays the same over several reads, until it is closed: by itself, if it is held for more than a few seconds,
   *  and then its reads throw a StorageError with the code `expired` (see short-snapshots.ts). Work that takes longer reads in
   *  short ranges (see cuts/). */
  openSnapshot(): MaybePromise<OpenSnapshot>
  /** Reads `keys`, lets `decide` choose the writes, applies them atomically and durably.
   *  `decide` is pure: it may be asked any number of times, with the same values or with fresh ones after a conflict, and of
   *  all that it answered one answer counts. It changes nothing, and takes neither time nor chance but from what it was
   *  made with. If it throws, nothing is written and the error is the caller's. A counter among the keys is read, but a
   *  change of it is no conflict. */
  transact<T>(keys: readonly Key[], decide: (values: readonly (Value | undefined)[]) => Decision<T>): Promise<T>
  /** Throws a StorageError while requests cannot be served: the store cannot be reached, or is of another version. A store that is
   *  always there has nothing to ask. */
  probe?(): Promise<void>
  /** Calls `listener` with every batch of writes that is on disk and can be seen, in order. Only a store that no other process can write to
   *  knows them all. */
  follow?(listener: (batch: CommittedBatch) => void): Following
  /** Looks at what lies below the map, such as pages and checksums, and tells of what is wrong there. Answers whether the map can be read
   *  without harm to the process. A store that has nothing of the kind need not. */
  verify?(run: StoreVerification): Promise<boolean>
  /** Gives back the room that the data does not need any more, while it is in use. A store that others look after need not. */
  compact?(run: StoreCompaction): Promise<CompactedStore>
  /** What time it is where the data is. A store within the process goes by the clock of this machine, and has none of its own. */
  time?(): Promise<StoreTime>
  /** What the store can say of itself, for those who watch it. */
  figures?(): readonly StoreFigure[]
  /** The highest sequence that any log has been given. */
  lastSequence?(): MaybePromise<bigint>
  close(): Promise<void>
}

export interface Following {
  /** Names the store, and stays the same as long as it lives. */
  readonly store: string
  /** The last batch before those that are followed. */
  readonly batch: number
  stop(): void
}

/** What transactions that share a commit come to. */
export interface CommittedBatch {
  readonly number: number
  /** The batch before it. Numbers rise, and some are left out. */
  readonly previous: number
  readonly changes: readonly KeyChange[]
}

/** A key that is written: its value afterwards, or none. */
export interface KeyChange {
  readonly key: Key
  readonly value: Value | undefined
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
  /** How long others may be kept from using again what is being read. */
  readonly longestSnapshotMs: number
  readonly onFault: (fault: StoreFault) => void
  /** Told of what could not be looked at, and why. */
  readonly onUnchecked: (reason: string) => void
  /** Told of pages, or whatever else the store is made of, that were looked at since. */
  readonly onProgress: (pages: number) => void
}

export interface StoreCompaction {
  /** Gives it up, unless it is all but done. */
  readonly stopping: { readonly aborted: boolean }
  /** Told how many entries have been copied, of about how many. */
  readonly onProgress: (entries: number, ofEntries: number) => void
}

/** How large the data was, and is. */
export interface CompactedStore {
  readonly bytesBefore: number
  readonly bytesAfter: number
}

export interface StoreFault {
  /** The file, or what else holds the bytes. */
  readonly place: string
  readonly problem: string
  /** The key whose value is concerned, if it is one. */
  readonly key?: Key
}

/** When the answer came, it was between `atMs` and `atMs + tookMs`. */
export interface StoreTime {
  readonly atMs: number
  readonly tookMs: number
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
  readonly reverse?: boolean | undefined
  /** At most so many entries will be asked for: lets a store size its pages. */
  readonly limit?: number | undefined
}

/** The writes of one decision are applied in order. */
export interface Decision<T> {
  readonly writes: readonly Write[]
  readonly answer: T
  /** Applied when the decision counts: before the next that sees its writes is asked, and before any read shows them. Undone
   *  if they do not come about, and before the decision is asked again. */
  readonly effect?: Effect | undefined
}

export type Write =
  | { readonly kind: 'put'; readonly key: Key; readonly value: Value }
  /** Puts a value where there is none; one that is there stays. Nothing is read for it, and no conflict follows from it. */
  | { readonly kind: 'insert'; readonly key: Key; readonly value: Value }
  | { readonly kind: 'delete'; readonly key: Key }
  /** Adds to a vector of at most eight counters. Commutes with every other `add`, so no conflict follows from it. */
  | { readonly kind: 'add'; readonly key: Key; readonly amounts: readonly number[] }
  /** Adds an entry at the end of a log: the store gives it the key `log · sequence` (see sequence.ts). The sequence is above
   *  every one that the log has, and above every one that any log had when this one got its first entry. Whoever has read
   *  a log to its end has seen all that will ever be below it. */
  | { readonly kind: 'append'; readonly log: Key; readonly atMs: number; readonly value: Value }

/** What a store has to know of the keys if it spreads them over shards. `layout/` says it for the engine's keys. */
export interface KeyPlacement {
  /** Sixteen bits, of which a store takes as many of the leading ones as it has shards. */
  shardBits(key: Key): number
  /** How many leading bytes of the key they follow from. */
  placedBytes(key: Key): number
  /** Whether, among keys with the same first five bytes, the shards have the order of the keys. */
  isOrdered(key: Key): boolean
  /** Whether the key is written by `add`. Counters may be kept in parts, which are summed when they are read. */
  isCounter(key: Key): boolean
  /** Whether the key is of what is kept aside: backups, and what was changed while a table was read. Kept apart from the rest, it is in
   *  nobody's way. */
  isKept(key: Key): boolean
  readonly keptRange: { readonly from: Key; readonly to: Key }
  /** Where the counters lie among the keys: apart from each other, in order. */
  readonly counterRanges: readonly { readonly from: Key; readonly to: Key }[]
}
