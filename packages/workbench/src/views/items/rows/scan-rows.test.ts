import { describe, expect, test } from 'vitest'
import type { FetchedRows } from '../../../state/row-pages.ts'
import { ScanRows } from './scan-rows.ts'
import type { ScanStart } from './scan-source.ts'

/** Rows by their place between 0 and 1, as a Scan sees them. */
function sourceOf(places: readonly number[]) {
  const rows = places.toSorted((a, b) => a - b)
  let fetched = 0
  return {
    rows,
    fetchedRows: () => fetched,
    fetch: async (start: ScanStart<number>, limit: number): Promise<FetchedRows<number, number>> => {
      const within =
        start.kind === 'beginning'
          ? rows
          : start.kind === 'after'
            ? rows.filter((row) => row > start.cursor)
            : rows.filter((row) => row >= start.part / start.parts && row < (start.part + 1) / start.parts)
      const page = within.slice(0, limit)
      fetched += page.length
      return { rows: page, next: within.length > limit ? page.at(-1) : undefined }
    },
    before: async (cursor: number, limit: number) => {
      const own = rows.filter((row) => row < cursor && partitionOf(row) === partitionOf(cursor))
      fetched += Math.min(limit, own.length)
      return own.slice(-limit)
    },
    cursorOf: (row: number) => row,
    endOf: (row: number) => Number(partitionOf(row)) + 0.9999e-4,
    keyOf: String,
    partitionOf,
  }
}

/** Places so near to one another have one partition key. */
function partitionOf(row: number): string {
  return (Math.floor(row * 1e4) / 1e4).toFixed(4)
}

async function settled(rows: ScanRows<number, number>): Promise<void> {
  while (rows.state.isLoading) await new Promise((resolve) => setImmediate(resolve))
}

/** All that are known to follow one another. */
function knownRows(rows: ScanRows<number, number>): readonly (number | undefined)[] {
  const { firstKnown, afterKnown } = rows.state
  return Array.from({ length: afterKnown - firstKnown }, (_, at) => rows.rowAt(firstKnown + at))
}

const even = Array.from({ length: 20_000 }, (_, at) => (at + 0.5) / 20_000)

describe('rows of a scan', () => {
  test('begin at the beginning, and the rest is walked to', async () => {
    const source = sourceOf(even)
    const rows = new ScanRows(source, 20_000)
    rows.need(0, 30)
    await settled(rows)
    expect([rows.rowAt(0), rows.rowAt(30), rows.rowAt(100)]).toEqual([source.rows[0], source.rows[30], undefined])
    rows.need(80, 110)
    await settled(rows)
    expect(rows.rowAt(110)).toBe(source.rows[110])
    expect(source.fetchedRows()).toBeLessThanOrEqual(300)
  })

  test('a place far away is jumped to: what lies between is not fetched', async () => {
    const source = sourceOf(even)
    const rows = new ScanRows(source, 20_000)
    rows.need(0, 30)
    await settled(rows)
    rows.need(15_000, 15_030)
    await settled(rows)
    expect(rows.rowAt(15_010 + rows.state.shift)).toBeCloseTo(0.75, 1)
    expect(rows.state.isCounted).toBe(false)
    expect(source.fetchedRows()).toBeLessThan(800)
  })

  test('rows before a place that was jumped to are those before it, without a gap', async () => {
    const source = sourceOf(even)
    const rows = new ScanRows(source, 20_000)
    rows.need(10_000, 10_020)
    await settled(rows)
    for (let step = 0; step < 5; step++) {
      const first = rows.state.firstKnown
      rows.need(first, first + 20)
      await settled(rows)
    }
    const known = knownRows(rows)
    const at = source.rows.indexOf(known[0] ?? -1)
    expect(known.length).toBeGreaterThan(500)
    expect(known).toEqual(source.rows.slice(at, at + known.length))
  })

  test('walking back to the beginning ends with row 0, and the numbers are counted again', async () => {
    const source = sourceOf(Array.from({ length: 1200 }, (_, at) => (at + 0.5) / 1200))
    const rows = new ScanRows(source, 1200)
    rows.need(700, 720)
    await settled(rows)
    for (let step = 0; step < 30 && !rows.state.isCounted; step++) {
      const first = rows.state.firstKnown
      rows.need(first, first + 20)
      await settled(rows)
    }
    expect(rows.state.isCounted).toBe(true)
    expect(rows.rowAt(0)).toBe(source.rows[0])
    expect(rows.rowAt(500)).toBe(source.rows[500])
  })

  test('three partitions with all the items are found from anywhere', async () => {
    const lumps = [0.2, 0.5, 0.9].flatMap((place) => Array.from({ length: 5000 }, (_, at) => place + at * 1e-9))
    const source = sourceOf(lumps)
    const rows = new ScanRows(source, 15_000)
    rows.need(12_000, 12_030)
    await settled(rows)
    expect(rows.rowAt(rows.state.firstKnown)).toBeGreaterThanOrEqual(0.2)
    expect(source.fetchedRows()).toBeLessThan(1000)
    const first = rows.state.firstKnown
    rows.need(first, first + 20)
    await settled(rows)
    const known = knownRows(rows)
    const at = source.rows.indexOf(known[0] ?? -1)
    expect(known).toEqual(source.rows.slice(at, at + known.length))
    expect(source.fetchedRows()).toBeLessThan(2000)
  })

  test('memory is bounded however far one walks', async () => {
    const source = sourceOf(even)
    const rows = new ScanRows(source, 20_000)
    for (let at = 0; at < 10_000; at += 90) {
      rows.need(at, at + 30)
      await settled(rows)
    }
    let held = 0
    for (let index = 0; index < 10_000; index++) if (rows.rowAt(index) !== undefined) held++
    expect(held).toBeLessThanOrEqual(2600)
    rows.need(0, 30)
    await settled(rows)
    expect(rows.rowAt(10)).toBe(source.rows[10])
  })

  test('the end is the end, whatever was estimated', async () => {
    const source = sourceOf(even.slice(0, 250))
    const rows = new ScanRows(source, 400)
    for (const at of [0, 90, 190, 240]) {
      rows.need(at, at + 20)
      await settled(rows)
    }
    expect(rows.state).toMatchObject({ isComplete: true, rowCount: 250 })
  })

  test('going to the last row shows the last there is', async () => {
    const source = sourceOf(even)
    const rows = new ScanRows(source, 20_000)
    rows.need(19_980, 19_999)
    await settled(rows)
    expect(rows.state).toMatchObject({ isComplete: true, rowCount: 20_000 })
    expect(rows.rowAt(19_999)).toBe(source.rows.at(-1))
  })

  test('after an error it is tried again when asked', async () => {
    const source = sourceOf(even)
    let fails = true
    const rows = new ScanRows<number, number>(
      {
        ...source,
        fetch: (start, limit) => (fails ? Promise.reject(new Error('no')) : source.fetch(start, limit)),
      },
      20_000,
    )
    rows.need(0, 10)
    await settled(rows)
    expect(rows.state.error).toBeInstanceOf(Error)
    fails = false
    rows.retry()
    await settled(rows)
    expect(rows.rowAt(0)).toBe(source.rows[0])
  })
})
