import { expect, test } from 'vitest'
import { InvocationRates, TooEarly } from './invocation-rates.ts'

test('a destination is called as often as its limit for a second says, and those that are sent at once delay the next', () => {
  let nowMs = 0
  const rates = new InvocationRates(() => nowMs)
  const call = (count = 1): void => {
    rates.assertMayCall('a', 2)
    rates.called('a', 2, count)
  }
  call()
  call()
  expect(call).toThrow(TooEarly)
  nowMs = 499
  expect(call).toThrow(TooEarly)
  nowMs = 500
  call()
  nowMs = 60_000
  call(5)
  nowMs = 61_500
  expect(call).toThrow(TooEarly)
  nowMs = 62_000
  call()
  rates.assertMayCall('b', 1)
})
