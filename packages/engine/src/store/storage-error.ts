export type StorageErrorCode =
  | 'locked'
  | 'not-writable'
  | 'damaged'
  | 'incompatible'
  | 'io'
  /** It cannot be reached just now. */
  | 'unavailable'
  /** A snapshot was held for too long. */
  | 'expired'
  /** Too many others changed the same entries, for too long. Nothing was written. */
  | 'contended'
  /** A clock cannot be right. */
  | 'clock'

/** The store could not be opened or could not do its work. The message says what to do. */
export class StorageError extends Error {
  readonly code: StorageErrorCode

  constructor(code: StorageErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StorageError'
    this.code = code
  }
}
