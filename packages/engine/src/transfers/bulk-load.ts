import { assertItemTypes, itemSizeBytes, limits, readItem, validationException } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import type { Engine } from '../engine.ts'
import { assertNotDropped, keyInTable } from '../items/change-item.ts'
import { ChangePlan, storedOf } from '../items/change-plan.ts'
import { checkItem } from '../items/check-schema.ts'
import { StoredItem } from '../items/stored-item.ts'
import { SortedRun } from './sorted-run.ts'

/** Short enough that requests are answered in between, long enough that a commit is paid for by many items. */
const itemsPerTransaction = 2_000
/** One is being written to disk while the next is decided. */
const transactionsUnderWay = 2
/** So much is gathered and sorted before it is written. */
const runBytes = 134_217_728

/** Puts many items into a table: as PutItem would, with their index entries, but some thousands in a transaction and in
 *  the order of their keys. Of items with the same key the last remains. Only for a table without local indexes,
 *  which no import makes. */
export class BulkLoad {
  readonly #engine: Engine
  readonly #table: Table
  readonly #run = new SortedRun()

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
    this.#run.add(keyInTable(this.#table, item), StoredItem.of(item, sizeBytes).value)
  }

  /** Whether what has been gathered is enough to be written. */
  get isFull(): boolean {
    return this.#run.bytes >= runBytes || this.#run.isFull
  }

  /** Everything that was added is durable when this returns. */
  async write(): Promise<void> {
    const numbers = this.#run.sorted()
    const writing = new Set<Promise<void>>()
    try {
      for (let start = 0; start < numbers.length; start += itemsPerTransaction) {
        const transaction = this.#writeSome(numbers.slice(start, start + itemsPerTransaction))
        writing.add(transaction)
        void transaction.finally(() => writing.delete(transaction)).catch(() => undefined)
        if (writing.size >= transactionsUnderWay) await Promise.race(writing)
      }
      await Promise.all(writing)
    } finally {
      // After a failure the others still use the run.
      await Promise.allSettled(writing)
      this.#run.clear()
    }
  }

  #writeSome(numbers: readonly number[]): Promise<void> {
    const table = this.#table
    const keys = numbers.map((number) => this.#run.key(number))
    return this.#engine.store.transact(keys, (values) => {
      assertNotDropped(table)
      const plan = new ChangePlan({ atMs: this.#engine.clock.now(), expired: false })
      keys.forEach((key, position) => {
        const next = new StoredItem(this.#run.value(numbers[position] ?? 0))
        plan.add({ table, key, previous: storedOf(values[position]), next }, undefined)
      })
      return { writes: plan.writes, answer: undefined }
    })
  }
}
