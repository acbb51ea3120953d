import { expect, test } from 'vitest'
import type { TopKeys } from '../../../answers/heat.ts'
import { shareOf } from './key-share.ts'
import { keyVerdict } from './key-verdict.ts'

function written(amounts: readonly number[], writeUnits: number, seconds = 300): TopKeys {
  const writes = amounts.map((amount, position) => ({
    values: [{ S: `USER#${String(position)}` }],
    text: `USER#${String(position)}`,
    amount,
    overestimate: 0,
  }))
  return { reads: [], writes, throttledReads: [], throttledWrites: [], readUnits: 0, writeUnits, seconds }
}

test('even traffic is said to be even, though only some of its keys are listed', () => {
  const keys = written(
    Array.from({ length: 12 }, () => 100),
    100_000,
  )
  expect(keyVerdict(keys, 'write')).toEqual({
    level: 'none',
    sentence: 'No key stands out: the busiest gets 0.1 % of writes.',
  })
})

test('one key that has most is named, with what a partition takes', () => {
  expect(keyVerdict(written([97_000, 50], 100_000), 'write')).toEqual({
    level: 'uneven',
    sentence: 'USER#0 gets 97 % of writes: 323.3 WCU per second on average. A partition supports 1,000.',
  })
  expect(keyVerdict(written([190_000], 200_000), 'write')).toMatchObject({ level: 'hot' })
})

test('nothing is said of nothing, and an estimate that is too high is no more than all', () => {
  expect(keyVerdict(written([], 0), 'write')).toBeUndefined()
  expect(keyVerdict(written([5], 10), 'read')).toBeUndefined()
  const keys = written([120], 100)
  expect(keys.writes.map((key) => shareOf(key, keys, 'write'))).toEqual([1])
  expect(keys.writes.map((key) => shareOf(key, written([120], 0), 'write'))).toEqual([0])
})
