import type { KeptLists } from '@hashrange/dax'
import { RecordSpace, type Store } from '@hashrange/engine'

/** A list of attribute names by its number; or, by the name `total`, how many bytes all lists take. ON DISK as JSON. */
interface ListRecord {
  readonly id: string
  readonly names?: readonly string[]
  readonly bytes?: number
}

/** Numbers follow from the names: they are the same for all accounts. */
const scope = { accountId: 'all', region: 'global' }
const total = ['total']
/** Programs need kilobytes. */
const mostBytes = 64 * 1024 * 1024

/** Keeps the lists of attribute names that DAX's clients were given numbers for in the store, so that a restart does not
 *  forget them, and all servers of a store know them. */
export class KeptAttributeLists implements KeptLists {
  readonly #store: Store
  readonly #records: RecordSpace<ListRecord>
  readonly #mostBytes: number

  constructor(store: Store, most = mostBytes) {
    this.#store = store
    this.#records = new RecordSpace(store, 'daxAttributeList')
    this.#mostBytes = most
  }

  async get(id: number): Promise<readonly string[] | undefined> {
    return (await this.#records.get(scope, [String(id)]))?.names
  }

  async keep(id: number, names: readonly string[]): Promise<readonly string[]> {
    const meant = await this.#keepIfRoom(id, names)
    if (meant !== undefined) return meant
    // Nothing says which lists are still in use. Those that are stay in the memory of the servers that run.
    await this.#records.removeAll(() => true)
    return (await this.#keepIfRoom(id, names)) ?? names
  }

  #keepIfRoom(id: number, names: readonly string[]): Promise<readonly string[] | undefined> {
    const records = this.#records
    const parts = [String(id)]
    const record = { id: String(id), names }
    const keys = [records.key(scope, parts), records.key(scope, total)]
    return this.#store.transact(keys, ([list, sum]) => {
      const held = records.decode(list)?.names
      if (held !== undefined) return { writes: [], answer: held }
      const bytes = (records.decode(sum)?.bytes ?? 0) + Buffer.byteLength(JSON.stringify(record))
      if (bytes > this.#mostBytes) return { writes: [], answer: undefined }
      const writes = [records.put(scope, parts, record), records.put(scope, total, { id: 'total', bytes })]
      return { writes, answer: names }
    })
  }
}
