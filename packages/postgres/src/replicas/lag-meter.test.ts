import { expect, test } from 'vitest'
import { LagMeter } from './lag-meter.ts'

test('nothing is known of a replica that has not been heard of', () => {
  const meter = new LagMeter()
  meter.noteWritten(1_000, 5n)
  expect(meter.lagMs(1_000)).toBe(Number.POSITIVE_INFINITY)
  meter.noteReplayed(4n)
  expect(meter.lagMs(1_000)).toBe(Number.POSITIVE_INFINITY)
})

test('a replica is as far behind as the newest position of the primary that it has reached', () => {
  const meter = new LagMeter()
  meter.noteWritten(1_000, 5n)
  meter.noteWritten(1_200, 9n)
  meter.noteWritten(1_400, 12n)
  meter.noteReplayed(9n)
  expect(meter.lagMs(1_500)).toBe(300)
  meter.noteReplayed(11n)
  expect(meter.lagMs(1_600)).toBe(400)
  meter.noteReplayed(12n)
  expect(meter.lagMs(1_600)).toBe(200)
  expect(meter.lagMs(9_000)).toBe(7_600)
})

test('a primary that writes nothing leaves nobody behind', () => {
  const meter = new LagMeter()
  for (let atMs = 0; atMs <= 10_000; atMs += 200) {
    meter.noteWritten(atMs, 7n)
    meter.noteReplayed(7n)
  }
  expect(meter.lagMs(10_100)).toBe(100)
})

test('a replica that stands still for hours takes no memory for it', () => {
  const meter = new LagMeter()
  meter.noteWritten(0, 1n)
  meter.noteReplayed(1n)
  for (let n = 1; n < 100_000; n++) meter.noteWritten(n * 200, BigInt(n))
  expect(meter.lagMs(20_000_000)).toBe(20_000_000)
  meter.noteReplayed(99_999n)
  expect(meter.lagMs(20_000_000)).toBe(200)
})
