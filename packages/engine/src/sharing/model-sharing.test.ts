import { describe, expect, test } from 'vitest'
import type { CapacitySettings } from '../partitions/partition-model.ts'
import { SharedModels } from './testing/shared-models.ts'

const provisioned = (units: number): CapacitySettings => ({
  mode: 'PROVISIONED',
  read: units,
  write: units,
  warmRead: units,
  warmWrite: units,
  maximumRead: undefined,
  maximumWrite: undefined,
  divisible: false,
})
const onDemand: CapacitySettings = {
  ...provisioned(0),
  mode: 'PAY_PER_REQUEST',
  warmRead: 12_000,
  warmWrite: 4_000,
}

function keyAt(part: number): Uint8Array {
  const key = Buffer.alloc(21)
  key.writeUInt32BE(Math.floor(part * 2 ** 32), 5)
  return key
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
const meanOf = (numbers: readonly number[]): number => sumOf(numbers) / numbers.length

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]

describe('servers that are asked for too much', () => {
  test.each(seeds)('let in exactly what there is, in the long run; seed %d', (seed) => {
    const models = new SharedModels(provisioned(300), 3, seed)
    const letIn = models.load(60, [300, 300, 300], keyAt)
    // A new table has its first second besides.
    expect(sumOf(letIn) / (61 * 300)).toBeGreaterThan(0.97)
    expect(sumOf(letIn) / (61 * 300)).toBeLessThan(1.03)
  })

  test.each(seeds)('let in nearly as much in every second, once they have met; seed %d', (seed) => {
    const models = new SharedModels(provisioned(300), 3, seed)
    const settled = models.load(40, [300, 450, 600], keyAt).slice(15)
    for (const second of settled) expect(second).toBeGreaterThan(0.75 * 300)
    for (const second of settled) expect(second).toBeLessThan(1.25 * 300)
    expect(meanOf(settled.map((second) => Math.abs(second / 300 - 1)))).toBeLessThan(0.08)
  })

  test.each(seeds)('know that the load has moved within two or three seconds; seed %d', (seed) => {
    const models = new SharedModels(provisioned(300), 3, seed)
    models.load(20, [600, 50, 0], keyAt)
    const [, , ...after] = models.load(20, [0, 50, 600], keyAt)
    for (const second of after) expect(second).toBeGreaterThan(0.8 * 300)
    expect(sumOf(after) / (18 * 300)).toBeLessThan(1.15)
  })

  test.each(seeds)('share what was saved up; seed %d', (seed) => {
    const models = new SharedModels(provisioned(20), 2, seed)
    models.load(3, [5, 5], keyAt)
    models.pause(400)
    // Five minutes are saved: 6,000 units, and twenty more each second.
    const letIn = sumOf(models.load(30, [300, 300], keyAt))
    expect(letIn / (6_000 + 30 * 20)).toBeGreaterThan(0.93)
    expect(letIn / (6_000 + 30 * 20)).toBeLessThan(1.07)
  })

  test.each(seeds)('let in 1,000 writes a second to one key; seed %d', (seed) => {
    const models = new SharedModels(onDemand, 3, seed)
    const settled = models.load(40, [600, 600, 600], () => keyAt(0.3)).slice(10)
    expect(meanOf(settled)).toBeGreaterThan(900)
    expect(meanOf(settled)).toBeLessThan(1_050)
  })
})

describe('servers that are not', () => {
  test.each(seeds)('refuse nothing; seed %d', (seed) => {
    const models = new SharedModels(provisioned(300), 3, seed)
    models.load(10, [60, 60, 60], keyAt)
    let asked = 0
    for (const loads of [
      [60, 60, 60],
      [150, 30, 0],
      [30, 150, 30],
      [0, 0, 200],
    ]) {
      asked += 5 * sumOf(loads)
      const letIn = sumOf(models.load(5, loads, keyAt))
      expect(letIn / (5 * sumOf(loads))).toBeGreaterThan(0.93)
    }
    expect(asked).toBeGreaterThan(0)
  })
})

test('a partition that all together keep hot is divided once, and by all of them', () => {
  const models = new SharedModels({ ...onDemand, warmRead: 3_000, warmWrite: 1_000 }, 3, 1, 50)
  const keys = Array.from({ length: 40 }, (_, part) => keyAt(part / 40))
  models.sample = true
  models.load(9 * 60, [350, 350, 350], (random) => keys[Math.floor(random * keys.length)] ?? keyAt(0))
  const boundaries = models.models.map(({ partitions }) => partitions.map(({ from }) => from.hex))
  expect(boundaries[0]?.length).toBeGreaterThan(1)
  expect(boundaries[0]?.length).toBeLessThanOrEqual(3)
  expect(boundaries[1]).toEqual(boundaries[0])
  expect(boundaries[2]).toEqual(boundaries[0])
})

test('what grows on demand grows by what all servers take', () => {
  const models = new SharedModels(onDemand, 4, 1, 50)
  models.load(40, [900, 900, 900, 900], keyAt)
  models.pause(31 * 60)
  for (const model of models.models) {
    // Twice the peak of 3,600.
    expect(model.capacity('write', models.nowMs)).toBeGreaterThan(5_500)
    expect(model.capacity('write', models.nowMs)).toBeLessThan(9_500)
  }
})
