import { standingOf, type StorageError, type StoredVersion } from '@hashrange/engine'
import type { Row } from '../connection/inbox.ts'
import { outdatedServer } from './migrate.ts'
import { schemaVersion } from './migrations.ts'

/** What this server may do with the current schema: a newer server may change that at any time. */
export class Permission {
  readonly #schema: string
  readonly #onChange: (refusal: StorageError | undefined) => void
  #reads: StorageError | undefined
  #writes: StorageError | undefined

  constructor(schema: string, onChange: (refusal: StorageError | undefined) => void) {
    this.#schema = schema
    this.#onChange = onChange
  }

  /** Why nothing is read, if so. */
  get readRefusal(): StorageError | undefined {
    return this.#reads
  }

  /** Why nothing is written, if so. Others can do it: the client should try again. */
  get writeRefusal(): StorageError | undefined {
    return this.#writes
  }

  /** Records what the database says about its version: a row of the statement `probe`. */
  note(row: Row): void {
    const [version = 0, readableFrom = 0, writableFrom = 0] = row.map((value) => value?.readInt32BE() ?? 0)
    const stored: StoredVersion = { version, readableFrom, writableFrom }
    const standing = standingOf(schemaVersion, stored)
    const refusal = standing === 'read-and-write' ? undefined : outdatedServer('unavailable', this.#schema, stored)
    const hasChanged = refusal?.message !== this.#writes?.message
    this.#writes = refusal
    this.#reads = standing === 'nothing' ? refusal : undefined
    if (hasChanged) this.#onChange(refusal)
  }
}
