import { keyText } from '../key-text.ts'
import type { KeyChange, Range } from '../store.ts'
import { firstNotBefore, type RecentChanges } from './recent-changes.ts'

/** The changes of several layers in a range, in its order, one after the other. Where several layers have changed a
 *  key, the latest counts. */
export class ChangesInRange {
  /** From the latest layer to the oldest. */
  readonly #cursors: readonly Cursor[]
  #next: KeyChange | undefined

  /** The layers are given from the oldest to the latest. */
  constructor(layers: readonly RecentChanges[], { from, to, reverse = false }: Range) {
    const cursors: Cursor[] = []
    for (let index = layers.length - 1; index >= 0; index--) {
      const layer = layers[index]
      if (layer === undefined || layer.count === 0) continue
      const names = layer.names()
      const start = firstNotBefore(names, keyText(from))
      const end = firstNotBefore(names, keyText(to), start)
      if (start < end) cursors.push(new Cursor(layer, names, start, end, reverse))
    }
    this.#cursors = cursors
    this.#next = this.#take()
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
      if (cursor.name === undefined) continue
      if (first?.name === undefined || cursor.isBefore(first.name)) first = cursor
    }
    const name = first?.name
    if (first === undefined || name === undefined) return undefined
    const value = first.layer.get(name) ?? undefined
    for (const cursor of this.#cursors) if (cursor.name === name) cursor.pass()
    return { key: Buffer.from(name, 'latin1'), value }
  }
}

class Cursor {
  readonly layer: RecentChanges
  readonly #names: readonly string[]
  readonly #step: 1 | -1
  #position: number
  #left: number

  constructor(layer: RecentChanges, names: readonly string[], start: number, end: number, reverse: boolean) {
    this.layer = layer
    this.#names = names
    this.#step = reverse ? -1 : 1
    this.#position = reverse ? end - 1 : start
    this.#left = end - start
  }

  get name(): string | undefined {
    return this.#left > 0 ? this.#names[this.#position] : undefined
  }

  isBefore(name: string): boolean {
    const own = this.name ?? ''
    return this.#step === 1 ? own < name : own > name
  }

  pass(): void {
    this.#position += this.#step
    this.#left--
  }
}
