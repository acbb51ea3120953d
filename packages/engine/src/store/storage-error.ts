export type StorageErrorCode =
  | 'locked'
  | 'not-writable'
  | 'damaged'
  | 'incompatible'
  | 'io'
  /** It cannot be reached right now. */
  | 'unavailable'
  /** A snapshot was held for too long. */
  | 'expired'
  /** Too many others changed the same entries, for too long. Nothing was written. */
  | 'contended'
  /** A clock cannot be right. */
  | 'clock'

/** What is wrong, as data, if the opener of the store can do something about it. Advice is up to the opener: a
 *  command has flags, a program has options, and the store knows neither. */
export type StorageProblem =
  | { readonly kind: 'folder-in-use'; readonly folder: string; readonly processId: number | undefined }
  | { readonly kind: 'folder-not-created' | 'folder-not-writable'; readonly folder: string }
  | { readonly kind: 'redo-log-damaged' | 'data-unreadable'; readonly folder: string }
  | { readonly kind: 'clock-off'; readonly offMs: number }
  | { readonly kind: 'other-distribution'; readonly distribution: string }
  | { readonly kind: 'without-citus' }
  | { readonly kind: 'unfinished-copy' }
  /** The schema of the database has the wrong version, or does not exist. */
  | { readonly kind: 'schema-not-current'; readonly version: number | undefined }
  | { readonly kind: 'schema-not-creatable' }
  | { readonly kind: 'encryption-key-missing' | 'encryption-key-wrong' | 'not-encrypted' }

/** The store could not be opened or could not do its work. The message says what is wrong; `problem` says it as data. */
export class StorageError extends Error {
  readonly code: StorageErrorCode
  readonly problem: StorageProblem | undefined

  constructor(code: StorageErrorCode, message: string, cause?: unknown, problem?: StorageProblem) {
    super(message, { cause })
    this.name = 'StorageError'
    this.code = code
    this.problem = problem
  }
}
