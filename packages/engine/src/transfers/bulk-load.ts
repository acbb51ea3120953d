import { assertItemTypes, itemSizeBytes, limits, readItem, validationException } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import type { Engine } from '../engine.ts'
import { assertNotDropped, keyInTable } from '../items/change-item.ts'
import { ChangePlan, storedOf } from '../items/change-plan.ts'
import { checkItem } from '../items/check-schema.ts'
import { StoredItem } from '../items/stored-item.ts'
import { keyText } from '../layout/key-bounds.ts'
import type { Key } from '../store/store.ts'

/** Short enough that requests are answered in between, long enough that a commit is paid for by many items. */
const itemsPerTransaction = 2_000
/** One is being written to disk while the next is being filled. */
const transactionsUnderWay = 2

/** Puts many items into a table: as PutItem would, with their index entries, but some thousands in a transaction. Of
 *  items with the same key the last remains. Only for a table without local indexes, which no import makes. */
export class BulkLoad {
  readonly #engine: Engine
  readonly #table: Table
  #batch = new Map<string, { readonly key: Key; readonly next: StoredItem }>()
  readonly #writing = new Set<Promise<void>>()
  #failure: unknown

  constructor(engine: Engine, table: Table) {
    if (table.definition.localIndexes.length > 0) throw new Error('a bulk load keeps no sizes of collections')
    this.#engine = engine
    this.#table = table
  }

  /** Throws what PutItem would throw, if this is no item of the table; the item is then left out. */
  add(raw: unknown): void {
    assertItemTypes(raw)
    const item = readItem(raw)
    const sizeBytes = itemSizeBytes(item)
    if (sizeBytes > limits.itemSizeBytes) {
      throw validationException('Item size has exceeded the maximum allowed size')
    }
    checkItem(this.#table, item)
    const key = keyInTable(this.#table, item)
    this.#batch.set(keyText(key), { key, next: StoredItem.of(item, sizeBytes) })
  }

  /** To be awaited now and then: gives the store what has been gathered, once that is enough. */
  async settle(): Promise<void> {
    if (this.#batch.size < itemsPerTransaction) return
    this.#write()
    while (this.#writing.size >= transactionsUnderWay) await Promise.race(this.#writing)
    this.#throwFailure()
  }

  /** Everything that was added is durable when this returns. */
  async finish(): Promise<void> {
    if (this.#batch.size > 0) this.#write()
    await Promise.all(this.#writing)
    this.#throwFailure()
  }

  #write(): void {
    const changes = [...this.#batch.values()]
    this.#batch = new Map()
    // Neighbours in the store are written together.
    changes.sort((a, b) => Buffer.compare(a.key, b.key))
    const keys = changes.map(({ key }) => key)
    const writing = this.#engine.store
      .transact(keys, (values) => {
        assertNotDropped(this.#table)
        const plan = new ChangePlan({ atMs: this.#engine.clock.now(), expired: false })
        for (let position = 0; position < changes.length; position++) {
          const change = changes[position]
          if (change === undefined) continue
          const previous = storedOf(values[position])
          plan.add({ table: this.#table, key: change.key, previous, next: change.next }, undefined)
        }
        return { writes: plan.writes, answer: undefined }
      })
      .catch((error: unknown) => {
        this.#failure ??= error
      })
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }
}
