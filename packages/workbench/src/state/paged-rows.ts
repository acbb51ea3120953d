import { Listeners } from './listeners.ts'
import { RowPages, type FetchedRows, type RowPage } from './row-pages.ts'

export type FetchPage<Row, Cursor> = (
  cursor: Cursor | undefined,
  signal: AbortSignal,
) => Promise<FetchedRows<Row, Cursor>>

/** A filter that finds nothing would read the whole table for one screen: after this many pages in vain it waits to
 *  be asked. */
const emptyPagesInARow = 20

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
  readonly #fetchPage: FetchPage<Row, Cursor>
  readonly #pages: RowPages<Row, Cursor | undefined>
  #next: Cursor | undefined
  #isComplete = false
  #error: unknown
  /** Undefined is the page after the last that is known. */
  readonly #loading = new Set<RowPage<Row, Cursor | undefined> | undefined>()
  #emptyPages = 0
  readonly #controller = new AbortController()
  readonly #listeners = new Listeners()
  #current: PagedRowsState = {
    rowCount: 0,
    isComplete: false,
    isLoading: false,
    error: undefined,
    version: 0,
  }

  constructor(fetchPage: FetchPage<Row, Cursor>, keptPages = 30) {
    this.#fetchPage = fetchPage
    this.#pages = new RowPages(keptPages)
  }

  get state(): PagedRowsState {
    return this.#current
  }

  get subscribe() {
    return this.#listeners.subscribe
  }

  readonly rowAt = (index: number): Row | undefined => this.#pages.rowAt(index)

  readonly loaded = (): readonly Row[] => this.#pages.loaded()

  /** Fetches what is missing between two rows, and what comes after them. */
  readonly need = (first: number, last: number): void => {
    if (this.#controller.signal.aborted) return
    for (const page of this.#pages.between(first, last)) {
      this.#pages.use(page)
      if (page.rows === undefined) void this.#load(page)
    }
    const known = this.#current.rowCount
    if (this.#isComplete || this.#error !== undefined || last < known - 30) return
    this.#emptyPages = 0
    void this.#load(undefined)
  }

  /** Tries again after an error. */
  readonly retry = (): void => {
    this.#error = undefined
    this.need(this.#current.rowCount, this.#current.rowCount)
    this.#changed()
  }

  /** Stops what is under way; nothing is fetched any more. */
  close(): void {
    this.#controller.abort()
  }

  async #load(known: RowPage<Row, Cursor | undefined> | undefined): Promise<void> {
    if (this.#loading.has(known)) return
    this.#loading.add(known)
    this.#changed()
    try {
      const start = known === undefined ? this.#next : known.start
      const fetched = await this.#fetchPage(start, this.#controller.signal)
      if (known === undefined) this.#append(fetched)
      else this.#pages.refill(known, fetched.rows)
      this.#pages.letGo()
    } catch (error) {
      if (!this.#controller.signal.aborted) this.#error = error
    } finally {
      this.#loading.delete(known)
      const goesOn = this.#emptyPages > 0 && this.#emptyPages < emptyPagesInARow && !this.#isComplete
      if (goesOn && this.#error === undefined && !this.#controller.signal.aborted) void this.#load(undefined)
      this.#changed()
    }
  }

  #append({ rows, next }: FetchedRows<Row, Cursor>): void {
    this.#emptyPages = rows.length === 0 ? this.#emptyPages + 1 : 0
    if (rows.length > 0) this.#pages.list.push(this.#pages.make(this.#next, this.#pages.afterLast, rows))
    this.#next = next
    this.#isComplete = next === undefined
  }

  #changed(): void {
    this.#current = {
      rowCount: this.#pages.afterLast,
      isComplete: this.#isComplete,
      isLoading: this.#loading.size > 0,
      error: this.#error,
      version: this.#current.version + 1,
    }
    this.#listeners.notify()
  }
}
