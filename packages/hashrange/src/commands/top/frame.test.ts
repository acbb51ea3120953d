import type { HeatReport, PlaceReport, TableReport } from '@hashrange/engine'
import { describe, expect, test } from 'vitest'
import { bar, cell, cut, figure, milliseconds } from './cells.ts'
import { frame, type FrameOptions } from './frame.ts'
import { ansiStyle, plainStyle, styleFor } from './style.ts'
import { inputsOf } from './terminal.ts'
import { afterKey, firstView, keyOfInput, sortedTables } from './view.ts'

const place = (more: Partial<PlaceReport> = {}): PlaceReport => ({
  status: 'ACTIVE',
  items: 0,
  bytes: 0,
  readCapacity: 0,
  writeCapacity: 0,
  readUnitsPerSecond: 0,
  writeUnitsPerSecond: 0,
  readThrottles: 0,
  writeThrottles: 0,
  readWouldThrottles: 0,
  writeWouldThrottles: 0,
  partitions: [],
  partitionCount: 0,
  hottestReads: [],
  hottestWrites: [],
  mostThrottledReads: [],
  mostThrottledWrites: [],
  ...more,
})
const table = (tableName: string, ...places: PlaceReport[]): TableReport => ({
  accountId: '123456789012',
  region: 'us-east-1',
  tableName,
  status: 'ACTIVE',
  billingMode: 'PAY_PER_REQUEST',
  places,
  operations: [],
})
const reportOf = (...tables: TableReport[]): HeatReport => ({
  atMs: Date.UTC(2026, 10, 15, 12, 34, 56),
  tables,
  leftOut: 0,
  accounts: [{ accountId: '123456789012', region: 'us-east-1', userErrors: 3 }],
})
const options: FrameOptions = {
  endpoint: 'http://127.0.0.1:8000',
  view: firstView,
  style: plainStyle,
  columns: 120,
  interactive: false,
}

const hot: TableReport = {
  ...table(
    'orders',
    place({
      items: 12_345,
      bytes: 5_000_000,
      readUnitsPerSecond: 120.5,
      writeUnitsPerSecond: 900,
      readCapacity: 12_000,
      writeCapacity: 4_000,
      writeWouldThrottles: 41,
      partitions: [
        {
          fromKey: '',
          toKey: '80',
          readUnitsPerSecond: 30,
          writeUnitsPerSecond: 950,
          readCapacity: 3_000,
          writeCapacity: 1_000,
          readThrottles: 0,
          writeThrottles: 41,
          readHistory: [],
          writeHistory: [],
        },
      ],
      partitionCount: 4,
      hottestWrites: [{ text: 'CELEBRITY#1\x1b[31m', amount: 900, overestimate: 0 }],
    }),
    place({ indexName: 'byOwner', items: 12_000, writeUnitsPerSecond: 450 }),
  ),
  operations: [
    {
      operation: 'PutItem',
      requestsPerSecond: 900,
      p50Ms: 0.25,
      p99Ms: 4.2,
      maximumMs: 1500,
      throttled: 0,
      systemErrors: 0,
    },
  ],
}

