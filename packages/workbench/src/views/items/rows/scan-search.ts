import type { FetchedRows } from '../../../state/row-pages.ts'
import { following, pageRows, type ScanSource, type ScanStart } from './scan-source.ts'

interface FoundPage<Row, Cursor> {
  readonly start: ScanStart<Cursor>
  readonly rows: readonly Row[]
}

/** Finds rows of a Scan by their place in its order, which it can begin at as one of many segments. */
export class ScanSearch<Row, Cursor> {
  readonly #source: ScanSource<Row, Cursor>
  readonly #estimatedRows: number
  readonly #signal: AbortSignal

  constructor(source: ScanSource<Row, Cursor>, estimatedRows: number, signal: AbortSignal) {
    this.#source = source
    this.#estimatedRows = estimatedRows
    this.#signal = signal
  }

  /** The rows at a place between 0 and 1. Where few partition keys hold many items most segments are empty: each miss looks
   *  in one twice as wide, which begins a little earlier. */
  async find(
    place: number,
    row: number,
  ): Promise<{ readonly start: ScanStart<Cursor>; readonly fetched: FetchedRows<Row, Cursor> }> {
    let parts = this.#partsOfAll()
    let part = Math.min(parts - 1, Math.floor(place * parts))
    for (;;) {
      const start: ScanStart<Cursor> =
        part === 0 && row < pageRows ? { kind: 'beginning' } : { kind: 'part', part, parts }
      const fetched = await this.#source.fetch(start, pageRows, this.#signal)
      if (fetched.rows.length > 0 || parts === 1) return { start, fetched }
      parts = Math.ceil(parts / 2)
      part = Math.min(parts - 1, Math.floor(part / 2))
    }
  }

  /** The rows right before a known one, which was found from `start`; undefined if there are none. */
  async before(
    start: ScanStart<Cursor>,
    until: Row,
  ): Promise<{ readonly pages: readonly FoundPage<Row, Cursor>[]; readonly isAtBeginning: boolean } | undefined> {
    let parts = start.kind === 'part' ? start.parts : this.#partsOfAll()
    let part = start.kind === 'part' ? start.part - 1 : 0
    for (;;) {
      const isAtBeginning = part <= 0
      const from: ScanStart<Cursor> = isAtBeginning ? { kind: 'beginning' } : { kind: 'part', part, parts }
      const pages = await this.#readUntil(from, until)
      if (pages.length > 0) return { pages, isAtBeginning }
      if (isAtBeginning) return undefined
      parts = Math.ceil(parts / 2)
      part = Math.floor(part / 2) - 1
    }
  }

  #partsOfAll(): number {
    return Math.max(1, Math.ceil(this.#estimatedRows / pageRows))
  }

  /** Reads on to a row that is known. A partition that fills a page is not read through: its end is taken by itself. */
  async #readUntil(from: ScanStart<Cursor>, until: Row): Promise<FoundPage<Row, Cursor>[]> {
    const untilKey = this.#source.keyOf(until)
    let pages: FoundPage<Row, Cursor>[] = []
    let passed: { readonly row: Row; readonly page: FoundPage<Row, Cursor> } | undefined
    let start = from
    for (;;) {
      const fetched = await this.#source.fetch(start, pageRows, this.#signal)
      const end = fetched.rows.findIndex((row) => this.#source.keyOf(row) === untilKey)
      const rows = end < 0 ? fetched.rows : fetched.rows.slice(0, end)
      const [firstRow] = rows
      if (end < 0 && firstRow !== undefined && this.#fillsPage(rows)) {
        const page = { start, rows }
        if (this.#source.partitionOf(firstRow) === this.#source.partitionOf(until)) {
          return this.#lastOf(this.#source.cursorOf(until), page)
        }
        passed = { row: firstRow, page }
        pages = []
        start = { kind: 'after', cursor: this.#source.endOf(firstRow) }
        continue
      }
      if (rows.length > 0) pages.push({ start, rows })
      const next = following(this.#source, start, fetched)
      if (end < 0 && next !== undefined) {
        start = { kind: 'after', cursor: next }
        continue
      }
      if (pages.length > 0 || passed === undefined) return pages
      return this.#lastOf(this.#source.endOf(passed.row), passed.page)
    }
  }

  #fillsPage(rows: readonly Row[]): boolean {
    const [first] = rows
    const last = rows.at(-1)
    if (rows.length < pageRows || first === undefined || last === undefined) return false
    return this.#source.partitionOf(first) === this.#source.partitionOf(last)
  }

  /** One more than a page is requested: the page begins after it. */
  async #lastOf(cursor: Cursor, page: FoundPage<Row, Cursor>): Promise<FoundPage<Row, Cursor>[]> {
    const rows = await this.#source.before(cursor, pageRows + 1, this.#signal)
    const [extra] = rows
    if (rows.length <= pageRows || extra === undefined) return [page]
    return [{ start: { kind: 'after', cursor: this.#source.cursorOf(extra) }, rows: rows.slice(1) }]
  }
}
