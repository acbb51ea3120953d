import type { HeatReport, LinkReport, OperationReport, PlaceReport, TableReport } from '@hashrange/engine'
import { linkStateText, type LinkStatus } from '../../regions/link-status.ts'
import type { ServedHeat } from '../../report-route.ts'
import { bytes, cell, cut, figure, milliseconds } from './cells.ts'
import { hotKeyLines } from './hot-key-lines.ts'
import { partitionLines } from './partition-lines.ts'
import type { Style } from './style.ts'
import { selectedTable, sortedTables, type View } from './view.ts'

export interface FrameOptions {
  readonly endpoint: string
  readonly view: View
  readonly style: Style
  readonly columns: number
  /** Without a limit, everything is shown. */
  readonly rows?: number | undefined
  /** Why the figures are not current, if they are not. */
  readonly problem?: string | undefined
  readonly interactive: boolean
}

/** One picture of what a server is doing. */
export function frame(report: ServedHeat | undefined, options: FrameOptions): string[] {
  const { view, style, columns, rows = Number.POSITIVE_INFINITY } = options
  const footer = options.interactive ? [style.dim(cut(footerText(view), columns))] : []
  if (view.help) return [...helpLines(style), ...footer].slice(0, rows)
  if (report === undefined) return [headline(undefined, options), ...footer]
  const tables = sortedTables(report.tables, view.sorting)
  const selected = selectedTable(tables, view)
  const top = [headline(report, options), '']
  const replication = [
    ...serverLines(report.servers ?? [], options),
    ...replicationLines(report.links ?? [], options),
  ]
  const room = rows - top.length - footer.length - replication.length
  const list = tableLines(tables, selected, options, Math.max(4, Math.floor(room / 2)), severalScopes(report))
  const details = selected === undefined ? [] : detailLines(selected, options, room - list.length)
  const body = [...top, ...list, ...replication, ...details]
  // The footer stands at the bottom.
  if (Number.isFinite(rows)) while (body.length < rows - footer.length) body.push('')
  return [...body.slice(0, rows - footer.length), ...footer]
}

const mostLinks = 6

/** The servers of other regions. */
function serverLines(servers: readonly LinkStatus[], { style, columns }: FrameOptions): string[] {
  if (servers.length === 0) return []
  const lines = servers.map(({ region, url, state, error }) => {
    const why = error === undefined ? '' : `: ${error}`
    const line = cut(`  ${cell(region, 16)}${cell(url, 48)}${linkStateText[state]}${why}`, columns)
    return state === 'down' ? style.red(line) : line
  })
  return [style.dim('LINKED SERVERS'), ...lines, '']
}

/** What must still be sent to other regions, the latest first. */
function replicationLines(links: readonly LinkReport[], { style, columns }: FrameOptions): string[] {
  if (links.length === 0) return []
  const shown = links.toSorted((one, other) => other.lagMs - one.lagMs).slice(0, mostLinks)
  const lines = shown.map(({ tableName, from, to, status, pending, lagMs }) => {
    const state = status === 'cut' ? 'cut off' : `${(lagMs / 1000).toFixed(1)} s late`
    const line = cut(
      `  ${cell(tableName, 30)}${cell(`${from} → ${to}`, 34)}${cell(figure(pending), numberWidth, 'right')} to send   ${state}`,
      columns,
    )
    return lagMs > 10_000 ? style.red(line) : line
  })
  const left = links.length - shown.length
  return [style.dim('REPLICATION'), ...lines, left > 0 ? style.dim(`  and ${left} more`) : '']
}

function headline(
  report: HeatReport | undefined,
  { endpoint, view, style, columns, problem }: FrameOptions,
): string {
  const parts = [`hashrange top  ${endpoint}`, ...(view.paused ? ['PAUSED'] : [])]
  if (report !== undefined) {
    const places = report.tables.flatMap((table) => table.places)
    const sum = (of: (place: PlaceReport) => number): number =>
      places.reduce((total, place) => total + of(place), 0)
    const errors = report.accounts.reduce((total, { userErrors }) => total + userErrors, 0)
    parts.push(
      new Date(report.atMs).toISOString().slice(11, 19),
      `${figure(sum((place) => place.readUnitsPerSecond))} RCU/s`,
      `${figure(sum((place) => place.writeUnitsPerSecond))} WCU/s`,
      `throttled ${figure(sum((place) => place.readThrottles + place.writeThrottles))}`,
      `would throttle ${figure(sum((place) => place.readWouldThrottles + place.writeWouldThrottles))}`,
      `user errors ${figure(errors)} /min`,
    )
  }
  const line = cut(parts.join('   '), columns)
  return problem === undefined ? style.bold(line) : style.red(cut(problem, columns))
}

const numberWidth = 10

