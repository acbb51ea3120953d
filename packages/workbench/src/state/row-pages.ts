/** Pages that follow one another, of which only those used last keep their rows. */
export class RowPages<Row, Start> {
  /** In the order of their rows. */
  list: RowPage<Row, Start>[] = []
  readonly #keptPages: number
  #uses = 0

  constructor(keptPages: number) {
    this.#keptPages = keptPages
  }

  /** The number of the row after the last. */
  get afterLast(): number {
    const last = this.list.at(-1)
    return last === undefined ? 0 : last.firstRow + last.rowCount
  }

  /** The rows that are held now, in their order. */
  loaded(): Row[] {
    return this.list.flatMap(({ rows }) => rows ?? [])
  }

  rowAt(index: number): Row | undefined {
    const page = this.#pageOf(index)
    return page?.rows?.[index - page.firstRow]
  }

  /** A page that is not in the list yet. */
  make(start: Start, firstRow: number, rows: readonly Row[]): RowPage<Row, Start> {
    return { start, firstRow, rowCount: rows.length, rows, lastUsed: ++this.#uses }
  }

  /** Rows may have been added or removed meanwhile: what is beyond the page's old length waits until everything is
   *  fetched again. */
  refill(page: RowPage<Row, Start>, rows: readonly Row[]): void {
    page.rows = rows.slice(0, page.rowCount)
    this.use(page)
  }

  /** Of the pages let go these are the last. */
  use(page: RowPage<Row, Start>): void {
    page.lastUsed = ++this.#uses
  }

  /** The pages that have rows between two, these included. */
  between(first: number, last: number): RowPage<Row, Start>[] {
    return this.list.filter(({ firstRow, rowCount }) => firstRow <= last && firstRow + rowCount > first)
  }

  /** Lets go of the rows of pages not used for long; never of those of `spared`. */
  letGo(spared?: RowPage<Row, Start>): void {
    const held = this.list.filter(({ rows }) => rows !== undefined)
    const surplus = held.length - this.#keptPages
    if (surplus <= 0) return
    const oldest = held.toSorted((a, b) => a.lastUsed - b.lastUsed)
    for (const page of oldest.slice(0, surplus)) if (page !== spared) page.rows = undefined
  }

  #pageOf(index: number): RowPage<Row, Start> | undefined {
    let low = 0
    let high = this.list.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const page = this.list[middle]
      if (page === undefined) return undefined
      if (index < page.firstRow) high = middle - 1
      else if (index >= page.firstRow + page.rowCount) low = middle + 1
      else return page
    }
    return undefined
  }
}

/** Rows as they were fetched, and where the next begin; no cursor after the last. */
export interface FetchedRows<Row, Cursor> {
  readonly rows: readonly Row[]
  readonly next: Cursor | undefined
}

/** A page of rows that follow one another, and from where it can be fetched again. */
export interface RowPage<Row, Start> {
  readonly start: Start
  firstRow: number
  readonly rowCount: number
  /** Undefined if the page was released. */
  rows: readonly Row[] | undefined
  lastUsed: number
}
