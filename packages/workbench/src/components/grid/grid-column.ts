import type { ReactNode } from 'react'
import type { AttributeValue } from '../../api-types.ts'

/** One column of a `DataGrid`. */
export interface GridColumn<Row> {
  readonly id: string
  readonly header: string
  /** Beside the header: a type, a key. */
  readonly headerNote?: ReactNode
  /** A DynamoDB value, which is shown by its type; for anything else use `render` (with `text` to copy and measure). */
  readonly value?: (row: Row) => AttributeValue | undefined
  readonly render?: (row: Row) => ReactNode
  readonly text?: (row: Row) => string
  /** Otherwise as its content needs, within bounds. */
  readonly widthPx?: number
  readonly align?: 'start' | 'end'
  /** Stays at the left while the others are scrolled, as far as there is room. Only the first columns can be pinned. */
  readonly isPinned?: boolean
}
