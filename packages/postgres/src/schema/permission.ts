import { standingOf, type StorageError, type StoredVersion } from '@hashrange/engine'
import { takesNoWrites } from '../address/takes-no-writes.ts'
import type { Row } from '../connection/inbox.ts'
import { outdatedServer } from './migrate.ts'
import { schemaVersion } from './migrations.ts'

/** What this server may do with the database: a newer server may change its schema at any time, and an administrator
 *  may keep everybody from writing. */
export class Permission {
  readonly #schema: string
  readonly #onChange: (refusal: StorageError | undefined) => void
  #reads: StorageError | undefined
  #writes: StorageError | undefined
  #noWrites: StorageError | undefined

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
    return this.#writes ?? this.#noWrites
  }

  /** Records what the database says about its version: a row of the statement `probe`. */
  note(row: Row): void {
    const [version = 0, readableFrom = 0, writableFrom = 0] = row
      .slice(0, 3)
      .map((value) => value?.readInt32BE() ?? 0)
    const stored: StoredVersion = { version, readableFrom, writableFrom }
    const standing = standingOf(schemaVersion, stored)
    const refusal = standing === 'read-and-write' ? undefined : outdatedServer('unavailable', this.#schema, stored)
    this.#change(() => {
      this.#writes = refusal
      this.#reads = standing === 'nothing' ? refusal : undefined
    })
  }

  /** Whether the refusal is over can only be found out with a new connection for writing. */
  get isWithoutWrites(): boolean {
    return this.#noWrites !== undefined
  }

  /** Records what a new connection for writing says: a row of the same statement. Whoever only reads may use one too, for
   *  transactions that write nothing. */
  noteWriter(row: Row, onlyReads: boolean): void {
    this.note(row)
    if (onlyReads) return
    const [isReadOnly, isStandby] = row.slice(3).map((value) => value?.[0] === 1)
    const refusal = isReadOnly === true ? takesNoWrites(isStandby === true ? 'standby' : 'read-only') : undefined
    this.#change(() => (this.#noWrites = refusal))
  }

  #change(change: () => void): void {
    const before = this.writeRefusal?.message
    change()
    if (this.writeRefusal?.message !== before) this.#onChange(this.writeRefusal)
  }
}
