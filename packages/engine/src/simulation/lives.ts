import { openStoreOn } from '../store/lmdb-store.ts'
import type { JournalOptions } from '../store/lmdb/journal.ts'
import type { Store } from '../store/store.ts'
import { damageImage } from './damage-image.ts'
import type { SeededRandom } from './seeded-random.ts'
import { SimulatedDisk, type DiskImage, type Faults } from './simulated-disk.ts'
import { SimulatedCrash, SimulatedTime } from './simulated-time.ts'

export interface SimulationReport {
  readonly crashes: number
  readonly crashesInRecovery: number
  /** That ended while the store was in use. */
  readonly compactions: number
  readonly transactions: number
  readonly refused: number
  /** Damage that was planted, and damage that was refused. */
  readonly damaged: number
  readonly noticed: number
}

/** A promise was broken. The seed reproduces it. */
export class ViolationError extends Error {}

/** Users of a store, who know what it must contain. */
export interface Inhabitants {
  readonly counts: { readonly transactions: number; readonly refused: number }
  /** Checks a store that was just opened, without writing. Throws a ViolationError if it is not as it must be. */
  check(store: Store, mayHaveLost: boolean): Promise<void>
  /** Uses the store. May be cut off at any moment. */
  work(store: Store, time: SimulatedTime, isLast: boolean): Promise<void>
}

/** Lives of a store: its users write, the machine stops at some step, the store recovers, is stopped while it
 *  recovers, and so on. After each recovery they check what they find. */
export async function simulateLives(
  random: SeededRandom,
  folder: string,
  inhabitants: Inhabitants,
): Promise<SimulationReport> {
  const world = new World(random, folder, inhabitants)
  const lives = 2 + random.below(3)
  for (let life = 0; life < lives && !world.isOver; life++) await world.live(life === lives - 1)
  return { ...world.report, ...inhabitants.counts }
}

const noFaults: Faults = { failure: 0, fullDisk: 0, names: 0, slowness: 0 }

type Limits = Pick<
  JournalOptions,
  'checkpointEveryMs' | 'checkpointAfterBytes' | 'mostRecentBytes' | 'directBytes' | 'changesPerCommit' | 'copyPace'
>

/** Recent changes are on their way to the data file for so long that much else happens meanwhile. */
const slowBelow: Limits = {
  checkpointEveryMs: 60_000,
  checkpointAfterBytes: 1_000_000,
  mostRecentBytes: 20_000,
  directBytes: 1_000_000,
  changesPerCommit: 1,
}

class World {
  readonly #random: SeededRandom
  readonly #folder: string
  readonly #faults: Faults
  readonly #compacts: boolean
  readonly #isSlowBelow: boolean
  #image: DiskImage = new Map()
  /** Bytes on the disk were changed while the machine was off. */
  #isDamaged = false
  /** The damage was detected, and the store continued without what was lost, if it could. */
  isOver = false
  readonly #inhabitants: Inhabitants
  #lives = 0
  report = { crashes: 0, crashesInRecovery: 0, compactions: 0, damaged: 0, noticed: 0 }