describe('a frame', () => {
  const lines = frame(reportOf(table('quiet', place({ items: 1 })), hot), options)
  const text = lines.join('\n')

  test('sums up in its first line', () => {
    expect(lines[0]).toBe(
      'hashrange top  http://127.0.0.1:8000   12:34:56   121 RCU/s   1,350 WCU/s   throttled 0   would throttle 41   user erro…',
    )
  })

  test('lists tables and their indexes, the busiest first', () => {
    expect(text).toMatch(/^> orders +12,345 +4\.8 MB +121 +12,000 +900 +4,000 +0 +41$/m)
    expect(text).toMatch(/^ {4}byOwner +12,000 +0 B +0 +on demand +450/m)
    expect(text.indexOf('quiet')).toBeGreaterThan(text.indexOf('byOwner'))
  })

  test('shows the chosen table: its operations, partitions and keys', () => {
    expect(text).toMatch(/PutItem +900\/s +p50 250 µs +p99 4\.2 ms +max 1\.5 s +throttled 0 +errors 0/)
    expect(text).toMatch(/orders +000000–800000 +R ▏·{19} +1% +W █{19}· +95% +41 would be/)
    expect(text).toContain('and 3 more partitions')
    expect(text).toMatch(/█{12} +900 write +orders +CELEBRITY#1·\[31m/)
  })

  test('fits the terminal it is drawn on, whatever its size', () => {
    const many = reportOf(...Array.from({ length: 100 }, (_, i) => table(`t${i}`, place())), hot)
    for (const [columns, rows] of [
      [40, 10],
      [80, 24],
      [200, 60],
    ] as const) {
      const drawn = frame(many, { ...options, columns, rows, interactive: true })
      expect(drawn).toHaveLength(rows)
      expect(Math.max(...drawn.map((line) => line.length))).toBeLessThanOrEqual(columns)
      expect(drawn.at(-1)).toMatch(/^q quit/)
    }
  })

  test('of a server without tables says so', () => {
    expect(frame(reportOf(), options).join('\n')).toContain('There are no tables yet.')
  })

  test('tells what is wrong in place of its first line', () => {
    expect(frame(reportOf(hot), { ...options, problem: 'Nothing answers.' })[0]).toBe('Nothing answers.')
  })

  test('explains itself', () => {
    expect(frame(reportOf(hot), { ...options, view: { ...firstView, help: true } }).join('\n')).toContain(
      'A partition can handle 3,000 RCU and 1,000 WCU',
    )
  })

  test('names accounts and regions where there are several', () => {
    const elsewhere = { ...table('orders', place()), region: 'eu-west-1' }
    expect(frame(reportOf(hot, elsewhere), options).join('\n')).toContain('123456789012/eu-west-1/orders')
  })

  test('is coloured on a terminal that has colours', () => {
    expect(frame(reportOf(hot), { ...options, style: ansiStyle }).join('\n')).toContain('\x1b[33m')
    expect(styleFor(true, {})).toBe(ansiStyle)
    expect(styleFor(true, { NO_COLOR: '1' })).toBe(plainStyle)
    expect(styleFor(false, {})).toBe(plainStyle)
  })
})

describe('keys', () => {
  const report = reportOf(table('a', place()), table('b', place({ readUnitsPerSecond: 1 })), table('c', place()))

  test('choose a table in the order that is shown, round and round', () => {
    const names = (view: typeof firstView): string | undefined => view.selected?.split('/').at(-1)
    let view = afterKey(firstView, 'down', report)
    expect(names(view)).toBe('a')
    view = afterKey(view, 'up', report)
    expect(names(view)).toBe('b')
    view = afterKey(view, 'up', report)
    expect(names(view)).toBe('c')
    expect(afterKey(firstView, 'down', undefined).selected).toBeUndefined()
  })

  test('sort, pause and explain', () => {
    const view = afterKey(afterKey(afterKey(firstView, 'sort', report), 'pause', report), 'help', report)
    expect(view).toEqual({ selected: undefined, sorting: 'reads', paused: true, help: true })
    expect(afterKey(view, 'close', report).help).toBe(false)
    expect(sortedTables(report.tables, 'name').map(({ tableName }) => tableName)).toEqual(['a', 'b', 'c'])
  })

  test('are read one by one', () => {
    expect(inputsOf('j\x1b[Bq').map(keyOfInput)).toEqual(['down', 'down', 'quit'])
    expect(keyOfInput('toString')).toBeUndefined()
  })
})

test('figures are short, and cells as wide as they should be', () => {
  expect([0, 0.25, 12.34, 1204.4, 2_500_000].map(figure)).toEqual(['0', '0.25', '12.3', '1,204', '2.5 M'])
  expect([0.0004, 0.4, 12.34, 2500].map(milliseconds)).toEqual(['0 µs', '400 µs', '12.3 ms', '2.5 s'])
  expect(cut('abcdef', 4)).toBe('abc…')
  expect(cell('日本', 6)).toBe('日本  ')
  expect(cut('日本語', 4)).toBe('日…')
  expect(bar(0.5, 4)).toBe('██··')
  expect(bar(Number.NaN, 2)).toBe('··')
  expect(bar(7, 2)).toBe('██')
})
