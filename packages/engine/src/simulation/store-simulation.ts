import { isDeepStrictEqual } from 'node:util'
import { decodeCounters } from '../store/counters.ts'
import { StorageError } from '../store/storage-error.ts'
import type { Decision, Snapshot, Store, Value, Write } from '../store/store.ts'
import { simulateLives, ViolationError, type Inhabitants, type SimulationReport } from './lives.ts'
import { SeededRandom } from './seeded-random.ts'
import { SimulatedCrash, type SimulatedTime } from './simulated-time.ts'

/** The store by itself: its contents must be the result of the transactions it has, including every acknowledged one. */
export function simulateStore(seed: number, folder: string): Promise<SimulationReport> {
  const random = new SeededRandom(seed)
  return simulateLives(random, folder, new StoreClients(random))
}

interface Transaction {
  readonly id: number
  readonly writes: readonly Write[]
  /** Its position in the order of decisions. */
  order: number
  outcome: 'unknown' | 'acknowledged' | 'gone'
}

class StoreClients implements Inhabitants {
  readonly #random: SeededRandom
  readonly #transactions: Transaction[] = []
  #order = 0
  readonly counts = { transactions: 0, refused: 0 }

  constructor(random: SeededRandom) {
    this.#random = random
  }

  /** Some clients, each doing one thing after another. */
  async work(store: Store, time: SimulatedTime, isLast: boolean): Promise<void> {
    const count = isLast ? 3 : 40
    const clients = 1 + this.#random.below(4)
    const writing = Array.from({ length: clients }, async () => {
      for (let round = 0; round < count / clients; round++) {
        const isDone = await this.#transact(store)
        // An idle store makes checkpoints, or tries to continue after a failure.
        if (this.#random.chance(isDone ? 0.2 : 0.8)) await time.pause(this.#random.below(2_000))
      }
    })
    await Promise.all([...writing, isLast ? undefined : this.#readSnapshots(store, time)])
  }

  /** What a snapshot shows stays the same, whatever is written meanwhile. */
  async #readSnapshots(store: Store, time: SimulatedTime): Promise<void> {
    for (let count = this.#random.pick([0, 0, 3, 20]); count > 0; count--) {
      await time.pause(this.#random.below(2_000))
      const opened = await unlessOver(async () => ({
        snapshot: await store.openSnapshot(),
        now: await store.view(entriesIn),
      }))
      if (opened === undefined) return
      await time.pause(this.#random.below(6_000))
      const shown = await unlessOver(() => entriesIn(opened.snapshot))
      opened.snapshot.close()
      if (shown !== undefined && !isDeepStrictEqual(shown, opened.now))
        throw new ViolationError('a snapshot shows what came after it, or no longer what came before it')
    }
  }

  /** Returns whether it was acknowledged. */
  async #transact(store: Store): Promise<boolean> {
    const transaction = this.#newTransaction()
    this.counts.transactions++
    try {
      const decide = (): Decision<void> => {
        transaction.order = this.#order++
        return { writes: transaction.writes, answer: undefined }
      }
      await store.transact([witnessKey(transaction.id)], decide)
      transaction.outcome = 'acknowledged'
    } catch {
      this.counts.refused++
      await this.#assertShown(store, transaction, false)
      return false
    }
    await this.#assertShown(store, transaction, true)
    return true
  }

  /** What is acknowledged is read at once, and what is rejected never. */
  async #assertShown(store: Store, { id }: Transaction, isExpected: boolean): Promise<void> {
    const isShown = await unlessOver(() =>
      store.view(async (snapshot) => (await snapshot.get(witnessKey(id))) !== undefined),
    )
    if (isShown === undefined || isShown === isExpected) return
    throw new ViolationError(
      `transaction ${id} was ${isExpected ? 'acknowledged, but is not' : 'rejected, but is'} shown`,
    )
  }

  #newTransaction(): Transaction {
    const random = this.#random
    const id = this.#transactions.length
    const writes: Write[] = [{ kind: 'put', key: witnessKey(id), value: Buffer.from(String(id)) }]
    for (let count = random.below(5); count > 0; count--) {
      const key = Buffer.from(`k${random.below(12)}`)
      const bytes = random.chance(0.1) ? 6_000 : random.below(300)
      if (random.chance(0.2)) writes.push({ kind: 'delete', key })
      else writes.push({ kind: 'put', key, value: Buffer.alloc(bytes, `${id} `) })
    }
    if (random.chance(0.5)) writes.push({ kind: 'add', key: Buffer.from('counter'), amounts: [1, id] })
    if (random.chance(0.3)) {
      writes.push({
        kind: 'append',
        log: Buffer.from('log'),
        atMs: random.below(5),
        value: Buffer.from(String(id)),
      })
    }
    const transaction: Transaction = { id, writes, order: -1, outcome: 'unknown' }
    this.#transactions.push(transaction)
    return transaction
  }

  /** The contents of the store are the result of the transactions whose markers it has. */
  async check(store: Store, mayHaveLost: boolean): Promise<void> {
    const entries = await store.view(entriesIn)
    const present = this.#transactions.filter(({ id }) => entries.has(witnessKey(id).toString('latin1')))
    for (const { id, outcome } of this.#transactions) {
      if (outcome === 'acknowledged' && !mayHaveLost && !entries.has(witnessKey(id).toString('latin1')))
        throw new ViolationError(`transaction ${id} was acknowledged and is lost`)
    }
    const expected = foldTransactions(present)
    assertSame(entries, expected)
    // What is here stays, and what is missing never comes back.
    for (const transaction of present) {
      if (transaction.outcome === 'gone') throw new ViolationError(`transaction ${transaction.id} has come back`)
      transaction.outcome = 'acknowledged'
    }
    for (const transaction of this.#transactions) {
      if (transaction.outcome === 'unknown') transaction.outcome = 'gone'
    }
  }
}

async function entriesIn(snapshot: Snapshot): Promise<ReadonlyMap<string, Value>> {
  const entries = new Map<string, Value>()
  await snapshot.range({ from: Buffer.of(0x01), to: Buffer.of(0xff) }, (key, value) => {
    entries.set(Buffer.from(key).toString('latin1'), value)
    return true
  })
  return entries
}

/** Undefined if the store or the snapshot has been closed. Nothing else may go wrong when something is read. */
async function unlessOver<T>(read: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof SimulatedCrash) throw error
    if (error instanceof StorageError && (error.code === 'expired' || /is closed/.test(error.message)))
      return undefined
    throw new ViolationError(`something cannot be read: ${String(error)}`, { cause: error })
  }
}

