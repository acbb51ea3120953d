import type { Key, Value, Write } from '../store/store.ts'

/** Something that is not as it must be: plain data, for people and programs. */
export interface Finding {
  readonly kind: FindingKind
  readonly place: FaultPlace
  /** What is wrong, in a sentence. */
  readonly problem: string
  /** Whether it follows from other data that is there, so that it can be rebuilt. */
  readonly isDerived: boolean
  /** Whether it has been rebuilt. */
  readonly isRepaired: boolean
}

export type FindingKind =
  /** Bytes below the map of keys and values: files, pages, checksums, rows. */
  | 'storage'
  | 'format'
  | 'definition'
  | 'identifier'
  | 'item'
  | 'index-entry'
  | 'expiry'
  | 'collection-size'
  | 'count'
  | 'token'
  | 'change-log'
  | 'backup'
  | 'record'
  /** Entries that belong to nothing that exists. */
  | 'leftover'
  /** A key that nothing in this version writes. */
  | 'unknown-key'

export interface FaultPlace {
  readonly accountId?: string
  readonly region?: string
  readonly table?: string
  readonly index?: string
  readonly backup?: string
  /** The key as people write it, such as `{"pk":{"S":"a"}}`. */
  readonly key?: string
  /** The key as it is stored, in hexadecimal. */
  readonly storedKey?: string
  /** The file, or what else holds the bytes. */
  readonly file?: string
}

/** A finding, and how to mend it if it is derived. */
export interface Fault {
  readonly kind: FindingKind
  readonly place: FaultPlace
  readonly problem: string
  readonly repair?: Repair
}

/** One transaction that rebuilds something. It decides by what is there then, and writes nothing if all is well by then. */
export interface Repair {
  /** Whether it finds out by itself that there is nothing to mend. A difference that is to be added cannot. */
  readonly isExact: boolean
  readonly keys: readonly Key[]
  readonly decide: (values: readonly (Value | undefined)[]) => readonly Write[]
}
