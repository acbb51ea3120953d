import type { Key, KeyChange, Range, Value } from '../store.ts'
import type { CheckedChange, CheckedDataFile, HeldState } from './data-file.ts'

/** A data file that can be replaced by another while it is read. Held states stay where they were: the old file is
 *  closed when the last of its states is released. Reads are synchronous, so none is running when the file changes. */
export class SwitchingDataFile implements CheckedDataFile {
  #file: CheckedDataFile
  #tenure: Tenure
  #retired: Tenure[] = []

  constructor(file: CheckedDataFile) {
    this.#file = file
    this.#tenure = new Tenure(file)
  }

  get(key: Key, at?: HeldState): Value | undefined {
    if (at === undefined) return this.#file.get(key)
    const { tenure, state } = at as HeldOfTenure
    return tenure.file.get(key, state)
  }

  range(bounds: Range, visit: (key: Key, value: Value) => boolean, at?: HeldState): void {
    if (at === undefined) return this.#file.range(bounds, visit)
    const { tenure, state } = at as HeldOfTenure
    tenure.file.range(bounds, visit, state)
  }

  commit(changes: readonly KeyChange[]): Promise<void> {
    return this.#file.commit(changes)
  }

  commitChecked(changes: readonly CheckedChange[]): Promise<void> {
    return this.#file.commitChecked(changes)
  }

  commitSync(changes: readonly KeyChange[]): void {
    this.#file.commitSync(changes)
  }

  hold(): HeldState {
    return this.#tenure.hold()
  }

  /** Reads and writes now use `file`, which has the same contents. Call this when no commit is running. Its state is
   *  held before anybody can write to it. `closed` resolves when the old file is closed. */
  switchTo(file: CheckedDataFile): { readonly held: HeldState; readonly closed: Promise<void> } {
    const before = this.#tenure
    const after = new Tenure(file)
    const held = after.hold()
    this.#file = file
    this.#tenure = after
    this.#retired.push(before)
    const closed = before.retire().finally(() => {
      this.#retired = this.#retired.filter((one) => one !== before)
    })
    return { held, closed }
  }

  /** Whatever is still held. */
  async close(): Promise<void> {
    await Promise.all([...this.#retired, this.#tenure].map((tenure) => tenure.close()))
  }
}

/** The time in which a file is in use, and after that in which states of it are held. */
class Tenure {
  readonly file: CheckedDataFile
  #held = 0
  #isRetired = false
  #closing: Promise<void> | undefined
  readonly #closed: Promise<void>
  #tellClosed: (closing: Promise<void>) => void = () => undefined

  constructor(file: CheckedDataFile) {
    this.file = file
    this.#closed = new Promise((resolve) => {
      this.#tellClosed = resolve
    })
  }

  hold(): HeldState {
    const held = new HeldOfTenure(this, this.file.hold())
    this.#held++
    return held
  }

  release(): void {
    this.#held--
    this.#closeIfUnused()
  }

  /** Resolves when it is closed. */
  retire(): Promise<void> {
    this.#isRetired = true
    this.#closeIfUnused()
    return this.#closed
  }

  close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#closing = this.file.close()
      this.#tellClosed(this.#closing)
    }
    return this.#closing
  }

  #closeIfUnused(): void {
    if (this.#isRetired && this.#held === 0) void this.close().catch(() => undefined)
  }
}

class HeldOfTenure implements HeldState {
  readonly tenure: Tenure
  readonly state: HeldState
  #isHeld = true

  constructor(tenure: Tenure, state: HeldState) {
    this.tenure = tenure
    this.state = state
  }

  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.state.release()
    this.tenure.release()
  }
}
