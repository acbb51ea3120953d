/** Columns of equal width: names to the left, figures to the right. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0
      return headings[column] === '' ? cell.padEnd(width) : cell.padStart(width)
    })
    return `  ${padded.join('  ')}`.trimEnd()
  }
  return [headings, ...rows].map(line).join('\n')
}
