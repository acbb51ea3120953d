import { describe, expect, test } from 'vitest'
import type { PlaceHeat, TopKey } from '../../../answers/heat.ts'
import { sortByHeat } from '../overview/sort-overview.ts'
import type { PlaceOverview, TableOverview } from '../../../answers/heat.ts'
import { throttleFindings } from './throttle-findings.ts'

interface Given {
  readonly provisioned?: number
  readonly write: readonly number[]
  readonly would?: number
  readonly reasons?: PlaceHeat['history']['reasons']
  readonly throttled?: readonly TopKey[]
  readonly written?: readonly TopKey[]
}

function place({ provisioned, write, would = 0, reasons = [], throttled = [], written = [] }: Given): PlaceHeat {
  const none = write.map(() => 0)
  return {
    report: {
      status: 'ACTIVE',
      items: 1,
      bytes: 1,
      ...(provisioned !== undefined && { provisioned: { readUnits: provisioned, writeUnits: provisioned } }),
      readCapacity: 0,
      writeCapacity: 0,
      readUnitsPerSecond: 0,
      writeUnitsPerSecond: 0,
      readThrottles: 0,
      writeThrottles: 0,
      readWouldThrottles: 0,
      writeWouldThrottles: 0,
      partitionCount: 1,
      partitions: [],
    },
    history: {
      timesMs: write.map((_, position) => position * 1000),
      read: none,
      write,
      provisionedRead: none,
      provisionedWrite: none,
      readThrottles: none,
      writeThrottles: none,
      readWouldThrottles: none,
      writeWouldThrottles: [would, ...none.slice(1)],
      reasons,
    },
    keyRanges: { periodMs: 60_000, periods: [] },
    keys: {
      readUnits: 0,
      writeUnits: written.reduce((sum, { amount }) => sum + amount, 0),
      seconds: 300,
      reads: [],
      writes: written,
      throttledReads: [],
      throttledWrites: throttled,
    },
  }
}

describe('why requests are throttled', () => {
  test('where nothing is, nothing is said', () => {
    expect(throttleFindings(place({ write: [1, 2, 3] }))).toEqual([])
  })

  test('a table that is used beyond what is provisioned needs more of it', () => {
    const [finding] = throttleFindings(place({ provisioned: 5, write: [500, 500, 500], would: 40 }))
    expect(finding).toMatchObject({
      kind: 'would',
      count: 40,
      reasonName: 'TableWriteProvisionedThroughputExceeded',
    })
    expect(finding?.sentence).toContain('AWS would have throttled 40 writes')
    expect(finding?.remedy).toContain('WriteCapacityUnits')
  })

  test('where reasons were counted, the one that most had holds', () => {
    const reasons = [
      { name: 'WriteProvisionedThroughputWouldBeThrottleEvents', count: 3 },
      { name: 'WriteKeyRangeThroughputWouldBeThrottleEvents', count: 38 },
    ]
    const findings = throttleFindings(place({ provisioned: 5, write: [500, 500, 500], would: 40, reasons }))
    expect(findings).toMatchObject([
      { kind: 'would', count: 40, reasonName: 'TableWriteKeyRangeThroughputExceeded' },
    ])
  })

  test('a key range that is used beyond its limit needs its key spread, if it is one', () => {
    const key: TopKey = { values: [{ S: 'star' }], text: 'star', amount: 90, overestimate: 0 }
    const other: TopKey = { values: [{ S: 'b' }], text: 'b', amount: 10, overestimate: 0 }
    const [finding] = throttleFindings(place({ write: [3_000, 0, 0], would: 100, throttled: [key, other] }))
    expect(finding).toMatchObject({ reason: 'KeyRangeThroughput', key: { text: 'star', share: 0.9 } })
    expect(finding?.remedy).toContain('over several keys')
    const [spread] = throttleFindings(place({ provisioned: 4_000, write: [3_000, 0, 0], would: 1 }))
    expect(spread?.remedy).toContain('more partition keys')
  })

  test('the key that fills the partition is the cause, also where smaller requests beside it are throttled more often', () => {
    const key = (text: string, amount: number): TopKey => ({ values: [{ S: text }], text, amount, overestimate: 0 })
    const [finding] = throttleFindings(
      place({
        write: [3_000, 0, 0],
        would: 100,
        throttled: [key('small', 80), key('large', 20)],
        written: [key('large', 970), key('small', 30)],
      }),
    )
    expect(finding?.key).toEqual({ text: 'large', share: 0.97, of: 'units' })
    expect(finding?.remedy).toContain('over several keys')
  })

  test('a maximum that was set is named', () => {
    const [finding] = throttleFindings(place({ write: [300], would: 1 }), { read: undefined, write: 100 })
    expect(finding?.reasonName).toBe('TableWriteMaxOnDemandThroughputExceeded')
  })

  test('those that were refused have the reasons that were counted', () => {
    const reasons = [{ name: 'WriteKeyRangeThroughputThrottleEvents', count: 7 }]
    const [finding, ...more] = throttleFindings(place({ write: [1], reasons }))
    expect(more).toEqual([])
    expect(finding).toMatchObject({ kind: 'throttled', count: 7, reason: 'KeyRangeThroughput' })
    expect(finding?.sentence).toContain('7 writes were throttled')
  })
})

describe('the order of tables', () => {
  const table = (tableName: string, writeShare: number, minutes: readonly number[]): TableOverview => ({
    tableName,
    status: 'ACTIVE',
    billingMode: 'PAY_PER_REQUEST',
    operations: [],
    places: [
      {
        writeShare,
        readShare: 0,
        readMinutes: [],
        writeMinutes: minutes,
        readUnitsPerSecond: 0,
        writeUnitsPerSecond: 0,
        readCapacity: 1,
        writeCapacity: 1,
      } as unknown as PlaceOverview,
    ],
  })

  test('is by heat, then by what was hottest within the hour; idle ones stand apart by name', () => {
    const tables = [
      table('idle-b', 0, []),
      table('warm', 0.1, [0.1]),
      table('was', 0, [0.9]),
      table('hot', 0.8, [0.8]),
      table('idle-a', 0, []),
    ]
    const { busy, idle } = sortByHeat(tables, '')
    expect(busy.map(({ tableName }) => tableName)).toEqual(['hot', 'warm', 'was'])
    expect(idle.map(({ tableName }) => tableName)).toEqual(['idle-a', 'idle-b'])
    expect(sortByHeat(tables, 'ID').busy).toEqual([])
  })
})
