import type { PagedRowsState } from '../../state/paged-rows.ts'

/** Where a page of a Scan begins: behind a key, or in a part of the whole by its place (`Segment` of `TotalSegments`). */
export type ScanStart<Cursor> =
  | { readonly kind: 'beginning' }
  | { readonly kind: 'after'; readonly cursor: Cursor }
  | { readonly kind: 'part'; readonly part: number; readonly parts: number }

export interface ScanPage<Row, Cursor> {
  readonly rows: readonly Row[]
  /** Behind the page's last row; nothing at the end (of the part, if one was asked for). */
  readonly next: Cursor | undefined
}

export interface ScanSource<Row, Cursor> {
  fetch(start: ScanStart<Cursor>, limit: number, signal: AbortSignal): Promise<ScanPage<Row, Cursor>>
  /** The last rows before a cursor in its own partition, in their order: a Query can go backwards. */
  before(cursor: Cursor, limit: number, signal: AbortSignal): Promise<readonly Row[]>
  cursorOf(row: Row): Cursor
  /** Behind the last row of a row's partition. */
  endOf(row: Row): Cursor
  keyOf(row: Row): string
  partitionOf(row: Row): string
}

interface Page<Row, Cursor> {
  readonly start: ScanStart<Cursor>
  firstRow: number
  readonly rowCount: number
  /** Nothing if it was let go. */
  rows: readonly Row[] | undefined
  lastUsed: number
}

interface FoundPage<Row, Cursor> {
  readonly start: ScanStart<Cursor>
  readonly rows: readonly Row[]
}

export interface ScanRowsState extends PagedRowsState {
  /** How far the rows have moved since the beginning: who shows them scrolls along. */
  readonly shift: number
  /** The rows that are known to follow one another. */
  readonly firstKnown: number
  readonly afterKnown: number
  /** Whether numbers of rows are counted from the true beginning, rather than estimated. */
  readonly isCounted: boolean
}

export const pageRows = 100
const keptPages = 24
/** What a browser can draw; beyond it a row's number is its place in proportion. */
export const mostRows = 1_000_000

/** The rows of a Scan as a window that can be put anywhere. A Scan goes forwards only, in the order of the hashes of the
 *  partition keys; but it can begin at any place of that order, as one of many segments. So rows far from those that
 *  are known are found by their place in proportion, and numbered by it: an estimate, until the beginning is reached.
 *  What is known is one run of pages, of which only those near sight keep their rows. */
export class ScanRows<Row, Cursor> {
  private readonly source: ScanSource<Row, Cursor>
  private readonly estimatedRows: number
  private pages: Page<Row, Cursor>[] = []
  private next: Cursor | undefined
  private isAtBeginning = true
  private isAtEnd = false
  private shift = 0
  private error: unknown
  private busy: Promise<void> | undefined
  private sight: readonly [number, number] = [0, 0]
  private uses = 0
  private readonly controller = new AbortController()
  private readonly listeners = new Set<() => void>()
  private current: ScanRowsState

  constructor(source: ScanSource<Row, Cursor>, estimatedRows: number) {
    this.source = source
    this.estimatedRows = Math.min(estimatedRows, mostRows)
    this.current = this.makeState(0)
  }

