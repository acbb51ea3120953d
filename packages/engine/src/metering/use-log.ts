import type { Table } from '../catalog/table.ts'
import type { IndexDefinition } from '../catalog/table-definition.ts'
import type { Key } from '../store/store.ts'
import type { KeyOwner } from './resource-meter.ts'

/** What becomes of the uses that were noted. */
export interface UseHandler<IndexWrites> {
  read(
    table: Table,
    index: IndexDefinition | undefined,
    key: Key,
    owner: KeyOwner,
    units: number,
    nowMs: number,
  ): void
  write(table: Table, writes: IndexWrites, key: Key, owner: KeyOwner, units: number, nowMs: number): void
  served(table: Table, operation: number, latencyMs: number | undefined, returned: number | undefined): void
}

const notesKept = 64
/** Uses above so many units keep a large item in memory, and are handled at once. */
const largeUnits = 64

/** Uses that are still to be counted. A request only leaves a note here; counting touches a lot of memory, and is done
 *  for many requests in one go, while it is in the processor's cache. */
export class UseLog<IndexWrites> {
  readonly #handler: UseHandler<IndexWrites>
  #notes = newNotes<IndexWrites>()
  #spare = newNotes<IndexWrites>()
  #count = 0

  constructor(handler: UseHandler<IndexWrites>) {
    this.#handler = handler
  }

  read(
    table: Table,
    index: IndexDefinition | undefined,
    key: Key,
    owner: KeyOwner,
    units: number,
    nowMs: number,
  ): void {
    const note = this.#next()
    note.kind = 'read'
    note.table = table
    note.index = index
    note.key = key
    note.owner = owner
    note.units = units
    note.nowMs = nowMs
    if (this.#count === notesKept) this.drain()
  }

  write(table: Table, writes: IndexWrites, key: Key, owner: KeyOwner, units: number, nowMs: number): void {
    const note = this.#next()
    note.kind = 'write'
    note.table = table
    note.writes = writes
    note.key = key
    note.owner = owner
    note.units = units
    note.nowMs = nowMs
    if (this.#count === notesKept || units > largeUnits) this.drain()
  }

  served(table: Table, operation: number, latencyMs: number | undefined, returned: number | undefined): void {
    const note = this.#next()
    note.kind = 'served'
    note.table = table
    note.operation = operation
    note.latencyMs = latencyMs
    note.returned = returned
    if (this.#count === notesKept) this.drain()
  }

  drain(): void {
    const count = this.#count
    if (count === 0) return
    // A handler that tells somebody may be asked for what was counted, and so come back here.
    const notes = this.#notes
    this.#notes = this.#spare
    this.#spare = notes
    this.#count = 0
    for (let at = 0; at < count; at++) {
      const note = notes[at]
      if (note !== undefined) this.#handle(note)
    }
  }

  #next(): Note<IndexWrites> {
    const note = this.#notes[this.#count++]
    if (note === undefined) throw new Error('there is room for a note')
    return note
  }

  #handle(note: Note<IndexWrites>): void {
    const { kind, table, index, writes, key, owner } = note
    note.table = undefined
    note.index = undefined
    note.writes = undefined
    note.key = undefined
    note.owner = undefined
    if (table === undefined) return
    if (kind === 'served') this.#handler.served(table, note.operation, note.latencyMs, note.returned)
    else if (key === undefined) return
    else if (kind === 'read') this.#handler.read(table, index, key, owner, note.units, note.nowMs)
    else if (writes !== undefined) this.#handler.write(table, writes, key, owner, note.units, note.nowMs)
  }
}

/** One request's use, or its end; used over and over. */
interface Note<IndexWrites> {
  kind: 'read' | 'write' | 'served'
  table: Table | undefined
  index: IndexDefinition | undefined
  writes: IndexWrites | undefined
  key: Key | undefined
  owner: KeyOwner
  units: number
  nowMs: number
  operation: number
  latencyMs: number | undefined
  returned: number | undefined
}

function newNotes<IndexWrites>(): readonly Note<IndexWrites>[] {
  return Array.from({ length: notesKept }, () => ({
    kind: 'read',
    table: undefined,
    index: undefined,
    writes: undefined,
    key: undefined,
    owner: undefined,
    units: 0.5,
    nowMs: 0.5,
    operation: 0,
    latencyMs: undefined,
    returned: undefined,
  }))
}
