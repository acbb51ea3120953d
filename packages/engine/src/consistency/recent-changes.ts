import type { Clock } from '../clock.ts'
import { changeOf } from '../items/key-change.ts'
import { keyHeaderBytes } from '../layout/item-keys.ts'
import { keyText } from '../store/key-text.ts'
import type { Effect } from '../store/effect.ts'
import type { Range, Value, Write } from '../store/store.ts'
import {
  defaultLagBytes,
  defaultLagSeed,
  defaultMaxLagMs,
  type EventualConsistency,
} from './eventual-consistency.ts'
import { lagOf } from './lag-of.ts'
import { SortedKeys } from './sorted-keys.ts'

/** One change of an item in one place: its table and local indexes, or a global index. All of its keys become visible
 *  at the same moment, so an entry that moves is never seen twice. */
export interface LaggedChange {
  readonly subject: string
  readonly visibleAtMs: number
  /** The previous value of each key. */
  readonly previous: Map<string, Value | undefined>
  bytes: number
  /** Whether it was rolled back. */
  forgotten: boolean
}

/** What the keys of items and index entries contained until a moment ago. An eventually consistent read sees each key
 *  as it was before the first change that is not yet visible to it. For one item in one place, changes become visible
 *  in the order in which they were made: time never goes backwards, and a read always sees a state that existed. */
export class RecentChanges {
  readonly #clock: Clock
  readonly #maxLagMs: number
  readonly #seed: number
  readonly #maxBytes: number
  /** The changes of each key, oldest first. */
  readonly #byKey = new Map<string, LaggedChange[]>()
  /** The keys that have changes, by the table or index they are in. */
  readonly #keys = new Map<string, SortedKeys>()
  /** The last change of each item in each place. */
  readonly #last = new Map<string, LaggedChange>()
  /** Oldest first, from `#head` on. */
  #queue: LaggedChange[] = []
  #head = 0
  #bytes = 0

  constructor(options: EventualConsistency, clock: Clock) {
    this.#clock = clock
    this.#maxLagMs = options.maxLagMs ?? defaultMaxLagMs
    this.#seed = options.seed ?? defaultLagSeed
    this.#maxBytes = options.maxBytes ?? defaultLagBytes
  }

  /** How much memory the past takes, roughly. */
  get bytes(): number {
    return this.#bytes
  }

  /** Records what the writes replace, as an effect. */
  noting(writes: readonly Write[]): Effect {
    let noted: readonly LaggedChange[] = []
    return {
      apply: () => {
        noted = this.note(writes)
      },
      undo: () => this.forget(noted),
    }
  }

  /** Records what the writes replace. Call this before they become visible in the store. */
  note(writes: readonly Write[]): readonly LaggedChange[] {
    const nowMs = this.#clock.now()
    const noted = new Map<string, LaggedChange>()
    for (const write of writes) {
      const change = changeOf(write)
      if (change === undefined || (write.kind !== 'put' && write.kind !== 'delete')) continue
      const { itemKey, placeId, previous } = change
      const subject = `${placeId}:${keyText(itemKey)}`
      let lagged = noted.get(subject)
      if (lagged === undefined) {
        const atMs = nowMs + lagOf(this.#seed, itemKey, placeId, nowMs, this.#maxLagMs)
        const visibleAtMs = Math.max(atMs, this.#last.get(subject)?.visibleAtMs ?? 0)
        lagged = { subject, visibleAtMs, previous: new Map(), bytes: 0, forgotten: false }
        noted.set(subject, lagged)
      }
      const key = keyText(write.key)
      // Within one change, the value before its first write counts.
      if (!lagged.previous.has(key)) lagged.previous.set(key, previous && ownCopy(previous.value))
    }
    for (const lagged of noted.values()) this.#add(lagged)
    this.#prune(nowMs)
    return [...noted.values()]
  }

  /** The writes were not made after all. */
  forget(changes: readonly LaggedChange[]): void {
    for (const change of changes) {
      if (change.forgotten) continue
      change.forgotten = true
      this.#leaveKeys(change)
    }
  }

  /** The visible value of a key whose current value in the store is `current`. */
  shown(key: string, current: Value | undefined): Value | undefined {
    const changes = this.#byKey.get(key)
    if (changes === undefined) return current
    const hidden = firstHidden(changes, this.#clock.now())
    return hidden === undefined ? current : hidden.previous.get(key)
  }

  /** The keys of a range that may look different from what they are, in order. The range is within one table or
   *  index. */
  keysWithin({ from, to, reverse }: Range): readonly string[] {
    this.#prune(this.#clock.now())
    const first = keyText(from)
    const keys = this.#keys.get(first.slice(0, keyHeaderBytes))?.within(first, keyText(to)) ?? []
    return reverse === true ? keys.toReversed() : keys
  }

  #add(change: LaggedChange): void {
    for (const [key, value] of change.previous) {
      const changes = this.#byKey.get(key)
      if (changes === undefined) {
        this.#byKey.set(key, [change])
        this.#keysBeside(key).add(key)
      } else changes.push(change)
      change.bytes += overheadBytes + key.length + (value?.length ?? 0)
    }
    this.#bytes += change.bytes
    this.#last.set(change.subject, change)
    this.#queue.push(change)
  }

  /** Forgets what is visible by now, and the oldest entries if there are too many. */
  #prune(nowMs: number): void {
    for (;;) {
      const oldest = this.#queue[this.#head]
      if (oldest === undefined) break
      if (oldest.visibleAtMs > nowMs && this.#bytes <= this.#maxBytes) break
      this.#head++
      if (!oldest.forgotten) this.#leaveKeys(oldest)
      if (this.#last.get(oldest.subject) === oldest) this.#last.delete(oldest.subject)
    }
    if (this.#head > 1_000 && this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head)
      this.#head = 0
    }
  }

  #leaveKeys(change: LaggedChange): void {
    for (const key of change.previous.keys()) {
      const changes = this.#byKey.get(key) ?? []
      const at = changes.indexOf(change)
      if (at >= 0) changes.splice(at, 1)
      if (changes.length > 0) continue
      this.#byKey.delete(key)
      const beside = this.#keysBeside(key)
      beside.delete(key)
      if (beside.size === 0) this.#keys.delete(key.slice(0, keyHeaderBytes))
    }
    change.previous.clear()
    this.#bytes -= change.bytes
    change.bytes = 0
  }

  #keysBeside(key: string): SortedKeys {
    const place = key.slice(0, keyHeaderBytes)
    let keys = this.#keys.get(place)
    if (keys === undefined) this.#keys.set(place, (keys = new SortedKeys()))
    return keys
  }
}

/** The overhead of the collections, besides keys and values. */
const overheadBytes = 400

/** Changes become visible in order, so the visible ones come first. */
function firstHidden(changes: readonly LaggedChange[], nowMs: number): LaggedChange | undefined {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((changes[middle]?.visibleAtMs ?? 0) <= nowMs) low = middle + 1
    else high = middle
  }
  return changes[low]
}

/** Values are slices of larger buffers, which a retained value would keep alive. */
function ownCopy(value: Value): Value {
  const copy = Buffer.allocUnsafeSlow(value.length)
  value.copy(copy)
  return copy
}
