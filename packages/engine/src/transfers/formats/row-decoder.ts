/** One row of a file that is imported: the item it holds, or why it holds none. */
export type Row =
  | { readonly line: number; readonly item: unknown; readonly fault?: undefined }
  | { readonly line: number; readonly fault: string }

/** Turns the bytes of a file into rows, in pieces as they come, without a promise per row. The items are as untrusted
 *  as the file: they are only known to be JSON-like. */
export interface RowDecoder {
  /** The rows that `chunk` completes. */
  push(chunk: Uint8Array): readonly Row[]
  /** The rows that the end of the file completes. */
  end(): readonly Row[]
}

/** No item of 400 KB is this long in any format. Limits what is kept of a file that never ends its line. */
export const longestRowBytes = 16_777_216

export const rowTooLong = 'The row is too long to be an item'
