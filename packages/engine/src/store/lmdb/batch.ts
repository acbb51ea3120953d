import { addToCounters } from '../counters.ts'
import { AppliedEffects } from '../effect.ts'
import { keyText } from '../key-text.ts'
import { encodeSequence, logEntryKey, sequenceAfter } from '../sequence.ts'
import type { Decision, IsSpare, Key, KeyChange, Value, Write } from '../store.ts'
import type { DataFile } from './data-file.ts'

export type Outcome =
  { readonly ok: true; readonly answer: unknown } | { readonly ok: false; readonly error: unknown }

type Decide = (values: readonly (Value | undefined)[]) => Decision<unknown>

/** The transactions that share a commit. They are decided one after another, and each sees the writes of those before
 *  it; the result is one change per key. */
export class Batch {
  readonly #data: DataFile
  readonly #changes = new Map<string, KeyChange>()
  /** Summed over the whole batch, so that the counters of a busy table are read and written once. */
  readonly #sums = new Map<string, { readonly key: Key; readonly amounts: number[] }>()
  readonly #effects = new AppliedEffects()
  readonly #sequenceBefore: bigint
  /** The previous batch, as long as the database does not show it. */
  readonly #before: Batch | undefined
  #lastSequence: bigint
  #bytes = 0

  constructor(data: DataFile, lastSequence: bigint, before?: Batch) {
    this.#data = data
    this.#before = before
    this.#sequenceBefore = lastSequence
    this.#lastSequence = lastSequence
  }

  /** Roughly how much has been written so far. */
  get bytes(): number {
    return this.#bytes
  }

  get lastSequence(): bigint {
    return this.#lastSequence
  }

  run(keys: readonly Key[], decide: Decide, isSpare?: IsSpare): Outcome {
    try {
      const values: (Value | undefined)[] = []
      for (const key of keys) {
        values.push(isSpare?.(values.length, values) === true ? undefined : this.#read(key))
      }
      const { writes, answer, effect } = decide(values)
      // An error halfway would leave half a decision behind: keys are checked before the first write.
      for (const write of writes) assertKeyFits(write.kind === 'append' ? write.log : write.key)
      for (const write of writes) this.#apply(write)
      if (effect !== undefined) this.#effects.apply(effect)
      return { ok: true, answer }
    } catch (error) {
      return { ok: false, error }
    }
  }

  /** Discards all of it. */
  undoEffects(): void {
    this.#effects.undo()
  }

  /** One change for each key that was written; none if nothing was. */
  changes(): readonly KeyChange[] {
    for (const [name, { key, amounts }] of this.#sums) {
      this.#changes.set(name, {
        key,
        name,
        value: addToCounters(this.#lookUp(key, name), amounts),
        about: undefined,
      })
    }
    this.#sums.clear()
    if (this.#lastSequence !== this.#sequenceBefore) {
      this.#put(lastSequenceKey, encodeSequence(this.#lastSequence))
    }
    return [...this.#changes.values()]
  }

  #read(key: Key): Value | undefined {
    // A transaction that is alone need not look at other writes.
    if (this.#changes.size === 0 && this.#sums.size === 0 && this.#before === undefined) return this.#data.get(key)
    const name = keyText(key)
    const value = this.#lookUp(key, name)
    const sum = this.#sums.get(name)
    return sum === undefined ? value : addToCounters(value, sum.amounts)
  }

  #lookUp(key: Key, name: string): Value | undefined {
    let change = this.#changes.get(name)
    if (change === undefined && this.#before !== undefined) change = this.#before.#changes.get(name)
    return change === undefined ? this.#data.get(key) : change.value
  }

  #apply(write: Write): void {
    switch (write.kind) {
      case 'put':
        this.#put(write.key, write.value)
        return
      case 'insert':
        if (this.#read(write.key) === undefined) this.#put(write.key, write.value)
        return
      case 'delete':
        this.#set(write.key, undefined)
        return
      case 'add':
        this.#add(write.key, write.amounts)
        return
      case 'append':
        this.#lastSequence = sequenceAfter(this.#lastSequence, write.atMs)
        this.#put(logEntryKey(write.log, this.#lastSequence), write.value, write.about)
        return
      default:
        throw new Error('an unknown kind of write')
    }
  }

  #put(key: Key, value: Value, about?: unknown): void {
    this.#bytes += value.length
    this.#set(key, value, about)
  }

  #set(key: Key, value: Value | undefined, about?: unknown): void {
    const name = keyText(key)
    this.#bytes += name.length
    this.#sums.delete(name)
    this.#changes.set(name, { key, name, value, about })
  }

  #add(key: Key, amounts: readonly number[]): void {
    const name = keyText(key)
    const sum = this.#sums.get(name)?.amounts
    if (sum === undefined) {
      this.#sums.set(name, { key, amounts: [...amounts] })
      return
    }
    for (let index = 0; index < amounts.length; index++) sum[index] = (sum[index] ?? 0) + (amounts[index] ?? 0)
  }
}

/** Kept by the store itself; the engine's keys begin above it. ON DISK. */
export const lastSequenceKey = Buffer.of(0x00)

const maximumKeyBytes = 1_978

function assertKeyFits(key: Key): void {
  if (key.length === 0 || key.length > maximumKeyBytes) throw new Error(`a key of ${key.length} bytes does not fit`)
}
