import { Listeners } from '../../../state/listeners.ts'
import type { PagedRowsState } from '../../../state/paged-rows.ts'
import { RowPages, type FetchedRows, type RowPage } from '../../../state/row-pages.ts'
import { ScanSearch } from './scan-search.ts'
import { following, pageRows, type ScanSource, type ScanStart } from './scan-source.ts'

export interface ScanRowsState extends PagedRowsState {
  /** How far the rows have moved since the beginning: who shows them scrolls along. */
  readonly shift: number
  /** The rows that are known to follow one another. */
  readonly firstKnown: number
  readonly afterKnown: number
  /** Whether numbers of rows are counted from the true beginning, rather than estimated. */
  readonly isCounted: boolean
}

const keptPages = 24
/** What a browser can draw; beyond it a row's number is its place in proportion. */
const mostRows = 1_000_000

/** The rows of a Scan as a window that can be put anywhere. A Scan goes forwards only, in the order of the hashes of the
 *  partition keys; but it can begin at any place of that order, as one of many segments. So rows far from those that
 *  are known are found by their place in proportion, and numbered by it: an estimate, until the beginning is reached.
 *  What is known is one run of pages, of which only those near sight keep their rows. */
export class ScanRows<Row, Cursor> {
  readonly #source: ScanSource<Row, Cursor>
  readonly #estimatedRows: number
  readonly #search: ScanSearch<Row, Cursor>
  readonly #pages = new RowPages<Row, ScanStart<Cursor>>(keptPages)
  #next: Cursor | undefined
  #isAtBeginning = true
  #isAtEnd = false
  #shift = 0
  #error: unknown
  #busy: Promise<void> | undefined
  #sight: readonly [number, number] = [0, 0]
  readonly #controller = new AbortController()
  readonly #listeners = new Listeners()
  #current: ScanRowsState

  constructor(source: ScanSource<Row, Cursor>, estimatedRows: number) {
    this.#source = source
    this.#estimatedRows = Math.min(estimatedRows, mostRows)
    this.#search = new ScanSearch(source, this.#estimatedRows, this.#controller.signal)
    this.#current = this.#makeState(0)
  }

  get state(): ScanRowsState {
    return this.#current
  }

  get subscribe() {
    return this.#listeners.subscribe
  }

  readonly rowAt = (index: number): Row | undefined => this.#pages.rowAt(index)

  readonly loaded = (): readonly Row[] => this.#pages.loaded()

  /** Sees to it that the rows between these come to be there. What is passed by on the way is not fetched. */
  readonly need = (first: number, last: number): void => {
    this.#sight = [first, last]
    if (this.#error === undefined) this.#work()
  }

  readonly retry = (): void => {
    this.#error = undefined
    this.#changed()
    this.#work()
  }

  /** Fetches again what is in sight, after a change; what was there stays until it is. */
  readonly refresh = async (): Promise<void> => {
    await this.#busy
    this.#error = undefined
    const at = this.#pages.list.findIndex(({ firstRow, rowCount }) => firstRow + rowCount > this.#sight[0])
    const page = this.#pages.list[at] ?? this.#pages.list[0]
    const previous = page === undefined ? undefined : this.#pages.list[this.#pages.list.indexOf(page) - 1]
    await this.#exclusively(async () => {
      const pages: RowPage<Row, ScanStart<Cursor>>[] = this.#pages.list.slice(0, previous === undefined ? 0 : at)
      let start: ScanStart<Cursor> = page?.start ?? { kind: 'beginning' }
      let firstRow = page?.firstRow ?? 0
      for (;;) {
        const fetched = await this.#source.fetch(start, pageRows, this.#controller.signal)
        if (fetched.rows.length > 0) pages.push(this.#pages.make(start, firstRow, fetched.rows))
        firstRow += fetched.rows.length
        this.#next = following(this.#source, start, fetched)
        this.#isAtEnd = this.#next === undefined
        if (this.#next === undefined || firstRow > this.#sight[1]) break
        start = { kind: 'after', cursor: this.#next }
      }
      this.#pages.list = pages
      if (pages.length === 0) this.#isAtBeginning = true
    })
  }

  close(): void {
    this.#controller.abort()
  }

  #work(): void {
    if (this.#busy !== undefined || this.#controller.signal.aborted) return
    const step = this.#nextStep()
    if (step === undefined) return
    void this.#exclusively(step).then(() => {
      if (this.#error === undefined) this.#work()
    })
  }

  #nextStep(): (() => Promise<void>) | undefined {
    const [first, last] = this.#sight
    const { firstKnown, afterKnown } = this.#current
    const isEmpty = this.#pages.list.length === 0
    if (isEmpty) return this.#isAtEnd ? undefined : first < pageRows ? () => this.#begin() : () => this.#jump(first)
    // Nearer than a few pages it is walked to, which keeps the numbers exact.
    if (first > afterKnown + 3 * pageRows && !this.#isAtEnd) return () => this.#jump(first)
    if (last < firstKnown - 3 * pageRows) return first < pageRows ? () => this.#begin() : () => this.#jump(first)
    const isBackwards = !this.#isAtBeginning && first <= firstKnown + 10
    const missing = this.#pages.list.find(
      ({ firstRow, rowCount, rows }, at) =>
        rows === undefined && ((firstRow <= last && firstRow + rowCount > first) || (at === 0 && isBackwards)),
    )
    if (missing !== undefined) return () => this.#reload(missing)
    if (!this.#isAtEnd && last >= afterKnown - 30) return () => this.#append()
    if (isBackwards) return () => this.#prepend()
    return undefined
  }

  async #exclusively(work: () => Promise<void>): Promise<void> {
    const run = async (): Promise<void> => {
      try {
        await work()
        this.#letGo()
      } catch (error) {
        if (!this.#controller.signal.aborted) this.#error = error
      }
      this.#busy = undefined
      this.#changed()
    }
    this.#busy = run()
    this.#changed()
    await this.#busy
  }

  async #begin(): Promise<void> {
    const start = { kind: 'beginning' } as const
    const fetched = await this.#source.fetch(start, pageRows, this.#controller.signal)
    this.#isAtBeginning = true
    this.#replaceBy(start, 0, fetched)
  }

