import type { AttributeValue } from '../../api-types.ts'
import { previewOf } from '../../values/preview.ts'

const leastPx = 88
const mostPx = 320
/** What is pinned leaves room for the rest. */
const mostPinnedPx = 300
const characterPx = 7.7
const capitalPx = 9.2
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
  const widths = sample.map((row) => {
    const value = column.value?.(row)
    return textPx(value === undefined ? (column.text?.(row) ?? '') : previewOf(value, 60))
  })
  // One long value among fifty does not make its column wide.
  const usual = widths.toSorted((a, b) => a - b)[Math.floor(widths.length * 0.9)] ?? 0
  const header = textPx(column.header) + (column.headerNote === undefined ? 0 : 5 * characterPx)
  return Math.round(
    Math.min(
      column.isPinned === true ? mostPinnedPx : mostPx,
      Math.max(leastPx, Math.max(usual, header) + paddingPx),
    ),
  )
}

/** About how wide a text is. Keys are often in capitals, which are wider. */
function textPx(text: string): number {
  let px = 0
  for (const character of text.slice(0, 60)) px += /[A-Z#@%&]/.test(character) ? capitalPx : characterPx
  return px
}