function tableLines(
  tables: readonly TableReport[],
  selected: TableReport | undefined,
  { style, columns }: FrameOptions,
  room: number,
  withScope: boolean,
): string[] {
  const nameWidth = Math.max(16, Math.min(44, columns - 8 * numberWidth - 2))
  const heading = [
    cell('TABLE / INDEX', nameWidth + 2),
    ...['ITEMS', 'SIZE', 'RCU/s', 'of', 'WCU/s', 'of', 'THROTTLED', 'WOULD BE'].map((title) =>
      cell(title, numberWidth, 'right'),
    ),
  ].join('')
  const lines: string[] = []
  let selectedAt = 0
  for (const table of tables) {
    if (table === selected) selectedAt = lines.length
    for (const place of table.places) {
      const mark = table === selected && place.indexName === undefined ? '> ' : '  '
      const scope = withScope ? `${table.accountId}/${table.region}/` : ''
      const name = place.indexName === undefined ? `${scope}${table.tableName}` : `  ${place.indexName}`
      const line = cut(mark + cell(name, nameWidth) + figures(table, place), columns)
      lines.push(coloured(line, place, table === selected, style))
    }
  }
  if (lines.length === 0) lines.push(style.dim('  There are no tables yet.'))
  const shown = Math.max(1, room - 2)
  const from = Math.max(0, Math.min(selectedAt - Math.floor(shown / 3), lines.length - shown))
  const hidden = lines.length - shown
  return [
    style.dim(cut(heading, columns)),
    ...lines.slice(from, from + shown),
    hidden > 0 ? style.dim(`  and ${hidden} more`) : '',
  ]
}

function figures(table: TableReport, place: PlaceReport): string {
  const capacity = (units: number | undefined, model: number): string => {
    if (units !== undefined) return figure(units)
    return table.billingMode === 'PAY_PER_REQUEST' && model === 0 ? 'on demand' : figure(model)
  }
  return [
    figure(place.items),
    bytes(place.bytes),
    figure(place.readUnitsPerSecond),
    capacity(place.provisioned?.readUnits, place.readCapacity),
    figure(place.writeUnitsPerSecond),
    capacity(place.provisioned?.writeUnits, place.writeCapacity),
    figure(place.readThrottles + place.writeThrottles),
    figure(place.readWouldThrottles + place.writeWouldThrottles),
  ]
    .map((text) => cell(text, numberWidth, 'right'))
    .join('')
}

function coloured(line: string, place: PlaceReport, isSelected: boolean, style: Style): string {
  const throttled = place.readThrottles + place.writeThrottles
  const wouldBe = place.readWouldThrottles + place.writeWouldThrottles
  const tone = throttled > 0 ? style.red(line) : wouldBe > 0 ? style.yellow(line) : line
  return isSelected && place.indexName === undefined ? style.bold(tone) : tone
}

function detailLines(table: TableReport, options: FrameOptions, room: number): string[] {
  const lines: string[] = []
  const add = (title: string, more: readonly string[], most: number): void => {
    if (more.length === 0 || lines.length + 3 > room) return
    const fitting = Math.max(1, Math.min(most, room - lines.length - 2))
    lines.push(options.style.dim(cut(title, options.columns)), ...more.slice(0, fitting), '')
  }
  const everything = Number.isFinite(room) ? Math.floor(room / 3) : Number.POSITIVE_INFINITY
  add(`${table.tableName}: requests in the last minute`, operationLines(table.operations, options), everything)
  add(`${table.tableName}: partitions, by share of capacity used`, partitionLines(table, options), everything)
  add(`${table.tableName}: hottest keys, by capacity units`, hotKeyLines(table, options), Number.POSITIVE_INFINITY)
  return lines
}

function operationLines(operations: readonly OperationReport[], { columns, style }: FrameOptions): string[] {
  return operations.map((each) => {
    const line =
      `  ${cell(each.operation, 22)}${cell(`${figure(each.requestsPerSecond)}/s`, 11, 'right')}` +
      `${cell(`p50 ${milliseconds(each.p50Ms)}`, 14, 'right')}${cell(`p99 ${milliseconds(each.p99Ms)}`, 14, 'right')}` +
      cell(`max ${milliseconds(each.maximumMs)}`, 14, 'right') +
      `${cell(`throttled ${figure(each.throttled)}`, 16, 'right')}${cell(`errors ${figure(each.systemErrors)}`, 12, 'right')}`
    const shown = cut(line, columns)
    return each.throttled + each.systemErrors > 0 ? style.red(shown) : shown
  })
}

function severalScopes({ tables }: HeatReport): boolean {
  const first = tables[0]
  return tables.some(({ accountId, region }) => accountId !== first?.accountId || region !== first.region)
}

function footerText({ sorting, paused }: View): string {
  return `q quit   ↑ ↓ select a table   s sort: ${sorting}   p ${paused ? 'resume' : 'pause'}   ? help`
}

function helpLines(style: Style): string[] {
  return [
    style.bold('hashrange top'),
    '',
    '  RCU/s, WCU/s   capacity units consumed per second, averaged over the last ten seconds',
    '  of             provisioned capacity, or what the on-demand table can handle right now',
    '  THROTTLED      requests that were throttled in the last minute',
    '  WOULD BE       requests that AWS would have throttled; here they succeeded',
    '',
    '  A partition can handle 3,000 RCU and 1,000 WCU. A full bar, while the table has capacity left, means a hot',
    '  partition. If most of the load is on one key, splitting will not help: spread that key.',
    '',
    '  q        quit',
    '  ↑ ↓ tab  select the table whose partitions and keys are shown',
    '  s        sort by units, reads, writes, throttles, items, name',
    '  p        pause: keep the current figures on screen',
    '  ?        show this help',
    '',
  ]
}
