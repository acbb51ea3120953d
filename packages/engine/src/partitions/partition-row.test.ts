import { describe, expect, test } from 'vitest'
import type { Partition } from './partition.ts'
import { PartitionModel, type CapacitySettings } from './partition-model.ts'
import { evenPartitions, mostPartitions, storedPartitions, withAtLeast } from './partition-row.ts'

const nowMs = Date.UTC(2026, 0, 1)

const settings = (units: number): CapacitySettings => ({
  mode: 'PAY_PER_REQUEST',
  read: units,
  write: units,
  warmRead: units,
  warmWrite: units,
  maximumRead: units,
  maximumWrite: units,
  divisible: true,
})

function expectToHoldAllKeysOnce(partitions: readonly Partition[]): void {
  expect(partitions[0]?.from.hash).toBe(0)
  expect(partitions.at(-1)?.to).toBeUndefined()
  for (const [position, { from, to }] of partitions.entries()) {
    if (position > 0) expect(partitions[position - 1]?.to).toBe(from)
    if (to !== undefined) expect(to.hash).toBeGreaterThan(from.hash)
  }
}

describe('whatever a table is given', () => {
  test.each([1e8, 1e15, 1e308, Infinity])('%d units make no more partitions than are told apart', (units) => {
    for (const mode of ['PAY_PER_REQUEST', 'PROVISIONED'] as const) {
      const model = new PartitionModel({ ...settings(units), mode }, nowMs, nowMs)
      expect(model.partitions).toHaveLength(mostPartitions)
      expectToHoldAllKeysOnce(model.partitions)
      const changed = new PartitionModel({ ...settings(1), mode }, nowMs, nowMs)
      changed.configure({ ...settings(units), mode }, nowMs)
      expect(changed.partitions).toHaveLength(mostPartitions)
      expectToHoldAllKeysOnce(changed.partitions)
    }
  })

  test.each([0, -1, -1e308, Number.NaN])('%d units make one', (units) => {
    const model = new PartitionModel(settings(units), nowMs, nowMs)
    model.configure(settings(units), nowMs)
    expect(model.partitions).toHaveLength(1)
  })

  test.each([
    [10 * 2 ** 30, 1],
    [10 * 2 ** 30 + 1, 2],
    [45 * 2 ** 30, 8],
    [1e15, mostPartitions],
    [Infinity, mostPartitions],
    [-1, 1],
    [Number.NaN, 1],
  ])('%d bytes make %d partitions', (sizeBytes, count) => {
    const model = new PartitionModel(settings(1), nowMs, nowMs)
    model.grow(sizeBytes, nowMs)
    expect(model.partitions).toHaveLength(count)
    expectToHoldAllKeysOnce(model.partitions)
  })
})

describe('a row of partitions', () => {
  test('is divided where it is widest', () => {
    const row = withAtLeast(evenPartitions(3, nowMs), 8, nowMs)
    expectToHoldAllKeysOnce(row)
    const widths = row.map(({ width }) => width)
    expect(row).toHaveLength(8)
    expect(Math.max(...widths) / Math.min(...widths)).toBeLessThan(2.1)
  })

  test('of any widths comes to the same as halving the widest one after the other', () => {
    const boundaries = ['01000000', '01000001', '20000000', '20800000', '90000000', 'ffffffff']
    const widthsOf = (row: readonly Partition[]): number[] => row.map(({ width }) => width)
    const expected = widthsOf(storedPartitions(boundaries, nowMs))
    for (let count = expected.length; count < 60; count++) {
      const row = withAtLeast(storedPartitions(boundaries, nowMs), count, nowMs)
      expectToHoldAllKeysOnce(row)
      expect(widthsOf(row).toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b))
      const widest = Math.max(...expected)
      expected.splice(expected.indexOf(widest), 1, Math.ceil(widest / 2), Math.floor(widest / 2))
    }
  })

  test('that was stored with too many is thinned out evenly', () => {
    const boundaries = Array.from({ length: 99_999 }, (_, at) => ((at + 1) * 42_000).toString(16).padStart(8, '0'))
    const row = storedPartitions(boundaries, nowMs)
    expectToHoldAllKeysOnce(row)
    expect(row.length).toBeGreaterThan(mostPartitions / 2)
    expect(row.length).toBeLessThanOrEqual(mostPartitions)
    const few = storedPartitions(boundaries.slice(0, mostPartitions - 1), nowMs)
    expect(few).toHaveLength(mostPartitions)
  })
})
