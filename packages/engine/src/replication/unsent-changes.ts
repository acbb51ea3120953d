import type { Table } from '../catalog/table.ts'
import { IndexKeys } from '../items/index-keys.ts'
import { stampInside } from '../items/stored-item.ts'
import { keyText } from '../store/key-text.ts'
import { idOfKey, keySpace, lastSequenceKey } from '../layout/key-space.ts'
import { isStampOf } from '../stamps/item-stamp.ts'
import { decodeSequence } from '../store/sequence.ts'
import type { CommittedBatch, Following, Key, Store, Value } from '../store/store.ts'

/** What replicas must still send to others in the same store, in memory: then nobody reads it from the change log, and
 *  the items again, a moment after it was written. Nothing depends on it. It follows the store, which only a store that no
 *  other process writes to allows. What is too much to be remembered is forgotten, and then read from the log. */
export class UnsentChanges {
  readonly #store: Store
  readonly #steadyMs: () => number
  readonly #mostBytes: number
  /** By the identifier of the table that sends. */
  readonly #outboxes = new Map<number, Outbox[]>()
  #following: Following | undefined
  #sequence = 0n

  /** `mostBytes` is how much is remembered of all replicas together. */
  constructor(store: Store, steadyMs: () => number, mostBytes = 32 * 2 ** 20) {
    this.#store = store
    this.#steadyMs = steadyMs
    this.#mostBytes = mostBytes
  }

  /** Remembers what is written from now on. Whoever then reads the log to its end has missed nothing. */
  begin(source: Table, target: Table): Outbox | undefined {
    this.forget(source, target)
    const { replication, region } = source.definition
    if (replication === undefined || this.#store.follow === undefined) return undefined
    this.#following ??= this.#store.follow((batch) => this.#take(batch))
    const outbox = new Outbox(target, region, replication.stampsId)
    this.#outboxes.set(source.id, [...(this.#outboxes.get(source.id) ?? []), outbox])
    return outbox
  }

  /** What must be sent, if all of it is known. */
  of(source: Table, target: Table): Outbox | undefined {
    const outbox = this.#outboxes.get(source.id)?.find(({ targetId }) => targetId === target.id)
    const isKnown = outbox?.isComplete === true && outbox.stampsId === source.definition.replication?.stampsId
    return isKnown ? outbox : undefined
  }

  forget(source: Table, target: Table): void {
    const left = this.#outboxes.get(source.id)?.filter(({ targetId }) => targetId !== target.id)
    if (left === undefined) return
    if (left.length > 0) this.#outboxes.set(source.id, left)
    else this.#outboxes.delete(source.id)
    if (this.#outboxes.size === 0) this.forgetAll()
  }

  forgetAll(): void {
    this.#outboxes.clear()
    this.#following?.stop()
    this.#following = undefined
  }

  #take({ changes }: CommittedBatch): void {
    for (const { key, name = keyText(key), value, about } of changes) {
      if (key[0] === keySpace.item) {
        for (const outbox of this.#outboxes.get(idOfKey(key)) ?? []) outbox.add(key, name, value, this.#steadyMs)
      } else if (key[0] === keySpace.changeLog) {
        for (const outbox of this.#outboxes.get(idOfKey(key)) ?? []) outbox.addRecord(value, about)
      } else if (key[0] === lastSequenceKey[0] && value !== undefined) {
        this.#sequence = decodeSequence(value)
      }
    }
    let bytes = 0
    for (const outboxes of this.#outboxes.values()) {
      for (const outbox of outboxes) {
        outbox.through = this.#sequence
        bytes += outbox.bytes
      }
    }
    if (bytes > this.#mostBytes) this.forgetAll()
  }
}

/** What an entry takes beside its value, roughly. */
const bytesPerEntry = 300

/** What one replica must still send to one other: the last state of each item. */
export class Outbox {
  /** A replica that comes back to a region is another one: it may lack what the one before was sent. */
  readonly targetId: number
  readonly stampsId: number
  /** Everything that was logged up to here is in it, or has been sent. */
  through = 0n
  /** Whether everything from before it was begun has been sent. */
  isComplete = false
  readonly #region: string
  #states = new Map<string, UnsentState>()
  /** The one that was added last: the next record in the log is about it, unless it was changed twice in one commit. */
  #last: UnsentState | undefined
  /** Whether anything was logged that the stored cursor is not past. */
  #isLogged = false
  #bytes = 0
  #sinceSteadyMs = Infinity
  #sending: { readonly count: number; readonly sinceSteadyMs: number } = nothingSent

  constructor(target: Table, region: string, stampsId: number) {
    this.targetId = target.id
    this.stampsId = stampsId
    this.#region = region
  }

  get bytes(): number {
    return this.#bytes
  }

  get count(): number {
    return this.#states.size + this.#sending.count
  }

  /** Since when the oldest of it has waited. */
  get sinceSteadyMs(): number {
    return Math.min(this.#sinceSteadyMs, this.#sending.sinceSteadyMs)
  }

  get isSent(): boolean {
    return this.#states.size === 0 && !this.#isLogged
  }

  /** What other regions have written is not sent. */
  add(key: Key, name: string, value: Value | undefined, steadyMs: () => number): void {
    const stamp = value && stampInside(value, this.stampsId)
    if (stamp !== undefined && !isStampOf(stamp, this.#region)) {
      this.#states.delete(name)
      this.#last = undefined
      return
    }
    if (this.#states.size === 0) this.#sinceSteadyMs = steadyMs()
    // Without a stamp in it, the state is looked up when it is sent.
    this.#last = { name, key, value: stamp && value, record: undefined, indexKeys: undefined }
    this.#states.set(name, this.#last)
    this.#bytes += bytesPerEntry + (value?.length ?? 0)
  }

  addRecord(record: Value | undefined, about: unknown): void {
    this.#isLogged = true
    if (this.#last?.value !== undefined && record !== undefined) {
      this.#last.record = record
      this.#bytes += record.length
      if (about instanceof IndexKeys) {
        this.#last.indexKeys = about
        this.#bytes += about.bytes
      }
    }
    this.#last = undefined
  }

  /** Takes out everything. Call `sent` when it has been applied. */
  take(): readonly UnsentState[] {
    const states = [...this.#states.values()]
    this.#sending = { count: states.length, sinceSteadyMs: this.#sinceSteadyMs }
    this.#states = new Map()
    this.#bytes = 0
    this.#sinceSteadyMs = Infinity
    this.#isLogged = false
    this.#last = undefined
    return states
  }

  sent(): void {
    this.#sending = nothingSent
    this.isComplete = true
  }
}

export interface UnsentState {
  /** The key as text. */
  readonly name: string
  readonly key: Key
  /** The stored item with its stamp; undefined if it must be looked up. */
  readonly value: Value | undefined
  /** What was logged next: usually the record of this change. */
  record: Value | undefined
  /** The keys in indexes that belong to it. */
  indexKeys: IndexKeys | undefined
}

const nothingSent = { count: 0, sinceSteadyMs: Infinity }