  constructor(random: SeededRandom, folder: string, inhabitants: Inhabitants) {
    this.#random = random
    this.#folder = folder
    this.#inhabitants = inhabitants
    // In the other half, the users get further.
    this.#compacts = random.chance(0.5)
    this.#isSlowBelow = random.chance(0.2)
    this.#faults = {
      failure: this.#isSlowBelow ? 0.03 : random.pick([0, 0.02, 0.1]),
      fullDisk: this.#isSlowBelow ? 0 : random.pick([0, 0, 0.02]),
      names: this.#compacts ? 0.01 : 0,
      slowness: this.#isSlowBelow ? 0.8 : random.pick([0, 0, 0.3]),
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
        await this.#check(store, time, false)
        // The damage did not matter, and the checkpoint that was just made has made it obsolete.
        this.#isDamaged = false
        await this.#work(store, time, isLast)
        if (isLast) {
          await this.#check(store, time, false)
          await time.run(store.close())
          assertAccepted(disk)
          return
        }
      }
      assertAccepted(disk)
      this.#stop(disk, store === undefined)
    } finally {
      await disk.dispose()
    }
  }

  /** The machine may stop meanwhile: the store writes before it verifies its file. */
  async #check(store: Store, time: SimulatedTime, mayHaveLost: boolean): Promise<void> {
    let failure: unknown
    const checking = this.#inhabitants.check(store, mayHaveLost).catch((error: unknown) => {
      failure = error
    })
    await time.run(checking)
    if (failure !== undefined && !(failure instanceof SimulatedCrash)) throw failure
  }

  async #work(store: Store, time: SimulatedTime, isLast: boolean): Promise<void> {
    let failure: unknown
    const work = [
      this.#inhabitants.work(store, time, isLast),
      this.#compactNowAndThen(store, time, isLast),
      this.#closeSometimes(store, time, isLast),
    ]
    const working = Promise.all(work).catch((error: unknown) => {
      failure = error
    })
    await time.run(working)
    // If nothing fails, nothing may be rejected.
    if (failure !== undefined && (isLast || failure instanceof ViolationError)) throw failure
  }

  /** Runs beside the users, who must not notice. */
  async #compactNowAndThen(store: Store, time: SimulatedTime, isLast: boolean): Promise<void> {
    const random = this.#random
    for (let count = this.#compacts ? random.pick([1, 1, 3]) : 0; count > 0; count--) {
      await time.pause(random.below(random.pick([1, 100, 5_000])))
      const stopping = { aborted: false }
      if (!isLast && random.chance(0.1)) time.after(random.below(500), () => (stopping.aborted = true))
      try {
        await store.compact?.({ stopping, onProgress: () => undefined })
        this.report.compactions++
      } catch (error) {
        // It may fail, and then nothing has changed. If nothing fails, it must succeed.
        if (isLast) throw error
      }
    }
  }

  /** While its users write, as a server that is asked to end. What it has accepted counts all the same. */
  async #closeSometimes(store: Store, time: SimulatedTime, isLast: boolean): Promise<void> {
    if (isLast || !this.#random.chance(0.3)) return
    await time.pause(this.#random.below(this.#random.pick([100, 5_000, 20_000])))
    // Whoever looks after it may do so because it no longer accepts writes.
    if (this.#random.chance(0.5)) {
      for (let tries = 0; tries < 100 && (await isReady(store)); tries++) await time.pause(200)
    }
    await store.close().catch(() => undefined)
  }

  async #open(disk: SimulatedDisk, time: SimulatedTime, acceptsLoss: boolean): Promise<Store | undefined> {
    const limits = this.#isSlowBelow ? slowBelow : this.#limits()
    const opening = openStoreOn(
      { disk, timers: time, acceptsLoss, compacts: this.#random.chance(0.1), ...limits },
      () => undefined,
    )
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
    // It must be detected before LMDB trusts what it finds.
    const isNoticed = this.#isDamaged && !/MDB_|mdb_/.test(String(failure))
    if (isNoticed && !acceptsLoss) {
      await this.#goOnWithoutLost()
      return undefined
    }
    if (this.isOver) return undefined
    throw new ViolationError(`the store does not open: ${String(failure)}`, { cause: failure })
  }

  #limits(): Limits {
    const random = this.#random
    return {
      checkpointEveryMs: random.pick([1, 200, 5_000, 60_000]),
      checkpointAfterBytes: random.pick([1_000, 10_000, 1_000_000]),
      mostRecentBytes: random.pick([1, 2_000, 8_000, 100_000]),
      directBytes: random.pick([100, 1_000, 1_000_000]),
      changesPerCommit: random.pick([1, 10, 1_000]),
      copyPace: { pageBytes: random.pick([200, 2_000, 100_000]), pauseMs: random.pick([0, 0, 2]) },
    }
  }

  /** What remains of a damaged log is the beginning of what it contained. */
  async #goOnWithoutLost(): Promise<void> {
    this.report.noticed++
    this.isOver = true
    const time = new SimulatedTime(this.#random, Number.POSITIVE_INFINITY)
    const disk = new SimulatedDisk(this.#image, `${this.#folder}/${this.#lives++}`, this.#random, time, noFaults)
    try {
      const store = await this.#open(disk, time, true)
      if (store !== undefined) await this.#check(store, time, true)
    } finally {
      await disk.dispose()
    }
  }

  #stop(disk: SimulatedDisk, wasRecovering: boolean): void {
    this.report.crashes++
    if (wasRecovering) this.report.crashesInRecovery++
    this.#image = this.#random.chance(0.4) ? disk.afterKill() : disk.afterPowerLoss()
    // Twice, it may remove all that says that there was something.
    if (this.#isDamaged || !this.#random.chance(0.2)) return
    const damaged = damageImage(this.#image, this.#random)
    if (damaged === undefined) return
    this.#image = damaged
    this.#isDamaged = true
    this.report.damaged++
  }
}

function assertAccepted({ lmdbError: cause }: SimulatedDisk): void {
  if (cause !== undefined) throw new ViolationError(`LMDB rejects its own file: ${cause.message}`, { cause })
}

async function isReady(store: Store): Promise<boolean> {
  try {
    await store.probe?.()
    return true
  } catch {
    return false
  }
}

function isDiskError(error: unknown): boolean {
  return error instanceof Error && /EIO|ENOSPC/.test(`${error.message} ${String(error.cause)}`)
}
