/** Columns aligned with spaces; numbers to the right. Columns that are completely empty are left out. */
export function textTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned: ReadonlySet<string>,
): string[] {
  const kept = columns.map((_, i) => i).filter((i) => rows.some((row) => (row[i] ?? '') !== ''))
  const widths = new Map(
    kept.map((i) => [i, Math.max(columns[i]?.length ?? 0, ...rows.map((row) => row[i]?.length ?? 0))]),
  )
  const line = (cells: readonly string[]): string =>
    kept
      .map((i) => {
        const cell = cells[i] ?? ''
        const width = widths.get(i) ?? 0
        return rightAligned.has(columns[i] ?? '') ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(columns), ...rows.map(line)]
}
