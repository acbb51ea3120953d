import type { Table } from '../catalog/table.ts'
import { replicaIn } from '../replication/members.ts'
import { cursorWrite, type ReplicationCursor } from '../replication/cursor.ts'
import type { LinkHost } from './link-host.ts'

/** How far others have received what this store's replicas have written. It is remembered in the store, where it says what
 *  may be removed from change logs, and which tombstones may go. Every transaction makes writers wait for the disk, so it
 *  is written a few times a second. */
export class Acknowledgements {
  readonly #engine: LinkHost
  readonly #unwritten = new Map<
    string,
    { readonly table: Table; readonly to: string; readonly cursor: ReplicationCursor }
  >()
  readonly #written = new Map<string, string>()
  /** What was sent and not acknowledged yet. */
  readonly #sent = new Map<string, { readonly positions: string; readonly oldestAtMs: number }>()
  readonly #pauseMs: number
  #writtenAtMs = -Infinity

  constructor(engine: LinkHost, pauseMs: number) {
    this.#engine = engine
    this.#pauseMs = pauseMs
  }

  /** A page was sent; its latency is known when it is acknowledged. */
  sent(table: Table, to: string, cursor: ReplicationCursor, oldestAtMs: number | undefined): void {
    if (oldestAtMs === undefined) return
    const name = nameOf(table, to)
    if (name === undefined) return
    const { oldestAtMs: before = oldestAtMs } = this.#sent.get(name) ?? {}
    this.#sent.set(name, { positions: positionsText(cursor), oldestAtMs: Math.min(before, oldestAtMs) })
  }

  note(table: Table, to: string, cursor: ReplicationCursor): void {
    const name = nameOf(table, to)
    if (name === undefined) return
    const positions = positionsText(cursor)
    const sent = this.#sent.get(name)
    if (sent?.positions === positions) {
      this.#sent.delete(name)
      this.#engine.capacity.didReplicate(table, to, this.#engine.clock.now() - sent.oldestAtMs)
    }
    if (this.#written.get(name) !== positions) this.#unwritten.set(name, { table, to, cursor })
  }

  async write(): Promise<void> {
    if (this.#unwritten.size === 0 || performance.now() - this.#writtenAtMs < this.#pauseMs) return
    this.#writtenAtMs = performance.now()
    const all = [...this.#unwritten].filter(
      ([name, { table, to }]) => this.#exists(table) && name === nameOf(table, to),
    )
    this.#unwritten.clear()
    const writes = all.map(([, { table, to, cursor }]) => cursorWrite(table.id, to, cursor))
    await this.#engine.store.transact([], () => ({ writes, answer: undefined }))
    for (const [name, { cursor }] of all) this.#written.set(name, positionsText(cursor))
  }

  #exists({ id, name, definition }: Table): boolean {
    return this.#engine.catalog.find(definition, name)?.id === id
  }
}

/** A replica that comes back to a region is another one: what is known of the one before is forgotten in the store.
 *  Undefined if there is none. */
function nameOf({ id, definition }: Table, to: string): string | undefined {
  const replica = replicaIn(definition, to)
  return replica && `${id} ${to} ${replica.joinedAtMs ?? 0}`
}

function positionsText({ positions }: ReplicationCursor): string {
  return JSON.stringify(positions, Object.keys(positions).toSorted())
}
