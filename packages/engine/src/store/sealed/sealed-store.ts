import type { Decision, Key, MaybePromise, OpenSnapshot, Range, Snapshot, Store, Value, Write } from '../store.ts'
import { StoreAbove } from '../store-above.ts'
import { whenThere } from '../when-there.ts'
import type { ValueSeal } from './value-seal.ts'

/** A store whose values are encrypted in the underlying store. It is above everything that makes them durable: the
 *  redo log, the data file, archives and PostgreSQL contain sealed values. Keys and counters are not encrypted: a
 *  store orders the former and sums the latter. The store underneath, with sealed values, is for making copies. It can be
 *  followed; this one cannot. */
export class SealedStore extends StoreAbove {
  declare readonly viewEventually?: NonNullable<Store['viewEventually']>
  readonly #seal: ValueSeal
  readonly #isPlain: (key: Key) => boolean

  /** `isPlain` says which keys have values that the store itself must understand. */
  constructor(underneath: Store, seal: ValueSeal, isPlain: (key: Key) => boolean) {
    super(underneath, ['follow', 'viewEventually'])
    this.#seal = seal
    this.#isPlain = isPlain
    if (underneath.viewEventually !== undefined) {
      const view = underneath.viewEventually.bind(underneath)
      this.viewEventually = (read) => view((snapshot) => read(new OpenedSnapshot(snapshot, this.#open)))
    }
  }

  override view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return this.underneath.view((snapshot) => read(new OpenedSnapshot(snapshot, this.#open)))
  }

  override openSnapshot(): MaybePromise<OpenSnapshot> {
    return whenThere(
      this.underneath.openSnapshot(),
      (snapshot) => new OpenedSnapshot(snapshot, this.#open, () => snapshot.close()),
    )
  }

  override transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
  ): Promise<T> {
    return this.underneath.transact(keys, (values) => {
      const decision = decide(values.map((value, index) => this.#open(keys[index] ?? noKey, value)))
      return { ...decision, writes: decision.writes.map(this.#sealed) }
    })
  }

  readonly #open = (key: Key, value: Value | undefined): Value | undefined =>
    value === undefined || this.#isPlain(key) ? value : this.#seal.open(value, key)

  readonly #sealed = (write: Write): Write => {
    switch (write.kind) {
      case 'put':
      case 'insert':
        return this.#isPlain(write.key) ? write : { ...write, value: this.#seal.seal(write.value, write.key) }
      case 'append':
        return { ...write, value: this.#seal.sealEntryOf(write.log, write.value) }
      case 'add':
      case 'delete':
        return write
    }
  }
}

const noKey = Buffer.alloc(0)

type Open = (key: Key, value: Value | undefined) => Value | undefined

class OpenedSnapshot implements OpenSnapshot {
  readonly #snapshot: Snapshot
  readonly #open: Open
  readonly close: () => void

  constructor(snapshot: Snapshot, open: Open, close: () => void = () => undefined) {
    this.#snapshot = snapshot
    this.#open = open
    this.close = close
  }

  get(key: Key): MaybePromise<Value | undefined> {
    return whenThere(this.#snapshot.get(key), (value) => this.#open(key, value))
  }

  getMany(keys: readonly Key[]): MaybePromise<readonly (Value | undefined)[]> {
    return whenThere(this.#snapshot.getMany(keys), (values) =>
      values.map((value, index) => this.#open(keys[index] ?? noKey, value)),
    )
  }

  range(bounds: Range, visit: (key: Key, value: Value) => boolean): MaybePromise<void> {
    if (bounds.keysOnly === true) return this.#snapshot.range(bounds, visit)
    return this.#snapshot.range(bounds, (key, value) => visit(key, this.#open(key, value) ?? value))
  }
}
