export interface GridSelection<Row> {
  /** Whether every row there is is selected. */
  readonly areAllSelected: boolean
  readonly toggle: (row: Row | undefined) => void
  readonly selectLoaded: () => void
  readonly clear: () => void
}

export interface GridSelectionOptions<Row> {
  readonly rowCount: number
  readonly rowAt: (index: number) => Row | undefined
  readonly rowKey: (row: Row) => string
  readonly selected: ReadonlySet<string> | undefined
  readonly onSelect: ((selected: ReadonlySet<string>) => void) | undefined
}

/** What can be done with the selection; without one, nothing. */
export function gridSelection<Row>(options: GridSelectionOptions<Row>): GridSelection<Row> {
  const { rowCount, rowAt, rowKey, selected, onSelect } = options
  return {
    areAllSelected: selected !== undefined && selected.size > 0 && selected.size >= rowCount,
    toggle: (row) => {
      if (row === undefined || selected === undefined) return
      const next = new Set(selected)
      if (!next.delete(rowKey(row))) next.add(rowKey(row))
      onSelect?.(next)
    },
    selectLoaded: () => {
      const next = new Set<string>()
      for (let index = 0; index < rowCount; index++) {
        const row = rowAt(index)
        if (row !== undefined) next.add(rowKey(row))
      }
      onSelect?.(next)
    },
    clear: () => onSelect?.(new Set()),
  }
}
