import { attributeOf, type Item } from '@hashrange/core'
import { typeOfKey } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { EntityChip } from '../../../components/values/badge.tsx'
import type { GridColumn } from '../../../components/grid/grid-column.ts'
import { TypeTag, ValueCell } from '../../../components/values/value-cell.tsx'
import { formatTime } from '../../../values/format.ts'
import { previewOf } from '../../../values/preview.ts'

/** What each item is, in its colour. */
export function entityColumn(
  entityName: (item: Item) => string | undefined,
  names: readonly string[],
): GridColumn<Item> {
  return {
    id: '#entity',
    header: 'Entity',
    isPinned: true,
    widthPx: Math.min(210, 40 + Math.round(7.6 * Math.max(6, ...names.map((name) => name.length)))),
    text: (row) => entityName(row) ?? '',
    render: (row) => {
      const name = entityName(row)
      return name === undefined ? null : <EntityChip name={name} />
    },
  }
}

/** One attribute; with `open`, the column that opens the item. */
export function attributeColumn(
  table: TableDescription,
  name: string,
  open: ((row: Item) => void) | undefined,
  keys: readonly string[],
): GridColumn<Item> {
  const value = (row: Item) => attributeOf(row, name)
  return {
    id: `a:${name}`,
    header: name.length > 200 ? `${name.slice(0, 200)}…` : name,
    value,
    ...(keys.includes(name) && { headerNote: <TypeTag type={typeOfKey(table, name)} /> }),
    ...(open !== undefined && {
      render: (row: Item) => {
        const known = value(row)
        return (
          <button type="button" className="items-open" tabIndex={-1} dir="auto" onClick={() => open(row)}>
            {known !== undefined && ('S' in known ? previewOf(known) : <ValueCell value={known} />)}
          </button>
        )
      },
    }),
  }
}

/** Seconds since 1970 say little by themselves: the time is beside them. */
export function expiryColumn(name: string): GridColumn<Item> {
  const timeOf = (row: Item): string => {
    const value = attributeOf(row, name)
    return value !== undefined && 'N' in value ? formatTime(Number(value.N)) : ''
  }
  return {
    id: `a:${name}`,
    header: name,
    headerNote: <span className="muted">expires</span>,
    value: (row) => attributeOf(row, name),
    widthPx: 246,
    render: (row) => {
      const value = attributeOf(row, name)
      return value === undefined ? null : (
        <>
          <ValueCell value={value} />
          <span className="muted number truncate">{timeOf(row)}</span>
        </>
      )
    },
  }
}

/** Attributes that are numbers in every entity that has them, and are compared along their right edge. */
export function numericNames(samples: ReadonlyMap<string, Item>): readonly string[] {
  const types = new Map<string, boolean>()
  for (const item of samples.values()) {
    for (const [name, value] of Object.entries(item)) types.set(name, 'N' in value && types.get(name) !== false)
  }
  return [...types].flatMap(([name, isNumeric]) => (isNumeric ? [name] : []))
}

/** The attributes that name the entity, which has a column of its own. */
export function entityMarks(samples: ReadonlyMap<string, Item>): readonly string[] {
  return [...samples].flatMap(([entity, item]) =>
    Object.entries(item).flatMap(([name, value]) => ('S' in value && value.S === entity ? [name] : [])),
  )
}