  get state(): ScanRowsState {
    return this.current
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly rowAt = (index: number): Row | undefined => {
    const page = this.pageOf(index)
    return page?.rows?.[index - page.firstRow]
  }

  /** Sees to it that the rows between these come to be there. What is passed by on the way is not fetched. */
  readonly need = (first: number, last: number): void => {
    this.sight = [first, last]
    if (this.error === undefined) this.work()
  }

  readonly retry = (): void => {
    this.error = undefined
    this.work()
  }

  /** Fetches again what is in sight, after a change; what was there stays until it is. */
  readonly refresh = async (): Promise<void> => {
    await this.busy
    const at = this.pages.findIndex(({ firstRow, rowCount }) => firstRow + rowCount > this.sight[0])
    const page = this.pages[at] ?? this.pages[0]
    const previous = page === undefined ? undefined : this.pages[this.pages.indexOf(page) - 1]
    await this.exclusively(async () => {
      const pages: Page<Row, Cursor>[] = this.pages.slice(0, previous === undefined ? 0 : at)
      let start: ScanStart<Cursor> = page?.start ?? { kind: 'beginning' }
      let firstRow = page?.firstRow ?? 0
      for (;;) {
        const fetched = await this.source.fetch(start, pageRows, this.controller.signal)
        if (fetched.rows.length > 0) pages.push(this.pageFrom(start, firstRow, fetched.rows))
        firstRow += fetched.rows.length
        this.next = this.following(start, fetched)
        this.isAtEnd = this.next === undefined
        if (this.next === undefined || firstRow > this.sight[1]) break
        start = { kind: 'after', cursor: this.next }
      }
      this.pages = pages
      if (pages.length === 0) this.isAtBeginning = true
    })
  }

  close(): void {
    this.controller.abort()
  }

  private work(): void {
    if (this.busy !== undefined || this.controller.signal.aborted) return
    const step = this.nextStep()
    if (step === undefined) return
    void this.exclusively(step).then(() => {
      if (this.error === undefined) this.work()
    })
  }

  private nextStep(): (() => Promise<void>) | undefined {
    const [first, last] = this.sight
    const { firstKnown, afterKnown } = this.current
    const isEmpty = this.pages.length === 0
    if (isEmpty) return this.isAtEnd ? undefined : first < pageRows ? () => this.begin() : () => this.jump(first)
    // Nearer than a few pages it is walked to, which keeps the numbers exact.
    if (first > afterKnown + 3 * pageRows && !this.isAtEnd) return () => this.jump(first)
    if (last < firstKnown - 3 * pageRows) return first < pageRows ? () => this.begin() : () => this.jump(first)
    const isBackwards = !this.isAtBeginning && first <= firstKnown + 10
    const missing = this.pages.find(
      ({ firstRow, rowCount, rows }, at) =>
        rows === undefined && ((firstRow <= last && firstRow + rowCount > first) || (at === 0 && isBackwards)),
    )
    if (missing !== undefined) return () => this.reload(missing)
    if (!this.isAtEnd && last >= afterKnown - 30) return () => this.append()
    if (isBackwards) return () => this.prepend()
    return undefined
  }

  private async exclusively(work: () => Promise<void>): Promise<void> {
    const run = async (): Promise<void> => {
      try {
        await work()
        this.letGo()
      } catch (error) {
        if (!this.controller.signal.aborted) this.error = error
      }
      this.busy = undefined
      this.changed()
    }
    this.busy = run()
    this.changed()
    await this.busy
  }

  private async begin(): Promise<void> {
    const start = { kind: 'beginning' } as const
    const fetched = await this.source.fetch(start, pageRows, this.controller.signal)
    this.isAtBeginning = true
    this.replaceBy(start, 0, fetched)
  }

  /** Puts the window where the row of that number should be. */
  private async jump(row: number): Promise<void> {
    const total = Math.max(this.estimatedRows, row + 1)
    const { start, fetched } = await this.find(row / total, row)
    this.isAtBeginning = start.kind === 'beginning' || fetched.rows.length === 0
    this.replaceBy(start, this.isAtBeginning ? 0 : row, fetched)
    if (row >= total - pageRows) await this.alignEnd()
  }

  /** Who goes to the last row means the last there is: if it is near, the numbers end with it. */
  private async alignEnd(): Promise<void> {
    for (let request = 0; request < 5 && this.next !== undefined; request++) await this.append()
    const last = this.pages.at(-1)
    if (this.next !== undefined || last === undefined || this.isAtBeginning) return
    const by = Math.max(this.estimatedRows - last.firstRow - last.rowCount, -(this.pages[0]?.firstRow ?? 0))
    for (const page of this.pages) page.firstRow += by
  }

  /** The rows at a place between 0 and 1. Where few partition keys hold many items most segments are empty: each miss looks
   *  in one twice as wide, which begins a little earlier. */
  private async find(
    place: number,
    row: number,
  ): Promise<{ start: ScanStart<Cursor>; fetched: ScanPage<Row, Cursor> }> {
    let parts = Math.max(1, Math.ceil(this.estimatedRows / pageRows))
    let part = Math.min(parts - 1, Math.floor(place * parts))
    for (;;) {
      const start: ScanStart<Cursor> =
        part === 0 && row < pageRows ? { kind: 'beginning' } : { kind: 'part', part, parts }
      const fetched = await this.source.fetch(start, pageRows, this.controller.signal)
      if (fetched.rows.length > 0 || parts === 1) return { start, fetched }
      parts = Math.ceil(parts / 2)
      part = Math.min(parts - 1, Math.floor(part / 2))
    }
  }

  private replaceBy(start: ScanStart<Cursor>, firstRow: number, fetched: ScanPage<Row, Cursor>): void {
    this.pages = fetched.rows.length === 0 ? [] : [this.pageFrom(start, firstRow, fetched.rows)]
    this.next = this.following(start, fetched)
    this.isAtEnd = this.next === undefined
  }

  /** A segment's end is not the end: what follows its last row is found without it. */
  private following(start: ScanStart<Cursor>, { rows, next }: ScanPage<Row, Cursor>): Cursor | undefined {
    const last = rows.at(-1)
    return next ?? (start.kind === 'part' && last !== undefined ? this.source.cursorOf(last) : undefined)
  }

  private async append(): Promise<void> {
    if (this.next === undefined) return
    const start = { kind: 'after', cursor: this.next } as const
    const fetched = await this.source.fetch(start, pageRows, this.controller.signal)
    const after = this.afterLast()
    if (fetched.rows.length > 0) this.pages.push(this.pageFrom(start, after, fetched.rows))
    this.next = fetched.next
    this.isAtEnd = this.next === undefined
    if (after > mostRows && !this.isAtEnd) {
      this.isAtBeginning = false
      this.moveAll(-mostRows / 2)
    }
  }

  /** What comes before the window is found from a place a little before it, read up to its first row. */
  private async prepend(): Promise<void> {
    const first = this.pages[0]
    const firstRow = first?.rows?.[0]
    if (first === undefined || firstRow === undefined) return
    const found = await this.before(first.start, firstRow)
    if (found === undefined) {
      // Nothing comes before: these are the first rows there are.
      this.moveAll(-first.firstRow)
      this.isAtBeginning = true
      return
    }
    const count = found.pages.reduce((sum, { rows }) => sum + rows.length, 0)
    if (count > first.firstRow) this.moveAll(count - first.firstRow + pageRows)
    let at = (this.pages[0]?.firstRow ?? 0) - count
    const added = found.pages.map(({ start, rows }) => {
      const page = this.pageFrom(start, at, rows)
      at += rows.length
      return page
    })
    this.pages.unshift(...added)
    if (found.isAtBeginning) {
      this.moveAll(-(this.pages[0]?.firstRow ?? 0))
      this.isAtBeginning = true
    }
  }

  private async before(start: ScanStart<Cursor>, until: Row) {
    let parts = start.kind === 'part' ? start.parts : Math.max(1, Math.ceil(this.estimatedRows / pageRows))
    let part = start.kind === 'part' ? start.part - 1 : 0
    for (;;) {
      const isAtBeginning = part <= 0
      const from: ScanStart<Cursor> = isAtBeginning ? { kind: 'beginning' } : { kind: 'part', part, parts }
      const pages = await this.readUntil(from, until)
      if (pages.length > 0) return { pages, isAtBeginning }
      if (isAtBeginning) return undefined
      parts = Math.ceil(parts / 2)
      part = Math.floor(part / 2) - 1
    }
  }

  /** Reads on to a row that is known. A partition that fills a page is not read through: its end is taken by itself. */
  private async readUntil(from: ScanStart<Cursor>, until: Row): Promise<FoundPage<Row, Cursor>[]> {
    const untilKey = this.source.keyOf(until)
    let pages: FoundPage<Row, Cursor>[] = []
    let passed: { readonly row: Row; readonly page: FoundPage<Row, Cursor> } | undefined
    let start = from
    for (;;) {
      const fetched = await this.source.fetch(start, pageRows, this.controller.signal)
      const end = fetched.rows.findIndex((row) => this.source.keyOf(row) === untilKey)
      const rows = end < 0 ? fetched.rows : fetched.rows.slice(0, end)
      const [firstRow] = rows
      if (end < 0 && firstRow !== undefined && this.fillsPage(rows)) {
        const page = { start, rows }
        if (this.source.partitionOf(firstRow) === this.source.partitionOf(until)) {
          return this.lastOf(this.source.cursorOf(until), page)
        }
        passed = { row: firstRow, page }
        pages = []
        start = { kind: 'after', cursor: this.source.endOf(firstRow) }
        continue
      }
      if (rows.length > 0) pages.push({ start, rows })
      const next = this.following(start, fetched)
      if (end < 0 && next !== undefined) {
        start = { kind: 'after', cursor: next }
        continue
      }
      if (pages.length > 0 || passed === undefined) return pages
      return this.lastOf(this.source.endOf(passed.row), passed.page)
    }
  }

  private fillsPage(rows: readonly Row[]): boolean {
    const [first] = rows
    const last = rows.at(-1)
    if (rows.length < pageRows || first === undefined || last === undefined) return false
    return this.source.partitionOf(first) === this.source.partitionOf(last)
  }

  /** One more than a page is asked for: the page begins behind it. */
  private async lastOf(cursor: Cursor, page: FoundPage<Row, Cursor>): Promise<FoundPage<Row, Cursor>[]> {
    const rows = await this.source.before(cursor, pageRows + 1, this.controller.signal)
    const [extra] = rows
    if (rows.length <= pageRows || extra === undefined) return [page]
    return [{ start: { kind: 'after', cursor: this.source.cursorOf(extra) }, rows: rows.slice(1) }]
  }

  private async reload(page: Page<Row, Cursor>): Promise<void> {
    const { rows } = await this.source.fetch(page.start, pageRows, this.controller.signal)
    // Rows may have come or gone meanwhile: what is beyond the page's old length waits for a refresh.
    page.rows = rows.slice(0, page.rowCount)
    page.lastUsed = ++this.uses
  }

  private pageFrom(start: ScanStart<Cursor>, firstRow: number, rows: readonly Row[]): Page<Row, Cursor> {
    return { start, firstRow, rowCount: rows.length, rows, lastUsed: ++this.uses }
  }

  private moveAll(by: number): void {
    if (by === 0) return
    for (const page of this.pages) page.firstRow += by
    this.shift += by
    this.sight = [this.sight[0] + by, this.sight[1] + by]
  }

  private letGo(): void {
    const [first, last] = this.sight
    for (const page of this.pages) {
      if (page.firstRow <= last && page.firstRow + page.rowCount > first) page.lastUsed = ++this.uses
    }
    const held = this.pages.filter(({ rows }) => rows !== undefined)
    if (held.length <= keptPages) return
    const oldest = held.toSorted((a, b) => a.lastUsed - b.lastUsed)
    // The first page says where the window begins.
    for (const page of oldest.slice(0, held.length - keptPages)) if (page !== this.pages[0]) page.rows = undefined
  }

  private pageOf(index: number): Page<Row, Cursor> | undefined {
    let low = 0
    let high = this.pages.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const page = this.pages[middle]
      if (page === undefined) return undefined
      if (index < page.firstRow) high = middle - 1
      else if (index >= page.firstRow + page.rowCount) low = middle + 1
      else return page
    }
    return undefined
  }

  private changed(): void {
    this.current = this.makeState(this.current.version + 1)
    for (const listener of this.listeners) listener()
  }

  private afterLast(): number {
    const last = this.pages.at(-1)
    return last === undefined ? 0 : last.firstRow + last.rowCount
  }

  private makeState(version: number): ScanRowsState {
    const afterKnown = this.afterLast()
    const isEmpty = this.pages.length === 0
    return {
      rowCount: this.isAtEnd ? afterKnown : Math.max(this.estimatedRows, afterKnown + (isEmpty ? 0 : 1)),
      isComplete: this.isAtEnd,
      isLoading: this.busy !== undefined,
      error: this.error,
      version,
      shift: this.shift,
      firstKnown: this.pages[0]?.firstRow ?? 0,
      afterKnown,
      isCounted: this.isAtBeginning,
    }
  }
}
