import { decodeCounters, sequenceAt, type Key, type Value, type Write } from '@hashrange/engine'
import type { Call } from '../connection/link.ts'
import { encodeArray, typeOf, type Parameter } from '../connection/messages.ts'
import { nameOf, statementsAt, type Dialect, type Found } from '../reads/found.ts'
import { counterParts } from '../schema/statements.ts'
import { callsOf, type EntryStep } from './entry-steps.ts'

/** Entries of one log that get consecutive sequences. */
export interface LogRun {
  readonly shard: number
  readonly log: Key
  readonly name: string
  /** The first sequence is no lower. */
  readonly from: bigint
  readonly values: Value[]
}

interface EntryWrite {
  readonly key: Key
  /** Absent: the entry is deleted. */
  readonly value: Value | undefined
  /** Whether an existing entry stays. */
  readonly isInsertion: boolean
}

interface CounterWrite {
  readonly key: Key
  isCleared: boolean
  amounts: number[]
}

/** Everything that one database transaction writes and verifies: the result of a group of decisions. */
export class WriteSet {
  readonly #dialect: Dialect
  readonly #home: number
  readonly #entries = new Map<string, EntryWrite>()
  readonly #counters = new Map<string, CounterWrite>()
  readonly #runs: LogRun[] = []
  readonly #read = new Map<string, { readonly key: Key; readonly found: Found | undefined }>()

  #bytes = 0

  /** `home` is the shard that most of it is in. */
  constructor(dialect: Dialect, home: number) {
    this.#dialect = dialect
    this.#home = home
  }

  /** Roughly how much will be sent. */
  get bytes(): number {
    return this.#bytes
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0 && this.#counters.size === 0 && this.#runs.length === 0
  }

  get runs(): readonly LogRun[] {
    return this.#runs
  }

  /** Whether a decision of this group has written the entry. */
  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** The entry after the writes so far; `found` is what it was before. */
  valueOf(name: string, found: Value | undefined): Value | undefined {
    const write = this.#entries.get(name)
    if (write === undefined) return found
    return write.isInsertion ? (found ?? write.value) : write.value
  }

