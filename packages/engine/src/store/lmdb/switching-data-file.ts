import type { Key, KeyChange, Range, Value } from '../store.ts'
import type { DataFile, HeldState } from './data-file.ts'

/** A data file whose place another can take while it is read. What is held stays where it was: the file before is closed when the last of its
 *  states is released. Reads are synchronous, so none is under way when the file changes. */
export class SwitchingDataFile implements DataFile {
  #file: DataFile
  #tenure: Tenure
  #retired: Tenure[] = []

  constructor(file: DataFile) {
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

  commitSync(changes: readonly KeyChange[]): void {
    this.#file.commitSync(changes)
  }

  hold(): HeldState {
    return this.#tenure.hold()
  }

  /** From now on `file` is read and written, which holds the same. To be called when no commit is under way. Its state is held, before anybody can
   *  write to it. `closed` settles when the file before is closed. */
  switchTo(file: DataFile): { readonly held: HeldState; readonly closed: Promise<void> } {
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

/** The time in which a file is the one that is read, and after that in which states of it are held. */
class Tenure {
  readonly file: DataFile
  #held = 0
  #isRetired = false
  #closing: Promise<void> | undefined
  readonly #closed: Promise<void>
  #tellClosed: (closing: Promise<void>) => void = () => undefined

  constructor(file: DataFile) {
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

  /** Settles when it is closed. */
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
