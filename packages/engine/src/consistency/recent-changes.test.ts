import { expect, test } from 'vitest'
import { KeyChange } from '../items/key-change.ts'
import { StoredItem } from '../items/stored-item.ts'
import type { KeyWrite } from '../items/key-change.ts'
import { lagOf } from './lag-of.ts'
import { RecentChanges } from './recent-changes.ts'

const key = (name: string): Buffer => Buffer.from(`\x10\0\0\0\x01${name}`, 'latin1')
const stored = (text: string): StoredItem => StoredItem.of({ text: { S: text } })
const put = (name: string, before: string | undefined, after: string): KeyWrite => ({
  kind: 'put',
  key: key(name),
  value: stored(after).value,
  change: new KeyChange(key(name), 1, before === undefined ? undefined : stored(before)),
})

test('the past takes no more memory than it may: the oldest is seen early', () => {
  let nowMs = 0
  const recent = new RecentChanges({ maxLagMs: 1e9, maxBytes: 100_000 }, { now: () => nowMs })
  for (let index = 0; index < 10_000; index++) {
    nowMs++
    recent.note([put(`item ${index % 3_000}`, 'x'.repeat(100), 'new')])
    expect(recent.bytes).toBeLessThanOrEqual(100_000)
  }
  const current = stored('current').value
  expect(recent.shown(key('item 0').toString('latin1'), current)).toBe(current)
  expect(recent.shown(key('item 999').toString('latin1'), current)).toEqual(stored('x'.repeat(100)).value)
})

test('a change that did not happen is forgotten', () => {
  const recent = new RecentChanges({ maxLagMs: 1e9 }, { now: () => 0 })
  recent.note([put('a', 'one', 'two')])
  const second = recent.note([put('a', 'two', 'three'), put('b', undefined, 'one')])
  recent.forget(second)
  recent.forget(second)
  const two = stored('two').value
  expect(recent.shown(key('a').toString('latin1'), two)).toEqual(stored('one').value)
  expect(recent.shown(key('b').toString('latin1'), undefined)).toBeUndefined()
  expect(recent.keysWithin({ from: key(''), to: key('\xff') })).toEqual([key('a').toString('latin1')])
})

test('nothing is left of it when all is seen', () => {
  let nowMs = 0
  const recent = new RecentChanges({ maxLagMs: 1_000 }, { now: () => nowMs })
  for (let index = 0; index < 5_000; index++) recent.note([put(`${index}`, 'before', 'after')])
  nowMs = 1_000
  expect(recent.keysWithin({ from: key(''), to: key('\xff') })).toEqual([])
  expect(recent.bytes).toBe(0)
})

test('delays are spread over all that is allowed', () => {
  const delays = Array.from({ length: 10_000 }, (_, index) => lagOf(1, key(`${index}`), 1, 1_700_000_000_000, 9))
  for (let delay = 0; delay <= 9; delay++) {
    const share = delays.filter((each) => each === delay).length / delays.length
    expect(share).toBeGreaterThan(0.08)
    expect(share).toBeLessThan(0.12)
  }
  expect(lagOf(1, key('a'), 1, 5, 0)).toBe(0)
})
