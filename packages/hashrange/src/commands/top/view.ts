import type { HeatReport, TableReport } from '@hashrange/engine'

export const sortings = ['units', 'reads', 'writes', 'throttles', 'items', 'name'] as const
export type Sorting = (typeof sortings)[number]

/** What the user has chosen to see. */
export interface View {
  /** The table whose details are shown; the first by default. */
  readonly selected: string | undefined
  readonly sorting: Sorting
  readonly paused: boolean
  readonly help: boolean
}

export const firstView: View = { selected: undefined, sorting: 'units', paused: false, help: false }

export type Key = 'quit' | 'up' | 'down' | 'sort' | 'pause' | 'help' | 'close'

const keysOfInput: Readonly<Record<string, Key>> = {
  q: 'quit',
  Q: 'quit',
  '\x03': 'quit',
  '\x04': 'quit',
  '\x1b[A': 'up',
  '\x1bOA': 'up',
  '\x1b[Z': 'up',
  k: 'up',
  '\x1b[B': 'down',
  '\x1bOB': 'down',
  '\t': 'down',
  j: 'down',
  s: 'sort',
  p: 'pause',
  ' ': 'pause',
  '?': 'help',
  h: 'help',
  '\x1b': 'close',
}

/** The key that a terminal's input stands for, if it means anything. */
export function keyOfInput(input: string): Key | undefined {
  return Object.hasOwn(keysOfInput, input) ? keysOfInput[input] : undefined
}

/** The view after a key. */
export function afterKey(view: View, key: Key, report: HeatReport | undefined): View {
  switch (key) {
    case 'up':
      return { ...view, selected: neighbour(view, report, -1) }
    case 'down':
      return { ...view, selected: neighbour(view, report, 1) }
    case 'sort':
      return { ...view, sorting: sortings[(sortings.indexOf(view.sorting) + 1) % sortings.length] ?? 'units' }
    case 'pause':
      return { ...view, paused: !view.paused }
    case 'help':
      return { ...view, help: !view.help }
    case 'close':
      return { ...view, help: false }
    case 'quit':
      return view
  }
}

/** The tables in the requested order. */
export function sortedTables(tables: readonly TableReport[], sorting: Sorting): readonly TableReport[] {
  if (sorting === 'name') return tables.toSorted(byName)
  return tables.toSorted((a, b) => measure(b, sorting) - measure(a, sorting) || byName(a, b))
}

/** The table whose details are shown. */
export function selectedTable(tables: readonly TableReport[], view: View): TableReport | undefined {
  return tables.find((table) => nameOf(table) === view.selected) ?? tables[0]
}

/** Accounts and regions may have tables of the same name. */
function nameOf({ accountId, region, tableName }: TableReport): string {
  return `${accountId}/${region}/${tableName}`
}

function neighbour(view: View, report: HeatReport | undefined, step: number): string | undefined {
  const tables = sortedTables(report?.tables ?? [], view.sorting)
  const current = selectedTable(tables, view)
  if (current === undefined) return undefined
  const next = tables[(tables.indexOf(current) + step + tables.length) % tables.length]
  return next === undefined ? undefined : nameOf(next)
}

function byName(a: TableReport, b: TableReport): number {
  return nameOf(a) < nameOf(b) ? -1 : 1
}

function measure({ places }: TableReport, sorting: Exclude<Sorting, 'name'>): number {
  let total = 0
  for (const place of places) {
    switch (sorting) {
      case 'units':
        total += place.readUnitsPerSecond + place.writeUnitsPerSecond
        break
      case 'reads':
        total += place.readUnitsPerSecond
        break
      case 'writes':
        total += place.writeUnitsPerSecond
        break
      case 'throttles':
        total += place.readThrottles + place.writeThrottles + place.readWouldThrottles + place.writeWouldThrottles
        break
      case 'items':
        total += place.indexName === undefined ? place.items : 0
        break
    }
  }
  return total
}
