import { assertItemTypes, itemSizeBytes, limits, readItem, validationException } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import type { Transacting } from '../catalog/transact-on-tables.ts'
import { assertNotDropped } from '../catalog/assert-not-dropped.ts'
import { keyInTable } from '../catalog/key-in-table.ts'
import { ChangePlan, storedOf } from '../items/change-plan.ts'
import { checkItem } from '../items/check-schema.ts'
import { mostStoredBytes, StoredItem, writeStored } from '../items/stored-item.ts'
import { CanonicalItem } from './formats/canonical-item.ts'
import { SortedRun } from './sorted-run.ts'

/** Short enough that requests are answered in between, long enough that many items share a commit. */
const itemsPerTransaction = 2_000
/** One is written to disk while the next is decided. */
const transactionsUnderWay = 2
/** How much is collected and sorted before it is written, while as much is being collected beside it. */
const runBytes = 67_108_864

/** Puts many items into a table: like PutItem, with their index entries, but some thousands per transaction and in
 *  key order. Of items with the same key, the last remains. Only for a table without local indexes, which imports
 *  never create. */
export class BulkLoad {
  readonly #engine: Transacting
  readonly #table: Table
  #gathered = new SortedRun()
  #written = new SortedRun()
  #writing = Promise.resolve()

  constructor(engine: Transacting, table: Table) {
    if (table.definition.localIndexes.length > 0) throw new Error('a bulk load keeps no sizes of collections')
    this.#engine = engine
    this.#table = table
  }

  /** Throws what PutItem would throw if this is not a valid item of the table; the item is then left out. A
   *  CanonicalItem must have the attributes that are keys of the table or of an index. */
  add(raw: unknown): void {
    const { json, sizeBytes, attributes } = raw instanceof CanonicalItem ? raw : canonicalOf(raw)
    if (sizeBytes > limits.itemSizeBytes) {
      throw validationException('Item size has exceeded the maximum allowed size')
    }
    checkItem(this.#table, attributes)
    this.#gathered.add(keyInTable(this.#table, attributes), mostStoredBytes(json), (target, offset) =>
      writeStored(target, offset, json, sizeBytes),
    )
  }

  /** Whether enough has been collected to be written. */
  get isFull(): boolean {
    return this.#gathered.bytes >= runBytes || this.#gathered.isFull
  }

  /** Starts writing what has been collected, once what was collected before is written. Throws the error of that. */
  async beginWrite(): Promise<void> {
    await this.#writing
    const run = this.#gathered
    this.#gathered = this.#written
    this.#written = run
    this.#writing = this.#write(run)
    // Whoever waits for it gets its failure; until then it must not count as unhandled.
    this.#writing.catch(() => undefined)
  }

  /** Everything that was added is durable when this returns. */
  async finish(): Promise<void> {
    await this.beginWrite()
    await this.#writing
  }

  /** Waits for what is being written, and leaves the rest. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => undefined)
  }

  async #write(run: SortedRun): Promise<void> {
    const numbers = run.sorted()
    const writing = new Set<Promise<void>>()
    try {
      for (let start = 0; start < numbers.length; start += itemsPerTransaction) {
        const transaction = this.#writeSome(run, numbers.slice(start, start + itemsPerTransaction))
        writing.add(transaction)
        void transaction.finally(() => writing.delete(transaction)).catch(() => undefined)
        if (writing.size >= transactionsUnderWay) await Promise.race(writing)
      }
      await Promise.all(writing)
    } finally {
      // After a failure, the others still use the run.
      await Promise.allSettled(writing)
      run.clear()
    }
  }

  #writeSome(run: SortedRun, numbers: readonly number[]): Promise<void> {
    const table = this.#table
    const keys = numbers.map((number) => run.key(number))
    return transactOnTables(this.#engine, [table], keys, (values, at) => {
      assertNotDropped(table)
      const plan = new ChangePlan({ at, expired: false })
      keys.forEach((key, position) => {
        const next = new StoredItem(run.value(numbers[position] ?? 0))
        plan.add({ table, key, previous: storedOf(values[position]), next }, undefined)
      })
      return { writes: plan.writes, answer: undefined, effect: plan.effect }
    })
  }
}

function canonicalOf(raw: unknown): CanonicalItem {
  assertItemTypes(raw)
  const item = readItem(raw)
  return new CanonicalItem(JSON.stringify(item), itemSizeBytes(item), item)
}
