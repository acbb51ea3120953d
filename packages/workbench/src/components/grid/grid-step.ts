export interface GridPlace {
  readonly row: number
  readonly column: number
}

export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** How many rows a page up or down is. */
  readonly pageRows: number
}

/** The cell that a key leads to; undefined if it leads nowhere. */
export function gridStep(from: GridPlace, key: string, isMod: boolean, size: GridSize): GridPlace | undefined {
  const { row, column } = from
  const lastRow = size.rows - 1
  const lastColumn = size.columns - 1
  switch (key) {
    case 'ArrowDown':
      return { row: isMod ? lastRow : Math.min(lastRow, row + 1), column }
    case 'ArrowUp':
      return { row: isMod ? 0 : Math.max(0, row - 1), column }
    case 'ArrowRight':
      return { row, column: isMod ? lastColumn : Math.min(lastColumn, column + 1) }
    case 'ArrowLeft':
      return { row, column: isMod ? 0 : Math.max(0, column - 1) }
    case 'PageDown':
      return { row: Math.min(lastRow, row + size.pageRows), column }
    case 'PageUp':
      return { row: Math.max(0, row - size.pageRows), column }
    case 'Home':
      return isMod ? { row: 0, column: 0 } : { row, column: 0 }
    case 'End':
      return isMod ? { row: lastRow, column: lastColumn } : { row, column: lastColumn }
    default:
      return undefined
  }
}