function witnessKey(id: number): Buffer {
  return Buffer.from(`t${id}`)
}

interface Folded {
  readonly values: ReadonlyMap<string, Buffer>
  readonly sums: readonly [number, number]
  readonly log: readonly string[]
}

function foldTransactions(transactions: readonly Transaction[]): Folded {
  const values = new Map<string, Buffer>()
  const sums: [number, number] = [0, 0]
  const log: string[] = []
  for (const { writes } of transactions.toSorted((a, b) => a.order - b.order)) {
    for (const write of writes) {
      switch (write.kind) {
        case 'put':
          values.set(Buffer.from(write.key).toString('latin1'), write.value)
          break
        case 'insert':
          break
        case 'delete':
          values.delete(Buffer.from(write.key).toString('latin1'))
          break
        case 'add':
          sums[0] += write.amounts[0] ?? 0
          sums[1] += write.amounts[1] ?? 0
          break
        case 'append':
          log.push(write.value.toString())
          break
      }
    }
  }
  return { values, sums, log }
}

function assertSame(entries: ReadonlyMap<string, Value>, expected: Folded): void {
  const log = [...entries].filter(([name]) => name.startsWith('log')).map(([, value]) => value.toString())
  if (log.join() !== expected.log.join())
    throw new ViolationError(`the log holds ${log.join()}, not ${expected.log.join()}`)
  const [count = 0, sum = 0] = decodeCounters(entries.get('counter'))
  if (count !== expected.sums[0] || sum !== expected.sums[1])
    throw new ViolationError(`the counters are ${count} and ${sum}, not ${expected.sums.join(' and ')}`)
  for (const [name, value] of entries) {
    if (name.startsWith('log') || name === 'counter') continue
    if (expected.values.get(name)?.equals(value) !== true) throw new ViolationError(`the value of ${name} is wrong`)
  }
  for (const name of expected.values.keys()) {
    if (!entries.has(name)) throw new ViolationError(`${name} is missing`)
  }
}
