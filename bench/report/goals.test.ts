import { expect, test } from 'vitest'
import type { Measurement } from '../measure/alternate.ts'
import { goalsOf } from './goals.ts'

test('a goal compares medians of the same run', () => {
  const goals = goalsOf({
    http: { GetItem: [measured('echo', 40_000), measured('dynalite', 10_000), measured('hashrange', 30_000)] },
    startup: { firstAnswerMs: 250, eachMs: [250] },
  })
  expect(goals.map(({ measured: figure, isMet }) => [figure, isMet])).toEqual([
    [0.75, false],
    [3, true],
    [250, true],
  ])
})

test('what was not measured has no goal', () => {
  expect(goalsOf({ http: { GetItem: [measured('hashrange', 1)] } })).toEqual([])
})

function measured(name: string, perSecond: number): Measurement {
  return {
    name,
    perSecond,
    p50Ms: 1,
    p99Ms: 1,
    callerCpu: 0,
    cpuMicroseconds: 1,
    memory: { rssBytes: 0 },
    rounds: [],
  }
}
