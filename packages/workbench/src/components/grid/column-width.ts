import type { AttributeValue } from '../../api-types.ts'
import { previewOf } from '../../values/preview.ts'

const leastPx = 88
const mostPx = 320
/** What is pinned leaves room for the rest. */
const mostPinnedPx = 300
const characterPx = 7.7
const paddingPx = 24

/** How wide a column should be for its header and most of its content. Long values are clipped, not waited for. */
export function contentWidth<Row>(
  column: {
    readonly header: string
    readonly headerNote?: unknown
    readonly isPinned?: boolean
    readonly value?: (row: Row) => AttributeValue | undefined
    readonly text?: (row: Row) => string
  },
  sample: readonly Row[],
): number {
  const lengths = sample.map((row) => {
    const value = column.value?.(row)
    if (value !== undefined) return previewOf(value, 60).length
    return column.text?.(row).length ?? 0
  })
  // One long value among fifty does not make its column wide.
  const usual = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length * 0.9)] ?? 0
  const header = column.header.length + (column.headerNote === undefined ? 0 : 5)
  return Math.round(
    Math.min(
      column.isPinned === true ? mostPinnedPx : mostPx,
      Math.max(leastPx, Math.max(usual, header) * characterPx + paddingPx),
    ),
  )
}
