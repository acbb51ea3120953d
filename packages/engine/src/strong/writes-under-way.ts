import type { TableDefinition } from '../definitions/table-definition.ts'
import { keyText } from '../store/key-text.ts'
import type { Key } from '../store/store.ts'
import { replicatedWriteConflict } from './strong-errors.ts'

const itemHeaderBytes = 5

/** The items of strongly consistent global tables that requests to this process are writing. Two regions cannot write
 *  an item at the same time. Where the regions have servers of their own, the store finds out. */
export class WritesUnderWay {
  readonly #items = new Map<string, { readonly region: string; writes: number }>()

  /** Begins a write, unless another region is writing the item. Returns how to end it. */
  begin({ replication, region }: TableDefinition, key: Key): () => void {
    const name = `${replication?.globalTableId} ${keyText(key.subarray(itemHeaderBytes))}`
    const known = this.#items.get(name)
    if (known !== undefined && known.region !== region) throw replicatedWriteConflict()
    const item = known ?? { region, writes: 0 }
    item.writes++
    this.#items.set(name, item)
    return () => {
      if (--item.writes === 0) this.#items.delete(name)
    }
  }
}
