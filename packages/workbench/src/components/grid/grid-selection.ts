export interface GridSelection {
  /** Whether every row there is is selected. */
  readonly areAllSelected: boolean
  /** Selects a row or no longer does; with `isRange`, selects all from the one that was touched last. */
  readonly toggle: (index: number, isRange?: boolean) => void
  /** Selects the rows between two as well. Those that are not loaded stay out. */
  readonly extend: (from: number, to: number) => void
  readonly selectLoaded: () => void
  readonly clear: () => void
}

export interface GridSelectionOptions<Row> {
  readonly rowCount: number
  readonly rowAt: (index: number) => Row | undefined
  readonly rowKey: (row: Row) => string
  readonly selected: ReadonlySet<string> | undefined
  readonly onSelect: ((selected: ReadonlySet<string>) => void) | undefined
  /** The row that was touched last: where a range begins. */
  readonly anchor: { current: number | undefined }
}

/** What can be done with the selection; without one, nothing. */
export function gridSelection<Row>(options: GridSelectionOptions<Row>): GridSelection {
  const { rowCount, rowAt, rowKey, selected, onSelect, anchor } = options
  const keysBetween = (from: number, to: number): string[] => {
    const keys: string[] = []
    for (
      let index = Math.max(0, Math.min(from, to));
      index <= Math.min(rowCount - 1, Math.max(from, to));
      index++
    ) {
      const row = rowAt(index)
      if (row !== undefined) keys.push(rowKey(row))
    }
    return keys
  }
  const extend = (from: number, to: number): void => {
    if (selected !== undefined) onSelect?.(new Set([...selected, ...keysBetween(from, to)]))
  }
  return {
    areAllSelected: selected !== undefined && selected.size > 0 && selected.size >= rowCount,
    toggle: (index, isRange = false) => {
      const row = rowAt(index)
      if (row === undefined || selected === undefined) return
      const from = anchor.current
      anchor.current = index
      if (isRange && from !== undefined) return extend(from, index)
      const next = new Set(selected)
      if (!next.delete(rowKey(row))) next.add(rowKey(row))
      onSelect?.(next)
    },
    extend,
    selectLoaded: () => onSelect?.(new Set(keysBetween(0, rowCount - 1))),
    clear: () => onSelect?.(new Set()),
  }
}
