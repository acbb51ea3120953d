export interface FigureHeadProps {
  /** What the rows are. */
  readonly rows: string
  /** What the columns of figures are. */
  readonly figures: readonly string[]
}

/** The head of a table whose rows are named and all other columns are figures. */
export function FigureHead({ rows, figures }: FigureHeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">{rows}</th>
        {figures.map((figure, at) => (
          <th key={at} scope="col" className="is-end">
            {figure}
          </th>
        ))}
      </tr>
    </thead>
  )
}
