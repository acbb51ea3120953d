import type { ReactNode } from 'react'
import { ScrollRegion } from './scroll-region.tsx'
import './plain-table.css'

export interface PlainColumn<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Figures are set in digits of one width; those that are compared stand at the end. */
  readonly kind?: 'number' | 'figure' | 'mono' | 'actions'
}

const cellClasses = { number: 'number', figure: 'is-end number', mono: 'mono', actions: 'is-end' } as const

/** A table of a few rows that are read, not worked with. It scrolls sideways where it does not fit. */
export function PlainTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  className,
}: {
  readonly label: string
  readonly columns: readonly PlainColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly className?: string
}) {
  return (
    <ScrollRegion label={`${label}, scrolled`} {...(className !== undefined && { className })}>
      <table className="plain-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, kind }) => (
              <th key={title} scope="col" className={kind === 'figure' ? 'is-end' : undefined}>
                {kind === 'actions' ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, kind, cell }) => (
                <td key={title} className={kind && cellClasses[kind]}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
