import type { IndexDefinition, TableDefinition } from '../definitions/table-definition.ts'
import type { Key } from '../store/store.ts'

/** The keys of an item in the indexes of its table, before and after a change of it. They go with the record of the change
 *  to whoever follows the store. A replica that makes the same change has the same keys, but for the identifiers of its
 *  own indexes, and need not hash anything. */
export class IndexKeys {
  readonly #definition: TableDefinition
  #entries: readonly KeysInIndex[] = []

  constructor(definition: TableDefinition) {
    this.#definition = definition
  }

  add(index: IndexDefinition, before: Key | undefined, after: Key | undefined): void {
    // Most tables have one index or none, and an array that grows makes room for many: thousands of these wait to be sent.
    this.#entries = [...this.#entries, { index, before, after }]
  }

  /** What it takes in memory, roughly. */
  get bytes(): number {
    let bytes = bytesPerIndex
    for (const { before, after } of this.#entries) {
      bytes += bytesPerIndex + (before?.length ?? 0) + (after === before ? 0 : (after?.length ?? 0))
    }
    return bytes
  }

  /** The keys in the same index of another replica; undefined if they are not known. */
  in(definition: TableDefinition, index: IndexDefinition): KeysInIndex | undefined {
    const known = this.#entries.find((entry) => entry.index.indexName === index.indexName)
    if (known === undefined || !this.#hasSameKeys(known.index, definition, index)) return undefined
    const before = known.before && movedTo(index, known.before)
    const after = known.after === known.before ? before : known.after && movedTo(index, known.after)
    return { index, before, after }
  }

  #hasSameKeys(own: IndexDefinition, definition: TableDefinition, index: IndexDefinition): boolean {
    const isSame = (names: readonly string[], others: readonly string[]): boolean =>
      names.length === others.length &&
      names.every(
        (name, position) =>
          name === others[position] && this.#definition.attributeTypes[name] === definition.attributeTypes[name],
      )
    return isSame(own.keySchema.hash, index.keySchema.hash) && isSame(own.keySchema.range, index.keySchema.range)
  }
}

const bytesPerIndex = 200

/** Undefined where the item is not in the index. */
export interface KeysInIndex {
  readonly index: IndexDefinition
  readonly before: Key | undefined
  readonly after: Key | undefined
}

function movedTo({ indexId }: IndexDefinition, key: Key): Key {
  const moved = Buffer.allocUnsafe(key.length)
  moved.set(key)
  moved.writeUInt32BE(indexId, 1)
  return moved
}
