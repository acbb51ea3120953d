import { expect, test } from 'vitest'
import { FunctionLogs } from './function-logs.ts'

const called = { scope: { accountId: '123456789012', region: 'us-east-1' }, name: '__proto__' }

test('the latest lines of a function are kept, and no more than there is room for', () => {
  const logs = new FunctionLogs()
  for (let at = 1; at <= 700; at++) logs.add(called, { atMs: at, kind: 'printed', text: `line ${at}` })
  const lines = logs.after(called, 0)
  expect([lines.length, lines[0]?.text, lines.at(-1)?.number]).toEqual([500, 'line 201', 700])
  expect(logs.after(called, 698).map(({ text }) => text)).toEqual(['line 699', 'line 700'])
  logs.add(called, { atMs: 701, kind: 'failed', text: 'x'.repeat(1024 * 1024) })
  expect(logs.after(called, 0).map(({ number }) => number)).toEqual([701])
})

test('of many functions, those that were silent the longest are forgotten', () => {
  const logs = new FunctionLogs()
  for (let at = 0; at < 300; at++)
    logs.add({ ...called, name: `f${at}` }, { atMs: at, kind: 'printed', text: 'hello' })
  expect(logs.after({ ...called, name: 'f0' }, 0)).toEqual([])
  expect(logs.after({ ...called, name: 'f299' }, 0)).toHaveLength(1)
})
