import { breathe, type Stopping } from '../work/background-work.ts'
import type { Entry } from '../backups/stored-pages.ts'
import { longestSnapshotMs } from '../store/short-snapshots.ts'
import { following } from '../layout/key-bounds.ts'
import { StorageError } from '../store/storage-error.ts'
import type { Key, MaybePromise, Range, Snapshot, Store, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import type { Fault, Finding, FaultPlace, Repair } from './finding.ts'
import { hexOf } from './place.ts'

export interface VerifyOptions {
  readonly store: Store
  /** One table, of any account and region; without it, everything in the store. */
  readonly table?: string | undefined
  /** Whether derived data is rebuilt if it is wrong. Items are never changed. */
  readonly repair?: boolean | undefined
  readonly stopping?: Stopping | undefined
  readonly onFinding?: ((finding: Finding) => void) | undefined
  readonly onProgress?: ((progress: VerifyProgress) => void) | undefined
  /** How long a snapshot may be held to count what others write meanwhile; as long as the store allows by default. */
  readonly longestSnapshotMs?: number | undefined
}

export interface VerifyProgress {
  /** What is being checked. */
  readonly step: string
  /** How many entries have been checked in this step. */
  readonly entries: number
  /** How many there are, if that is known. */
  readonly total?: number | undefined
}

/** Something that could not be checked, and why. It may still be right. */
export interface Unchecked {
  readonly place: FaultPlace
  readonly reason: string
}

/** One run: reads pages, each from its own snapshot so that nothing is blocked for long, and collects what is wrong.
 *  What a page is compared with is read from the same snapshot, so others may write meanwhile. */
export class Verification {
  readonly store: Store
  readonly table: string | undefined
  readonly isRepairing: boolean
  readonly stopping: Stopping
  readonly longestSnapshotMs: number
  readonly unchecked: Unchecked[] = []
  readonly findingsByKind: Record<string, number> = {}
  repaired = 0
  entries = 0
  items = 0
  /** Of the data file. */
  pages = 0
  /** Whether something could not be read. */
  isCutShort = false
  /** The highest of the logs. */
  lastSequence = 0n
  readonly #options: VerifyOptions
  /** Keys that were reported, as far as they are kept: most problems are visible from two sides. */
  readonly #told = new Set<string>()
  #step: VerifyProgress = { step: '', entries: 0 }
  #entriesPerPage = 100

  constructor(options: VerifyOptions) {
    this.#options = options
    this.store = options.store
    this.table = options.table
    this.isRepairing = options.repair === true
    this.stopping = options.stopping ?? { aborted: false }
    // A little less than the store allows, so that it is known when it ends.
    this.longestSnapshotMs = Math.min(options.longestSnapshotMs ?? Infinity, longestSnapshotMs - 500)
  }

  begin(step: string, total?: number): void {
    this.#step = { step, entries: 0, total }
    this.#options.onProgress?.(this.#step)
  }

  advance(entries: number): void {
    this.entries += entries
    this.#show(entries)
  }

  advancePages(pages: number): void {
    this.pages += pages
    this.#show(pages)
  }

  #show(entries: number): void {
    this.#step = { ...this.#step, entries: this.#step.entries + entries }
    this.#options.onProgress?.(this.#step)
  }

  sawSequence(sequence: bigint): void {
    if (sequence > this.lastSequence) this.lastSequence = sequence
  }

  leaveOut(place: FaultPlace, reason: string): void {
    this.unchecked.push({ place, reason })
  }

  /** Does one part of the work. If something cannot be read, that part ends and is reported; the others continue. */
  async part(place: FaultPlace, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'damaged') throw error
      this.isCutShort = true
      await this.report([{ kind: 'storage', place, problem: error.message }])
      this.leaveOut(place, 'The data after the damage could not be read.')
    }
  }

  /** Passes the entries between the bounds to `judge`, one page at a time, with their snapshot. Ends early if `judge`
   *  returns that there is nothing more to check. */
  async eachPage(
    bounds: Range,
    judge: (snapshot: Snapshot, page: readonly Entry[]) => MaybePromise<readonly Fault[] | 'end'>,
  ): Promise<void> {
    let { from } = bounds
    while (!this.stopping.aborted) {
      const start = from
      const startMs = performance.now()
      const { page, judged } = await this.store.view((snapshot) =>
        whenThere(readPage(snapshot, { ...bounds, from: start }, this.#entriesPerPage), (read) =>
          whenThere(read.entries.length === 0 ? [] : judge(snapshot, read.entries), (answer) => ({
            page: read,
            judged: answer,
          })),
        ),
      )
      if (judged === 'end') return
      this.#adapt(performance.now() - startMs)
      this.advance(page.entries.length)
      await this.report(judged)
      const last = page.entries.at(-1)
      if (page.isLast || last === undefined) return
      from = following(last.key)
      await breathe()
    }
  }

  /** A page is checked in one go: in a server, requests wait meanwhile. A remote database is awaited, which takes
   *  time but blocks nobody. */
  #adapt(tookMs: number): void {
    if (this.store.shared === true) return
    if (tookMs > longestPageMs) this.#entriesPerPage = Math.max(20, this.#entriesPerPage >> 1)
    else if (tookMs < longestPageMs / 4)
      this.#entriesPerPage = Math.min(mostEntriesPerPage, this.#entriesPerPage * 2)
  }

  /** Reports faults, after repairing those that can be. */
  async report(faults: readonly Fault[]): Promise<void> {
    for (let at = 0; at < faults.length; at += repairsAtOnce) {
      await Promise.all(faults.slice(at, at + repairsAtOnce).map((fault) => this.#settle(fault)))
    }
  }

  /** Whether a repair would write anything. If data is on several machines, a page and what it is compared with may
   *  be from different moments; a transaction is consistent. */
  #isWanted({ keys, decide }: Repair): boolean | Promise<boolean> {
    if (this.store.shared !== true) return true
    return this.store.transact(keys, (values) => ({ writes: [], answer: decide(values).length > 0 }))
  }

  wasToldOf(key: Key): boolean {
    return this.#told.has(hexOf(key))
  }

  async #settle({ kind, place, problem, repair }: Fault): Promise<void> {
    if (repair?.isExact === true && !(await this.#isWanted(repair))) return
    const isRepaired = this.isRepairing && repair !== undefined
    if (isRepaired) {
      await this.store.transact(repair.keys, (values) => ({ writes: repair.decide(values), answer: undefined }))
      this.repaired++
    }
    if (place.storedKey !== undefined && this.#told.size < mostTold) this.#told.add(place.storedKey)
    this.findingsByKind[kind] = (this.findingsByKind[kind] ?? 0) + 1
    this.#options.onFinding?.({ kind, place, problem, isDerived: repair !== undefined, isRepaired })
  }
}

const mostEntriesPerPage = 500
const longestPageMs = 8
const bytesPerPage = 2 ** 20
const mostTold = 10_000
/** They share commits. */
const repairsAtOnce = 64

export interface Page {
  readonly entries: readonly Entry[]
  /** Whether there are no more between the bounds. */
  readonly isLast: boolean
}

/** The first entries between the bounds. */
export function readPage(
  snapshot: Snapshot,
  bounds: Range,
  limit: number = mostEntriesPerPage,
): MaybePromise<Page> {
  const entries: Entry[] = []
  let bytes = 0
  let isLast = true
  const visit = (key: Key, value: Value): boolean => {
    bytes += value.length
    isLast = entries.push({ key, value }) < limit && bytes < bytesPerPage
    return isLast
  }
  return whenThere(snapshot.range({ ...bounds, limit }, visit), () => ({ entries, isLast }))
}