  /** Puts the window where the row of that number should be. */
  async #jump(row: number): Promise<void> {
    const total = Math.max(this.#estimatedRows, row + 1)
    const { start, fetched } = await this.#search.find(row / total, row)
    this.#isAtBeginning = start.kind === 'beginning' || fetched.rows.length === 0
    this.#replaceBy(start, this.#isAtBeginning ? 0 : row, fetched)
    if (row >= total - pageRows) await this.#alignEnd()
  }

  /** Who goes to the last row means the last there is: if it is near, the numbers end with it. */
  async #alignEnd(): Promise<void> {
    for (let request = 0; request < 5 && this.#next !== undefined; request++) await this.#append()
    const last = this.#pages.list.at(-1)
    if (this.#next !== undefined || last === undefined || this.#isAtBeginning) return
    const by = Math.max(this.#estimatedRows - last.firstRow - last.rowCount, -(this.#pages.list[0]?.firstRow ?? 0))
    for (const page of this.#pages.list) page.firstRow += by
  }

  #replaceBy(start: ScanStart<Cursor>, firstRow: number, fetched: FetchedRows<Row, Cursor>): void {
    this.#pages.list = fetched.rows.length === 0 ? [] : [this.#pages.make(start, firstRow, fetched.rows)]
    this.#next = following(this.#source, start, fetched)
    this.#isAtEnd = this.#next === undefined
  }

  async #append(): Promise<void> {
    if (this.#next === undefined) return
    const start = { kind: 'after', cursor: this.#next } as const
    const fetched = await this.#source.fetch(start, pageRows, this.#controller.signal)
    const after = this.#pages.afterLast
    if (fetched.rows.length > 0) this.#pages.list.push(this.#pages.make(start, after, fetched.rows))
    this.#next = fetched.next
    this.#isAtEnd = this.#next === undefined
    if (after > mostRows && !this.#isAtEnd) {
      this.#isAtBeginning = false
      this.#moveAll(-mostRows / 2)
    }
  }

  /** What comes before the window is found from a place a little before it, read up to its first row. */
  async #prepend(): Promise<void> {
    const first = this.#pages.list[0]
    const firstRow = first?.rows?.[0]
    if (first === undefined || firstRow === undefined) return
    const found = await this.#search.before(first.start, firstRow)
    if (found === undefined) {
      // Nothing comes before: these are the first rows there are.
      this.#moveAll(-first.firstRow)
      this.#isAtBeginning = true
      return
    }
    const count = found.pages.reduce((sum, { rows }) => sum + rows.length, 0)
    if (count > first.firstRow) this.#moveAll(count - first.firstRow + pageRows)
    let at = (this.#pages.list[0]?.firstRow ?? 0) - count
    const added = found.pages.map(({ start, rows }) => {
      const page = this.#pages.make(start, at, rows)
      at += rows.length
      return page
    })
    this.#pages.list.unshift(...added)
    if (found.isAtBeginning) {
      this.#moveAll(-(this.#pages.list[0]?.firstRow ?? 0))
      this.#isAtBeginning = true
    }
  }

  async #reload(page: RowPage<Row, ScanStart<Cursor>>): Promise<void> {
    const { rows } = await this.#source.fetch(page.start, pageRows, this.#controller.signal)
    this.#pages.refill(page, rows)
  }

  #moveAll(by: number): void {
    if (by === 0) return
    for (const page of this.#pages.list) page.firstRow += by
    this.#shift += by
    this.#sight = [this.#sight[0] + by, this.#sight[1] + by]
  }

  #letGo(): void {
    for (const page of this.#pages.between(...this.#sight)) this.#pages.use(page)
    // The first page says where the window begins.
    this.#pages.letGo(this.#pages.list[0])
  }

  #changed(): void {
    this.#current = this.#makeState(this.#current.version + 1)
    this.#listeners.notify()
  }

  #makeState(version: number): ScanRowsState {
    const afterKnown = this.#pages.afterLast
    const isEmpty = this.#pages.list.length === 0
    return {
      rowCount: this.#isAtEnd ? afterKnown : Math.max(this.#estimatedRows, afterKnown + (isEmpty ? 0 : 1)),
      isComplete: this.#isAtEnd,
      isLoading: this.#busy !== undefined,
      error: this.#error,
      version,
      shift: this.#shift,
      firstKnown: this.#pages.list[0]?.firstRow ?? 0,
      afterKnown,
      isCounted: this.#isAtBeginning,
    }
  }
}