  /** What was read of a key must still be true when the transaction commits. */
  mustHold(name: string, key: Key, found: Found | undefined): void {
    if (!this.#read.has(name) && !this.#dialect.placement.isCounter(key)) this.#read.set(name, { key, found })
  }

  add(writes: readonly Write[]): void {
    for (const write of writes) {
      if ('value' in write) this.#bytes += write.value.length
      switch (write.kind) {
        case 'put':
          this.#put(write.key, write.value)
          break
        case 'insert':
          this.#insert(write.key, write.value)
          break
        case 'delete':
          this.#put(write.key, undefined)
          break
        case 'add':
          this.#count(write.key, write.amounts, false)
          break
        case 'append':
          this.#append(write.log, write.atMs, write.value)
          break
        default:
          throw new Error('an unknown kind of write')
      }
    }
  }

  /** All shards that it touches. */
  get shards(): ReadonlySet<number> {
    const { placement } = this.#dialect
    const shards = new Set<number>(this.#runs.map(({ shard }) => shard))
    for (const written of [this.#entries, this.#counters, this.#read]) {
      for (const { key } of written.values()) shards.add(placement.shardFrom(this.#home, key))
    }
    return shards
  }

  /** First what was read, which locks it; then what is written without having been read. An index entry is only
   *  deleted once its item is locked: before that, somebody might still add the entry because of the item. Each in
   *  the order of shards and keys, so that no two transactions wait for each other. `areLocked` says that the entries
   *  which were found are already locked. `version` is one that no entry has had. */
  entryCalls(version: Buffer, areLocked: boolean): readonly Call[] {
    const read = this.#inOrder(this.#read.keys())
    const unread = this.#inOrder([...this.#entries.keys()].filter((name) => !this.#read.has(name)))
    const steps = [...read, ...unread].flatMap(({ name, key, shard }) =>
      this.#stepsFor(name, key, shard, areLocked),
    )
    return [...callsOf(steps, version, !this.#dialect.distributed), ...this.#copyCalls(version)]
  }

  /** What was written at home, in all shards. */
  #copyCalls(version: Buffer): readonly Call[] {
    const { statements, placement } = this.#dialect
    const copied = [...this.#entries.values()].filter(({ key }) => placement.isCopied(key))
    return copied.map(({ key, value }) =>
      value === undefined
        ? { statement: statements.copies.delete, parameters: [key] }
        : { statement: statements.copies.put, parameters: [key, version, value] },
    )
  }

  /** The calls that find the entries which were put; `seen` gets the version of each. Undefined if there are none. */
  visibleCalls(seen: (version: Buffer | undefined) => void): readonly Call[] | undefined {
    const { statements, placement } = this.#dialect
    const put = [...this.#entries.values()].filter(({ value }) => value !== undefined)
    if (put.length === 0) return undefined
    return put.map(({ key }) => ({
      statement: statements[placement.tableOf(key)].get,
      parameters: [placement.shardFrom(this.#home, key), key],
      onRow: ([version]) => seen(version),
    }))
  }

  /** Counters are spread over slots: concurrent additions go to different rows. */
  counterCalls(slot: number): readonly Call[] {
    const { statements, placement } = this.#dialect
    const calls: Call[] = []
    const additions: Parameter[][] = []
    for (const name of [...this.#counters.keys()].toSorted()) {
      const write = this.#counters.get(name)
      if (write === undefined) continue
      const { key, isCleared, amounts } = write
      const shard = placement.shardFrom(this.#home, key)
      const { deleteCounter } = statementsAt(this.#dialect, shard)
      if (isCleared) {
        const isScattered = placement.isScattered(key)
        calls.push(
          isScattered
            ? { statement: statements.clearCounter, parameters: [key] }
            : { statement: deleteCounter, parameters: [shard, key] },
        )
      }
      if (amounts.length === 0) continue
      const parts = Array.from({ length: counterParts }, (_, part) => float8(amounts[part] ?? 0))
      additions.push([shard, key, slot, amounts.length, ...parts])
    }
    while (additions.length > 0) calls.push(this.#addition(additions.splice(0, this.#addableAtOnce(additions))))
    return calls
  }

  /** A statement on several nodes stays within one, and on a node within one part of the tables. */
  #addableAtOnce([first, second]: readonly Parameter[][]): number {
    const { distributed, node } = this.#dialect
    return distributed || second === undefined || (node !== undefined && first?.[0] !== second[0]) ? 1 : 2
  }

  #addition(some: readonly (readonly Parameter[])[]): Call {
    const { add, addTwice } = statementsAt(this.#dialect, Number(some[0]?.[0]))
    return { statement: some.length === 2 ? addTwice : add, parameters: some.flat() }
  }

  /** Appends the entries of the logs, if one statement can. */
  appendCalls(version: Buffer): readonly Call[] {
    return this.#runsInOrder().map(({ shard, log, from, values }) => ({
      statement: statementsAt(this.#dialect, shard).append,
      parameters: [shard, log, from, BigInt(values.length), version, encodeArray(typeOf.bytea, values)],
    }))
  }

  /** Only allocates the sequences: `took` gets the first of each run. */
  sequenceCalls(took: (run: LogRun, first: bigint) => void): readonly Call[] {
    const { takeSequences } = this.#dialect.statements
    return this.#runsInOrder().map((run) => ({
      statement: takeSequences,
      parameters: [run.shard, run.log, run.from, BigInt(run.values.length)],
      onRow: ([first]) => took(run, first?.readBigInt64BE() ?? 0n),
    }))
  }

  #inOrder(
    names: Iterable<string>,
  ): readonly { readonly name: string; readonly key: Key; readonly shard: number }[] {
    const { placement } = this.#dialect
    const touched = Array.from(names, (name) => {
      const key = this.#entries.get(name)?.key ?? this.#read.get(name)?.key ?? noBytes
      return { name, key, shard: placement.shardFrom(this.#home, key) }
    })
    return touched.toSorted((a, b) => a.shard - b.shard || (a.name < b.name ? -1 : 1))
  }

  /** In the order of the logs; the runs of one log stay in the order of their decisions. */
  #runsInOrder(): readonly LogRun[] {
    return this.#runs.toSorted((a, b) => a.shard - b.shard || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  }

  #stepsFor(name: string, key: Key, shard: number, areLocked: boolean): readonly EntryStep[] {
    const at = { statements: statementsAt(this.#dialect, shard)[this.#dialect.placement.tableOf(key)], shard, key }
    const read = this.#read.get(name)
    let write = this.#entries.get(name)
    if (write?.isInsertion === true) {
      if (read === undefined) return [{ ...at, kind: 'putNew', value: write.value ?? noBytes }]
      if (read.found !== undefined) write = undefined
    }
    const value = write?.value
    if (read !== undefined && read.found?.version === undefined) {
      // It was absent, and nothing can be locked. A row of ours keeps others from creating it.
      const made: EntryStep = { ...at, kind: 'insert', value: value ?? noBytes }
      return value === undefined ? [made, { ...at, kind: 'delete' }] : [made]
    }
    const held = areLocked ? undefined : read?.found?.version
    if (held !== undefined) {
      if (write === undefined) return [{ ...at, kind: 'verify', held }]
      return [value === undefined ? { ...at, kind: 'deleteHeld', held } : { ...at, kind: 'replace', held, value }]
    }
    if (write === undefined) return []
    return [value === undefined ? { ...at, kind: 'delete' } : { ...at, kind: 'put', value }]
  }

  #put(key: Key, value: Value | undefined): void {
    if (this.#dialect.placement.isCounter(key)) {
      this.#count(key, value === undefined ? [] : decodeCounters(value), true)
      return
    }
    this.#entries.set(nameOf(key), { key, value, isInsertion: false })
  }

  #insert(key: Key, value: Value): void {
    const name = nameOf(key)
    const before = this.#entries.get(name)
    if (before === undefined) this.#entries.set(name, { key, value, isInsertion: true })
    else if (before.value === undefined) this.#put(key, value)
  }

  #count(key: Key, amounts: readonly number[], isCleared: boolean): void {
    const name = nameOf(key)
    const counter = this.#counters.get(name)
    if (counter === undefined) {
      this.#counters.set(name, { key, isCleared, amounts: [...amounts] })
      return
    }
    if (isCleared) counter.amounts = []
    counter.isCleared ||= isCleared
    amounts.forEach((amount, part) => (counter.amounts[part] = (counter.amounts[part] ?? 0) + amount))
  }

  #append(log: Key, atMs: number, value: Value): void {
    const wanted = sequenceAt(atMs)
    const name = nameOf(log)
    const last = this.#runs.findLast((run) => run.name === name)
    // The entries of one millisecond, or of earlier ones, get consecutive sequences anyway.
    if (last !== undefined && wanted <= last.from) last.values.push(value)
    else this.#runs.push({ shard: this.#dialect.placement.shardOf(log), log, name, from: wanted, values: [value] })
  }
}

/** A write that the database would reject must not take the others of its group with it. */
export function assertFits(placement: Dialect['placement'], writes: readonly Write[]): void {
  for (const write of writes) {
    const key = write.kind === 'append' ? write.log : write.key
    if (key.length === 0 || key.length > maximumKeyBytes)
      throw new Error(`a key of ${key.length} bytes does not fit`)
    if (write.kind === 'insert' && (placement.isCounter(key) || placement.isCopied(key)))
      throw new Error('a counter, or what every shard has, cannot be inserted')
    if (write.kind === 'add') {
      if (!placement.isCounter(key)) throw new Error('only a counter can be added to')
      if (write.amounts.length > counterParts) throw new Error(`a vector of more than ${counterParts} counters`)
    }
  }
}

/** As in LMDB. A B-tree's entry can have about 2,700 bytes. */
const maximumKeyBytes = 1_978
const noBytes = Buffer.alloc(0)

function float8(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeDoubleBE(value)
  return bytes
}
