import type { Item } from '@hashrange/core'

/** How a user wants a table's columns; kept in the browser. */
export interface ColumnWishes {
  /** The columns that were put in an order, by name; others follow. */
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  readonly widths: Readonly<Record<string, number>>
  /** Every column there is, and not only those that rows in sight fill. */
  readonly isAll: boolean
}

export const noWishes: ColumnWishes = { order: [], hidden: [], widths: {}, isAll: false }

/** What was kept, whatever it may have become meanwhile. */
export function readWishes(value: unknown): ColumnWishes {
  if (typeof value !== 'object' || value === null) return noWishes
  const { order, hidden, widths, isAll } = value as Readonly<Record<string, unknown>>
  return {
    order: stringsOf(order),
    hidden: stringsOf(hidden),
    widths:
      typeof widths === 'object' && widths !== null
        ? Object.fromEntries(
            Object.entries(widths).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
          )
        : {},
    isAll: isAll === true,
  }
}

/** The attributes seen so far, each with the entities that have it. Grows as rows come into sight. */
export type SeenAttributes = ReadonlyMap<string, ReadonlySet<string>>

const mostColumns = 400

/** Notes the attributes of rows; the same map if they bring nothing new. */
export function noteAttributes(
  seen: SeenAttributes,
  rows: Iterable<Item>,
  entityName: (item: Item) => string | undefined,
): SeenAttributes {
  let next: Map<string, ReadonlySet<string>> | undefined
  for (const row of rows) {
    const entity = entityName(row) ?? ''
    for (const name of Object.keys(row)) {
      const known = (next ?? seen).get(name)
      if (known?.has(entity) === true || (known === undefined && (next ?? seen).size >= mostColumns)) continue
      next ??= new Map(seen)
      next.set(name, new Set([...(known ?? []), entity]))
    }
  }
  return next ?? seen
}

export interface ColumnOptions {
  readonly seen: SeenAttributes
  /** First, in this order: the keys of what is shown. */
  readonly keys: readonly string[]
  /** Last, unless they are among the first: keys of other indexes, and what names the entity, say little here. */
  readonly otherKeys: readonly string[]
  readonly wishes: ColumnWishes
  /** Only columns that items of this entity have. */
  readonly entity?: string | undefined
  /** How many of the rows in sight have each attribute. */
  readonly inSight?: AttributeCounts | undefined
}

export interface AttributeCounts {
  readonly rows: number
  readonly counts: ReadonlyMap<string, number>
}

export function countAttributes(rows: readonly Item[]): AttributeCounts {
  const counts = new Map<string, number>()
  for (const row of rows) for (const name of Object.keys(row)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return { rows: rows.length, counts }
}

/** All columns there could be, in their order. */
export function orderedColumns({
  seen,
  keys,
  otherKeys,
  wishes,
}: Omit<ColumnOptions, 'entity' | 'inSight'>): readonly string[] {
  const late = otherKeys.filter((name) => seen.has(name) && !keys.includes(name))
  const usual = [...seen.keys()].filter((name) => !keys.includes(name) && !late.includes(name))
  const natural = [...keys, ...usual, ...late]
  const wished = wishes.order.filter((name) => natural.includes(name))
  return [...wished, ...natural.filter((name) => !wished.includes(name))]
}

/** The columns to show. Unless all are wanted, columns that no row in sight has are left out. Unless the user has
 *  ordered them, columns that most rows have come first. So the grid of a table with many entities is not mostly
 *  blank. */
export function shownColumns(options: ColumnOptions): readonly string[] {
  const { seen, keys, otherKeys, wishes, entity, inSight } = options
  const follows = !wishes.isAll && inSight !== undefined && inSight.rows > 0
  const shown = orderedColumns(options).filter((name) => {
    if (wishes.hidden.includes(name)) return false
    if (keys.includes(name)) return true
    if (follows && !inSight.counts.has(name)) return false
    return entity === undefined || seen.get(name)?.has(entity) === true
  })
  if (!follows || wishes.order.length > 0) return shown
  const rank = (name: string): number => {
    if (keys.includes(name)) return 0
    if (otherKeys.includes(name)) return 4
    // In steps: a row more or less does not change places.
    const share = (inSight.counts.get(name) ?? 0) / inSight.rows
    return share >= 0.5 ? 1 : share >= 0.2 ? 2 : 3
  }
  return shown.toSorted((a, b) => rank(a) - rank(b))
}

/** One column moved by one place; with it the order of all is fixed. */
export function moveColumn(columns: readonly string[], name: string, by: -1 | 1): readonly string[] {
  const at = columns.indexOf(name)
  const to = at + by
  if (at < 0 || to < 0 || to >= columns.length) return columns
  return columns.with(at, columns[to] ?? name).with(to, name)
}

export function toggleHidden(wishes: ColumnWishes, name: string): ColumnWishes {
  const hidden = wishes.hidden.includes(name)
    ? wishes.hidden.filter((other) => other !== name)
    : [...wishes.hidden, name]
  return { ...wishes, hidden }
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []
}
