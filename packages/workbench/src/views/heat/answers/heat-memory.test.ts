import { describe, expect, test } from 'vitest'
import { HeatMemory } from './heat-memory.ts'
import type { PartitionNow } from '../../../answers/heat.ts'
import { keyAxis, rangeLabel } from '../map/key-axis.ts'

const minuteMs = 60_000
const startMs = 1_000 * minuteMs

function partition(fromKey: string, toKey: string, writesPerMinute: readonly number[]): PartitionNow {
  const writeHistory = [...Array.from({ length: 60 - writesPerMinute.length }, () => 0), ...writesPerMinute]
  return {
    fromKey,
    toKey,
    readUnitsPerSecond: 0,
    writeUnitsPerSecond: (writesPerMinute.at(-1) ?? 0) / 60,
    readCapacity: 3_000,
    writeCapacity: 1_000,
    readThrottles: 0,
    writeThrottles: 0,
    readHistory: writeHistory.map(() => 0),
    writeHistory,
  }
}

describe('what was seen of partitions', () => {
  test('the last five minutes by each look, and by the minute before the first of them', () => {
    const memory = new HeatMemory()
    memory.look(startMs + 10_000, [partition('00000000', '', [6_000, 600])])
    memory.look(startMs + 12_000, [partition('00000000', '', [6_000, 1_200])])
    const minutes = Array.from({ length: 6 }, (_, ago) => {
      const fromMs = startMs - (5 - ago) * minuteMs
      return { fromMs, toMs: Math.min(startMs + 12_000, fromMs + minuteMs), cells: [] }
    })
    const columns = memory.live(startMs + 12_000, minutes)
    expect(columns.at(-1)).toMatchObject({ fromMs: startMs + 10_000, toMs: startMs + 12_000 })
    expect(columns.at(-2)).toMatchObject({ fromMs: startMs + 8_000, toMs: startMs + 10_000 })
    expect(columns[0]?.fromMs).toBe(startMs + 12_000 - 5 * minuteMs)
    for (const [position, column] of columns.slice(1).entries()) {
      expect(column.fromMs).toBeGreaterThanOrEqual(columns[position]?.toMs ?? 0)
    }
  })

  test('a look back in time, or the same twice, changes nothing', () => {
    const memory = new HeatMemory()
    memory.look(startMs + 5_000, [partition('00000000', '', [600])])
    memory.look(startMs + 5_000, [partition('00000000', '', [6_000])])
    memory.look(startMs, [partition('00000000', '', [6_000])])
    expect(memory.live(startMs + 5_000, []).at(-1)?.cells[0]?.write.unitsPerSecond).toBe(10)
  })
})

describe('the axis of keys', () => {
  test('is in proportion to the hashes, and gives the narrowest range a height that is seen', () => {
    const cell = (fromKey: string, toKey: string) => ({
      fromKey,
      toKey,
      read: { unitsPerSecond: 0, share: 0, throttles: 0 },
      write: { unitsPerSecond: 0, share: 0, throttles: 0 },
    })
    const even = keyAxis([{ fromMs: 0, toMs: 1, cells: [cell('00000000', '40000000'), cell('40000000', '')] }])
    expect(even.at('40000000', false)).toBeCloseTo(0.25)
    expect(even.at('', true)).toBe(1)
    expect(even.at('', false)).toBe(0)
    const narrow = keyAxis([
      {
        fromMs: 0,
        toMs: 1,
        cells: [cell('00000000', '40000000aa'), cell('40000000aa', '40000000bb'), cell('40000000bb', '')],
      },
    ])
    expect(narrow.at('40000000bb', false) - narrow.at('40000000aa', false)).toBeGreaterThan(0.03)
  })

  test('ranges are read without the zeros behind', () => {
    expect(rangeLabel('00000000', '80000000')).toBe('00–80')
    expect(rangeLabel('c1234000', '')).toBe('c1234–ff')
  })
})
