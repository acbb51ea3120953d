import { breathe } from '../work/background-work.ts'
import { storedPages, type Entry } from '../backups/stored-pages.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { indexEntryOf } from '../items/index-entry.ts'
import type { StoredItem } from '../items/stored-item.ts'
import { collectionKey } from '../layout/item-keys.ts'
import { above } from '../layout/key-bounds.ts'
import { keyText } from '../store/key-text.ts'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import { decodeCounters, encodeCounters } from '../store/counters.ts'
import { isExpired } from '../store/short-snapshots.ts'
import type { Key, MaybePromise, Snapshot, Value, Write } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import type { Repair } from './finding.ts'
import type { KnownTable } from './known-table.ts'
import { hexOf, placeOfTable } from './place.ts'
import { readStoredItem } from './read-stored-item.ts'
import type { Verification } from './verification.ts'

/** An item that was read; damaged if it has no `stored`. */
export interface KeptItem {
  readonly key: Key
  readonly stored: StoredItem | undefined
}

/** Compares the stored sizes of item collections, which tables with local indexes have, with their items. The items
 *  of a collection are consecutive, so one sum is kept at a time. What seems wrong may only have been changed between
 *  two pages: it is read again as a whole. */
export class CollectionSizes {
  readonly #run: Verification
  readonly #table: KnownTable
  #current: { readonly key: Key; readonly name: string; bytes: number } | undefined
  readonly #suspects: Key[] = []

  constructor(run: Verification, table: KnownTable) {
    this.#run = run
    this.#table = table
  }

  /** The next items of the table. */
  add(snapshot: Snapshot, definition: TableDefinition, items: readonly KeptItem[]): MaybePromise<void> {
    if (!hasSizes(definition)) return undefined
    const ended: { readonly key: Key; readonly bytes: number }[] = []
    for (const { key, stored } of items) {
      const collection = collectionKey(key)
      const name = keyText(collection)
      if (this.#current?.name !== name) {
        if (this.#current !== undefined) ended.push(this.#current)
        this.#current = { key: collection, name, bytes: 0 }
      }
      this.#current.bytes += shareOf(definition, key, stored)
    }
    return this.#compare(snapshot, ended)
  }

  /** Checks what is left: the last collection, those that seemed wrong, and sizes of collections without items. */
  async finish(): Promise<void> {
    const { definition } = this.#table
    if (!hasSizes(definition) || this.#run.stopping.aborted) return
    const last = this.#current
    if (last !== undefined) await this.#run.store.view((snapshot) => this.#compare(snapshot, [last]))
    await this.#recheck()
    await this.#run.eachPage(spaceRange(keySpace.collection, definition.tableId), (snapshot, page) =>
      whenThere(this.#withoutItems(snapshot, page), () => []),
    )
    await this.#recheck()
  }

  #compare(
    snapshot: Snapshot,
    ended: readonly { readonly key: Key; readonly bytes: number }[],
  ): MaybePromise<void> {
    if (ended.length === 0) return undefined
    return whenThere(snapshot.getMany(ended.map(({ key }) => key)), (values) => {
      ended.forEach(({ key, bytes }, position) => {
        if ((decodeCounters(values[position])[0] ?? 0) !== bytes) this.#suspects.push(key)
      })
    })
  }

  #withoutItems(snapshot: Snapshot, page: readonly Entry[]): MaybePromise<void> {
    const [first, ...rest] = page
    if (first === undefined) return undefined
    let hasItems = false
    const visit = (): boolean => {
      hasItems = true
      return false
    }
    return whenThere(snapshot.range({ ...itemsOf(first.key), limit: 1 }, visit), () => {
      if (!hasItems) this.#suspects.push(first.key)
      return this.#withoutItems(snapshot, rest)
    })
  }

  async #recheck(): Promise<void> {
    for (const key of this.#suspects.splice(0)) {
      if (this.#run.stopping.aborted) return
      await this.#checkWhole(key)
    }
  }

  async #checkWhole(key: Key): Promise<void> {
    const untilMs = performance.now() + this.#run.longestSnapshotMs
    const snapshot = await this.#run.store.openSnapshot()
    try {
      const definition = await this.#table.in(snapshot)
      if (definition === undefined || !hasSizes(definition)) return
      const stored = await snapshot.get(key)
      let bytes = 0
      for await (const page of storedPages(snapshot, itemsOf(key))) {
        if (this.#run.stopping.aborted || performance.now() > untilMs) {
          this.#leaveOut(key)
          return
        }
        for (const item of page) bytes += shareOf(definition, item.key, readStoredItem(item.value).stored)
        await breathe()
      }
      const [said = 0] = decodeCounters(stored)
      if (said === bytes && (stored === undefined) === (bytes === 0)) return
      await this.#run.report([
        {
          kind: 'collection-size',
          place: { ...placeOfTable(definition), storedKey: hexOf(key) },
          problem: `The item collection has ${bytes} bytes, but ${said} are stored.`,
          repair: sizeRepair(key, stored, said, bytes),
        },
      ])
    } catch (error) {
      if (!isExpired(error)) throw error
      this.#leaveOut(key)
    } finally {
      snapshot.close()
    }
  }

  #leaveOut(key: Key): void {
    this.#run.leaveOut(
      { ...placeOfTable(this.#table.definition), storedKey: hexOf(key) },
      'The item collection is too large to be added up while others write to it.',
    )
  }
}

function hasSizes({ localIndexes }: TableDefinition): boolean {
  return localIndexes.length > 0
}

/** What an item adds to the size of its collection: itself, and its entries in local indexes. */
function shareOf(definition: TableDefinition, key: Key, stored: StoredItem | undefined): number {
  if (stored === undefined) return 0
  let bytes = stored.sizeBytes
  for (const index of definition.localIndexes) {
    bytes += indexEntryOf(definition, index, key, stored)?.stored.sizeBytes ?? 0
  }
  return bytes
}

function itemsOf(collection: Key): { readonly from: Key; readonly to: Key } {
  const from = Buffer.from(collection)
  from[0] = keySpace.item
  return { from, to: above(from) }
}

/** Writes add their changes to the size that they find: so does this, if it has changed since. */
function sizeRepair(key: Key, seen: Value | undefined, said: number, bytes: number): Repair {
  return {
    isExact: false,
    keys: [key],
    decide: ([found]): readonly Write[] => {
      const isAsSeen = found === undefined ? seen === undefined : seen?.equals(found) === true
      const size = isAsSeen ? bytes : (decodeCounters(found)[0] ?? 0) + bytes - said
      return [size === 0 ? { kind: 'delete', key } : { kind: 'put', key, value: encodeCounters([size]) }]
    },
  }
}
