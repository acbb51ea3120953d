import { decodeCounters } from '../store/counters.ts'
import { openStoreOn } from '../store/lmdb-store.ts'
import type { Decision, Store, Value, Write } from '../store/store.ts'
import { damageImage } from './damage-image.ts'
import { SeededRandom } from './seeded-random.ts'
import { SimulatedDisk, type DiskImage, type Faults } from './simulated-disk.ts'
import { SimulatedCrash, SimulatedTime } from './simulated-time.ts'

export interface SimulationReport {
  readonly crashes: number
  readonly crashesInRecovery: number
  readonly transactions: number
  readonly refused: number
  /** Damage that was planted, and damage that was refused. */
  readonly damaged: number
  readonly noticed: number
}

/** A promise of the store was broken. The seed finds it again. */
export class ViolationError extends Error {}

/** Lives of a store: clients write, the machine stops at some step, it recovers, is stopped while it recovers, and so on. After each
 *  recovery the store must hold what the transactions come to that it has, among them every one that was acknowledged. */
export async function simulateStore(seed: number, folder: string): Promise<SimulationReport> {
  const random = new SeededRandom(seed)
  const world = new World(random, folder)
  const lives = 2 + random.below(3)
  for (let life = 0; life < lives && !world.isOver; life++) await world.live(life === lives - 1)
  return world.report
}

interface Transaction {
  readonly id: number
  readonly writes: readonly Write[]
  /** Where it stands among all, by when it was last decided. */
  order: number
  outcome: 'unknown' | 'acknowledged' | 'gone'
}

const noFaults: Faults = { failure: 0, fullDisk: 0 }

class World {
  readonly #random: SeededRandom
  readonly #folder: string
  readonly #faults: Faults
  readonly #transactions: Transaction[] = []
  #image: DiskImage = new Map()
  /** Bytes on the disk were changed while the machine was off. */
  #isDamaged = false
  /** The damage was refused, and the store went on without what it cost, if it could. */
  isOver = false
  #order = 0
  #lives = 0
  report = { crashes: 0, crashesInRecovery: 0, transactions: 0, refused: 0, damaged: 0, noticed: 0 }

