import { breathe } from '../work/background-work.ts'
import { storedHeaderBytes, storedSizeBytes } from '../items/stored-item.ts'
import { following } from '../layout/key-bounds.ts'
import { countsKey } from '../layout/key-space.ts'
import { isExpired } from '../store/short-snapshots.ts'
import { decodeCounters } from '../store/counters.ts'
import type { Key, OpenSnapshot, Range, Value } from '../store/store.ts'
import type { FaultPlace } from './finding.ts'
import type { Verification } from './verification.ts'

/** Counts the items of a table or the entries of an index while they are checked, and compares the result with the
 *  stored counts. Pages from different moments add up to a sum that never existed. So if they disagree, everything is
 *  counted again in one snapshot, and compared with the counts in that snapshot: the difference is the whole error,
 *  whatever is written meanwhile. */
export class Count {
  readonly #run: Verification
  readonly #id: number
  readonly #range: Range
  readonly #place: FaultPlace
  #items = 0
  #bytes = 0

  constructor(run: Verification, id: number, range: Range, place: FaultPlace) {
    this.#run = run
    this.#id = id
    this.#range = range
    this.#place = place
  }

  add(value: Value): void {
    this.#items++
    this.#bytes += value.length < storedHeaderBytes ? 0 : storedSizeBytes(value)
  }

  async compare(): Promise<void> {
    if (this.#run.stopping.aborted) return
    const said = decodeCounters(await this.#run.store.view((snapshot) => snapshot.get(countsKey(this.#id))))
    if ((said[0] ?? 0) === this.#items && (said[1] ?? 0) === this.#bytes) return
    await this.#countAtOnce()
  }

  async #countAtOnce(): Promise<void> {
    const snapshot = await this.#run.store.openSnapshot()
    try {
      const [saidItems = 0, saidBytes = 0] = decodeCounters(await snapshot.get(countsKey(this.#id)))
      this.#items = 0
      this.#bytes = 0
      if (!(await this.#countIn(snapshot))) return
      const [items, bytes] = [this.#items - saidItems, this.#bytes - saidBytes]
      if (items === 0 && bytes === 0) return
      await this.#run.report([
        {
          kind: 'count',
          place: this.#place,
          problem: `It holds ${this.#items} entries of ${this.#bytes} bytes, but ${saidItems} of ${saidBytes} bytes are counted.`,
          // Counters are corrected by adding, so the correction stays right whatever others add.
          repair: {
            isExact: false,
            keys: [],
            decide: () => [{ kind: 'add', key: countsKey(this.#id), amounts: [items, bytes] }],
          },
        },
      ])
    } catch (error) {
      if (!isExpired(error)) throw error
      this.#leaveOut()
    } finally {
      snapshot.close()
    }
  }

  #leaveOut(): void {
    this.#run.leaveOut(
      this.#place,
      'It is too large to be counted while others write to it. Verify it again when nobody writes to it.',
    )
  }

  /** Whether it came to the end. */
  async #countIn(snapshot: OpenSnapshot): Promise<boolean> {
    const untilMs = performance.now() + this.#run.longestSnapshotMs
    let from: Key | undefined = this.#range.from
    while (from !== undefined) {
      if (this.#run.stopping.aborted) return false
      if (performance.now() > untilMs) {
        this.#leaveOut()
        return false
      }
      from = await this.#countPage(snapshot, from)
      await breathe()
    }
    return true
  }

  /** Where to continue. */
  async #countPage(snapshot: OpenSnapshot, from: Key): Promise<Key | undefined> {
    let last: Key | undefined
    let count = 0
    await snapshot.range({ ...this.#range, from, limit: entriesPerPage }, (key, value) => {
      this.add(value)
      last = key
      return ++count < entriesPerPage
    })
    return last === undefined ? undefined : following(last)
  }
}

const entriesPerPage = 5_000
