/** One page of rows, and where the next begins; no cursor after the last. */
export interface RowPage<Row, Cursor> {
  readonly rows: readonly Row[]
  readonly next: Cursor | undefined
}

export type FetchPage<Row, Cursor> = (
  cursor: Cursor | undefined,
  signal: AbortSignal,
) => Promise<RowPage<Row, Cursor>>

/** A filter that finds nothing would read the whole table for one screen: after so many pages in vain it waits to be asked. */
const emptyPagesInARow = 20

interface KnownPage<Row, Cursor> {
  readonly cursor: Cursor | undefined
  readonly firstRow: number
  readonly rowCount: number
  /** Nothing if the page was let go. */
  rows: readonly Row[] | undefined
  lastUsed: number
}

export interface PagedRowsState {
  readonly rowCount: number
  readonly isComplete: boolean
  readonly isLoading: boolean
  readonly error: unknown
  /** Changes with every change. */
  readonly version: number
}

/** Rows that are fetched page by page as they come into sight. Of those far from it only the cursor is kept, so that a walk
 *  through a million rows needs no more memory than a walk through a thousand. */
export class PagedRows<Row, Cursor> {
  private readonly fetchPage: FetchPage<Row, Cursor>
  private readonly keptPages: number
  private pages: KnownPage<Row, Cursor>[] = []
  private next: Cursor | undefined
  private isComplete = false
  private error: unknown
  private readonly loading = new Set<number>()
  private uses = 0
  private emptyPages = 0
  private readonly controller = new AbortController()
  private readonly listeners = new Set<() => void>()
  private current: PagedRowsState = {
    rowCount: 0,
    isComplete: false,
    isLoading: false,
    error: undefined,
    version: 0,
  }

  constructor(fetchPage: FetchPage<Row, Cursor>, keptPages = 30) {
    this.fetchPage = fetchPage
    this.keptPages = keptPages
  }

  get state(): PagedRowsState {
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

  /** Fetches what is missing between two rows, and what comes after them. */
  readonly need = (first: number, last: number): void => {
    if (this.controller.signal.aborted) return
    for (const [number, page] of this.pages.entries()) {
      if (page.firstRow + page.rowCount <= first || page.firstRow > last) continue
      page.lastUsed = ++this.uses
      if (page.rows === undefined) void this.load(number)
    }
    const known = this.current.rowCount
    if (this.isComplete || this.error !== undefined || last < known - 30) return
    this.emptyPages = 0
    void this.load(this.pages.length)
  }

  /** Tries again after an error. */
  readonly retry = (): void => {
    this.error = undefined
    this.need(this.current.rowCount, this.current.rowCount)
    this.changed()
  }

  /** Stops what is under way; nothing is fetched any more. */
  close(): void {
    this.controller.abort()
  }

  private async load(number: number): Promise<void> {
    if (this.loading.has(number)) return
    this.loading.add(number)
    this.changed()
    try {
      const known = this.pages[number]
      const page = await this.fetchPage(known === undefined ? this.next : known.cursor, this.controller.signal)
      if (known === undefined) this.append(page)
      // Rows may have come or gone meanwhile: what is beyond the page's old length waits for a reload.
      else known.rows = page.rows.slice(0, known.rowCount)
      this.letGo()
    } catch (error) {
      if (!this.controller.signal.aborted) this.error = error
    } finally {
      this.loading.delete(number)
      const goesOn = this.emptyPages > 0 && this.emptyPages < emptyPagesInARow && !this.isComplete
      if (goesOn && this.error === undefined && !this.controller.signal.aborted) void this.load(this.pages.length)
      this.changed()
    }
  }

  private append(page: RowPage<Row, Cursor>): void {
    this.emptyPages = page.rows.length === 0 ? this.emptyPages + 1 : 0
    if (page.rows.length > 0) {
      this.pages.push({
        cursor: this.next,
        firstRow: this.current.rowCount,
        rowCount: page.rows.length,
        rows: page.rows,
        lastUsed: ++this.uses,
      })
    }
    this.next = page.next
    this.isComplete = page.next === undefined
  }

  private letGo(): void {
    const held = this.pages.filter(({ rows }) => rows !== undefined)
    const surplus = held.length - this.keptPages
    if (surplus <= 0) return
    for (const page of held.toSorted((a, b) => a.lastUsed - b.lastUsed).slice(0, surplus)) page.rows = undefined
  }

  private pageOf(index: number): KnownPage<Row, Cursor> | undefined {
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
    const last = this.pages.at(-1)
    this.current = {
      rowCount: last === undefined ? 0 : last.firstRow + last.rowCount,
      isComplete: this.isComplete,
      isLoading: this.loading.size > 0,
      error: this.error,
      version: this.current.version + 1,
    }
    for (const listener of this.listeners) listener()
  }
}
