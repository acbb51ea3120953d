import { keyText } from '../key-text.ts'
import type { KeyChange, Range } from '../store.ts'
import { firstNotBefore, type RecentChange, type RecentChanges, type Run } from './recent-changes.ts'

/** The changes of several layers in a range, in its order, one after the other. Where several layers have changed a
 *  key, the latest counts. */
export class ChangesInRange {
  /** From the latest layer to the oldest. */
  readonly #cursors: readonly Cursor[]
  #next: KeyChange | undefined

  /** The layers are given from the oldest to the latest. */
  constructor(layers: readonly RecentChanges[], { from, to, reverse = false }: Range) {
    const bounds = { from: keyText(from), to: keyText(to), reverse }
    const cursors: Cursor[] = []
    for (let index = layers.length - 1; index >= 0; index--) {
      const layer = layers[index]
      if (layer === undefined || layer.count === 0) continue
      for (const run of layer.runs()) {
        const cursor = new Cursor(layer, run, bounds)
        if (cursor.entry !== undefined) cursors.push(cursor)
      }
    }
    this.#cursors = cursors
    if (cursors.length > 0) this.#next = this.#take()
  }

  /** The next one, which stays the next one until it is passed. */
  get next(): KeyChange | undefined {
    return this.#next
  }

  pass(): void {
    this.#next = this.#take()
  }

  #take(): KeyChange | undefined {
    let first: Cursor | undefined
    for (const cursor of this.#cursors) {
      if (cursor.entry === undefined) continue
      if (first?.entry === undefined || cursor.isBefore(first.entry)) first = cursor
    }
    const entry = first?.entry
    if (first === undefined || entry === undefined) return undefined
    const { name } = entry
    const value = first.layer.look(entry)
    for (const cursor of this.#cursors) if (cursor.entry?.name === name) cursor.pass()
    return { key: Buffer.from(name, 'latin1'), value: value && Buffer.from(value) }
  }
}

interface Bounds {
  readonly from: string
  readonly to: string
  readonly reverse: boolean
}

class Cursor {
  readonly layer: RecentChanges
  readonly #run: Run
  readonly #bounds: Bounds
  #position: number
  /** Where it is; undefined at the end of the range. */
  entry: RecentChange | undefined

  constructor(layer: RecentChanges, run: Run, bounds: Bounds) {
    this.layer = layer
    this.#run = run
    this.#bounds = bounds
    this.#position = bounds.reverse ? firstNotBefore(run, bounds.to) - 1 : firstNotBefore(run, bounds.from)
    this.entry = this.#look()
  }

  isBefore({ name }: RecentChange): boolean {
    const own = this.entry?.name ?? ''
    return this.#bounds.reverse ? own > name : own < name
  }

  pass(): void {
    this.#position += this.#bounds.reverse ? -1 : 1
    this.entry = this.#look()
  }

  #look(): RecentChange | undefined {
    const entry = this.#run[this.#position]
    if (entry === undefined) return undefined
    const { from, to, reverse } = this.#bounds
    return reverse ? (entry.name >= from ? entry : undefined) : entry.name < to ? entry : undefined
  }
}
