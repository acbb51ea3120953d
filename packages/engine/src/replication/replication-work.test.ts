import { expect, test } from 'vitest'
import { passesToWait } from './replication-work.ts'

test('the more is sent at once, the longer the next changes gather', () => {
  expect([0, 249, 250, 749, 750, 100_000].map((sent) => passesToWait(sent, 20))).toEqual([0, 0, 2, 2, 4, 4])
})

test('where sending takes long, they gather for less long', () => {
  expect([200, 299, 300, 400, 500, 600, 60_000].map((tookMs) => passesToWait(5_000, tookMs))).toEqual([
    4, 4, 3, 2, 1, 0, 0,
  ])
  expect(passesToWait(300, 1_000)).toBe(0)
})
