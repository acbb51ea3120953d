import type { Key, Value, Write } from '../store/store.ts'

/** Something that is wrong: plain data, for people and programs. */
export interface Finding {
  readonly kind: FindingKind
  readonly place: FaultPlace
  /** What is wrong, in a sentence. */
  readonly problem: string
  /** Whether it is derived from other existing data, so that it can be rebuilt. */
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
  | 'stamp'
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
  /** The readable key, such as `{"pk":{"S":"a"}}`. */
  readonly key?: string
  /** The stored key, in hexadecimal. */
  readonly storedKey?: string
  /** The file, or whatever else contains the bytes. */
  readonly file?: string
}

/** A finding, and how to repair it if it is derived. */
export interface Fault {
  readonly kind: FindingKind
  readonly place: FaultPlace
  readonly problem: string
  readonly repair?: Repair
}

/** One transaction that rebuilds something. It decides by what exists then, and writes nothing if everything is right
 *  by then. */
export interface Repair {
  /** Whether it notices by itself that there is nothing to repair. A difference that is added cannot. */
  readonly isExact: boolean
  readonly keys: readonly Key[]
  readonly decide: (values: readonly (Value | undefined)[]) => readonly Write[]
}
