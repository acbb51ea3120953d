import type { Row, RowDecoder } from '../formats/row-decoder.ts'

/** The rows of some content that comes a few bytes at a time. */
export function decodeInPieces(
  decoder: RowDecoder,
  content: string | Uint8Array,
  pieceBytes: number,
): readonly Row[] {
  const bytes = Buffer.from(content)
  const rows: Row[] = []
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    rows.push(...decoder.push(bytes.subarray(start, start + pieceBytes)))
  }
  return [...rows, ...decoder.end()]
}