  constructor(random: SeededRandom, folder: string) {
    this.#random = random
    this.#folder = folder
    this.#faults = {
      failure: random.pick([0, 0, 0.01, 0.1]),
      fullDisk: random.pick([0, 0, 0.02]),
    }
  }

  /** From a start to the next stop. */
  async live(isLast: boolean): Promise<void> {
    const random = this.#random
    const steps = isLast ? Number.POSITIVE_INFINITY : 1 + random.below(random.pick([15, 60, 400]))
    const time = new SimulatedTime(random, steps)
    const faults = isLast ? noFaults : this.#faults
    const disk = new SimulatedDisk(this.#image, `${this.#folder}/${this.#lives++}`, random, time, faults)
    try {
      const store = await this.#open(disk, time, false)
      if (store !== undefined) {
        await this.#check(store)
        // The damage did not matter, and is behind the checkpoint that was just made.
        this.#isDamaged = false
        await time.run(this.#work(store, time, isLast ? 3 : 40))
        if (isLast) {
          await this.#check(store)
          await time.run(store.close())
          return
        }
      }
      this.#stop(disk, store === undefined)
    } finally {
      await disk.dispose()
    }
  }

  async #open(disk: SimulatedDisk, time: SimulatedTime, acceptsLoss: boolean): Promise<Store | undefined> {
    const checkpointEveryMs = this.#random.pick([1, 200, 5_000])
    const checkpointAfterBytes = this.#random.pick([1_000, 10_000, 1_000_000])
    const compacts = this.#random.chance(0.1)
    const options = { disk, timers: time, checkpointEveryMs, checkpointAfterBytes, acceptsLoss, compacts }
    const opening = openStoreOn(options, () => undefined)
    let store: Store | undefined
    let failure: unknown
    opening.then(
      (opened) => {
        store = opened
      },
      (error: unknown) => {
        failure = error
      },
    )
    await time.run(opening)
    if (store !== undefined || time.hasStopped) return store
    if (failure instanceof SimulatedCrash || isDiskError(failure)) return undefined
    // It must be noticed before LMDB trusts what it finds.
    const isNoticed = this.#isDamaged && !/MDB_|mdb_/.test(String(failure))
    if (isNoticed && !acceptsLoss) {
      await this.#goOnWithoutLost()
      return undefined
    }
    if (this.isOver) return undefined
    throw new ViolationError(`the store does not open: ${String(failure)}`, { cause: failure })
  }

  /** What a damaged log still has is the beginning of what it had. */
  async #goOnWithoutLost(): Promise<void> {
    this.report.noticed++
    this.isOver = true
    const time = new SimulatedTime(this.#random, Number.POSITIVE_INFINITY)
    const disk = new SimulatedDisk(this.#image, `${this.#folder}/${this.#lives++}`, this.#random, time, noFaults)
    try {
      const store = await this.#open(disk, time, true)
      if (store !== undefined) await this.#check(store)
    } finally {
      await disk.dispose()
    }
  }

  #stop(disk: SimulatedDisk, wasRecovering: boolean): void {
    this.report.crashes++
    if (wasRecovering) this.report.crashesInRecovery++
    this.#image = this.#random.chance(0.4) ? disk.afterKill() : disk.afterPowerLoss()
    if (!this.#random.chance(0.1)) return
    const damaged = damageImage(this.#image, this.#random)
    if (damaged === undefined) return
    this.#image = damaged
    this.#isDamaged = true
    this.report.damaged++
  }

  /** Some clients, each of which does one thing after the other. */
  async #work(store: Store, time: SimulatedTime, count: number): Promise<void> {
    const clients = 1 + this.#random.below(4)
    await Promise.all(
      Array.from({ length: clients }, async () => {
        for (let round = 0; round < count / clients; round++) {
          const isDone = await this.#transact(store)
          // A store that has nothing to do makes checkpoints, or tries to go on after a failure.
          if (this.#random.chance(isDone ? 0.2 : 0.8)) await time.pause(this.#random.below(2_000))
        }
      }),
    )
  }

  /** Tells whether it was acknowledged. */
  async #transact(store: Store): Promise<boolean> {
    const transaction = this.#newTransaction()
    this.report.transactions++
    try {
      const decide = (): Decision<void> => {
        transaction.order = this.#order++
        return { writes: transaction.writes, answer: undefined }
      }
      await store.transact([witnessKey(transaction.id)], decide)
      transaction.outcome = 'acknowledged'
      return true
    } catch {
      this.report.refused++
      return false
    }
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

  /** The store holds what the transactions come to whose witnesses it has. */
  async #check(store: Store): Promise<void> {
    const entries = new Map<string, Value>()
    await store.view((snapshot) =>
      snapshot.range({ from: Buffer.of(0x01), to: Buffer.of(0xff) }, (key, value) => {
        entries.set(Buffer.from(key).toString('latin1'), value)
        return true
      }),
    )
    const present = this.#transactions.filter(({ id }) => entries.has(witnessKey(id).toString('latin1')))
    for (const { id, outcome } of this.#transactions) {
      if (outcome === 'acknowledged' && !this.isOver && !entries.has(witnessKey(id).toString('latin1')))
        throw new ViolationError(`transaction ${id} was acknowledged and is lost`)
    }
    const expected = foldTransactions(present)
    assertSame(entries, expected)
    // What is here stays, and what is not never comes back.
    for (const transaction of present) {
      if (transaction.outcome === 'gone') throw new ViolationError(`transaction ${transaction.id} has come back`)
      transaction.outcome = 'acknowledged'
    }
    for (const transaction of this.#transactions) {
      if (transaction.outcome === 'unknown') transaction.outcome = 'gone'
    }
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

function isDiskError(error: unknown): boolean {
  return error instanceof Error && /EIO|ENOSPC/.test(`${error.message} ${String(error.cause)}`)
}
