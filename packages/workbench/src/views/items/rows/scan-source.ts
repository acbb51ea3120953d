import type { FetchedRows } from '../../../state/row-pages.ts'

/** The rows of a Scan, from wherever it can begin. */
export interface ScanSource<Row, Cursor> {
  /** Undefined at the end (of the part, if one was requested). */
  fetch(start: ScanStart<Cursor>, limit: number, signal: AbortSignal): Promise<FetchedRows<Row, Cursor>>
  /** The last rows before a cursor in its own partition, in their order: a Query can go backwards. */
  before(cursor: Cursor, limit: number, signal: AbortSignal): Promise<readonly Row[]>
  cursorOf(row: Row): Cursor
  /** Behind the last row of a row's partition. */
  endOf(row: Row): Cursor
  keyOf(row: Row): string
  partitionOf(row: Row): string
}

/** Where a page of a Scan begins: behind a key, or in a part of the whole by its place (`Segment` of `TotalSegments`). */
export type ScanStart<Cursor> =
  | { readonly kind: 'beginning' }
  | { readonly kind: 'after'; readonly cursor: Cursor }
  | { readonly kind: 'part'; readonly part: number; readonly parts: number }

/** How many rows are fetched at a time. */
export const pageRows = 100

/** Where the rows continue. The end of a segment is not the end: what follows its last row is found without it. */
export function following<Row, Cursor>(
  source: ScanSource<Row, Cursor>,
  start: ScanStart<Cursor>,
  { rows, next }: FetchedRows<Row, Cursor>,
): Cursor | undefined {
  const last = rows.at(-1)
  return next ?? (start.kind === 'part' && last !== undefined ? source.cursorOf(last) : undefined)
}
