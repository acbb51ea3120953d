import { describe, expect, test } from 'vitest'
import { heatColumns } from './heat-columns.ts'
import type { KeyRangeUse, PartitionNow } from '../../../answers/heat.ts'

const minuteMs = 60_000
const startMs = 1_000 * minuteMs

const use = (fromKey: string, toKey: string, writeUnits: number, writeThrottles = 0): KeyRangeUse => {
  return { fromKey, toKey, readUnits: 0, writeUnits, readThrottles: 0, writeThrottles }
}

const now = (fromKey: string, toKey: string): PartitionNow => ({
  fromKey,
  toKey,
  readUnitsPerSecond: 0,
  writeUnitsPerSecond: 0,
  readCapacity: 3_000,
  writeCapacity: 1_000,
  readThrottles: 0,
  writeThrottles: 0,
  readHistory: [],
  writeHistory: [],
})

const labels = (columns: ReturnType<typeof heatColumns>) =>
  columns.map(({ cells }) =>
    cells.map(({ fromKey, toKey }) => `${fromKey.slice(0, 2)}-${toKey.slice(0, 2)}`).join(' '),
  )

describe('the columns of a map', () => {
  test('are there for every period, with shares of what a partition takes, and throttles', () => {
    const periods = [{ atMs: startMs + minuteMs, ranges: [use('00000000', '', 30_000, 7)], leftOut: 0 }]
    const columns = heatColumns(
      { periodMs: minuteMs, periods },
      [now('00000000', '')],
      startMs,
      startMs + 2.5 * minuteMs,
    )
    expect(columns.map(({ cells }) => cells[0]?.write)).toEqual([
      { unitsPerSecond: 0, share: 0, throttles: 0 },
      { unitsPerSecond: 500, share: 0.5, throttles: 7 },
      { unitsPerSecond: 0, share: 0, throttles: 0 },
    ])
    expect(columns.at(-1)).toMatchObject({ fromMs: startMs + 2 * minuteMs, toMs: startMs + 2.5 * minuteMs })
  })

  test('a period that goes on is an average over what is past of it', () => {
    const periods = [{ atMs: startMs, ranges: [use('00000000', '', 3_000)], leftOut: 0 }]
    const [column] = heatColumns({ periodMs: 10 * minuteMs, periods }, [], startMs, startMs + 3_000)
    expect(column?.cells[0]?.write.share).toBe(1)
  })

  test('idle ranges stand between used ones, divided as was last known', () => {
    const periods = [
      { atMs: startMs + minuteMs, ranges: [use('00000000', '', 1)], leftOut: 0 },
      { atMs: startMs + 2 * minuteMs, ranges: [use('40000000', '80000000', 1)], leftOut: 0 },
    ]
    const partitions = [
      now('00000000', '40000000'),
      now('40000000', '80000000'),
      now('80000000', 'c0000000'),
      now('c0000000', ''),
    ]
    const columns = heatColumns({ periodMs: minuteMs, periods }, partitions, startMs, startMs + 4.5 * minuteMs)
    expect(labels(columns)).toEqual(['00-', '00-', '00-40 40-80 80-', '00-40 40-80 80-', '00-40 40-80 80-c0 c0-'])
  })

  test('where nothing ever happened, they are divided as they are now', () => {
    const partitions = [now('00000000', '80000000'), now('80000000', '')]
    const columns = heatColumns({ periodMs: minuteMs, periods: [] }, partitions, startMs, startMs + 2 * minuteMs)
    expect(labels(columns)).toEqual(['00-80 80-', '00-80 80-'])
  })
})
