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

test('a change log is compared with the plain table, operation by operation', () => {
  const goals = goalsOf({
    changes: {
      PutItem: [measured('plain', 10_000), measured('with a stream', 8_000), measured('with recovery', 7_000)],
    },
  })
  expect(goals.map(({ text, measured: figure, isMet }) => [text, figure, isMet])).toEqual([
    ['PutItem with a stream ≥ 0.75 × plain', 0.8, true],
    ['PutItem with recovery ≥ 0.75 × plain', 0.7, false],
  ])
})

test('what is written beside a backup is compared with the same alone, and the file with the backup', () => {
  const goals = goalsOf({
    backups: {
      itemCount: 1_000,
      stores: [
        { store: 'LMDB', alonePerSecond: 1_000, duringPerSecond: 900, backupSeconds: 1, grownTimes: 5 },
        { store: 'PostgreSQL', alonePerSecond: 1_000, duringPerSecond: 200, backupSeconds: 1 },
      ],
    },
  })
  expect(goals.map(({ measured: figure, isMet }) => [figure, isMet])).toEqual([
    [0.9, true],
    [5, false],
    [0.2, false],
  ])
})

test('what a model costs is how much longer a call takes through it', () => {
  const [goal] = goalsOf({ model: { GetItem: [measured('AWS SDK', 10_000), measured('through a model', 8_000)] } })
  expect(goal).toMatchObject({ measured: 1.25, isMet: false })
})

test('servers on PostgreSQL are compared with its bare statements, and two of them with one', () => {
  const goals = goalsOf({
    postgres: {
      smallItemCount: 10_000,
      largeItemCount: 1_000_000,
      operations: {
        GetItem: [measured('bare SQL', 10_000), measured('one server', 8_000), measured('two servers', 12_000)],
        PutItem: [measured('bare SQL', 4_000), measured('one server', 1_000), measured('two servers', 1_500)],
      },
      growth: [{ operation: 'GetItem', small: measured('small', 100), large: measured('large', 50), slowdown: 2 }],
    },
  })
  expect(goals.map(({ measured: figure, isMet }) => [figure, isMet])).toEqual([
    [0.8, true],
    [0.25, false],
    [1.5, true],
    [1.5, true],
    [2, false],
  ])
})

test('metering may cost three in a hundred', () => {
  const goals = goalsOf({
    metering: {
      GetItem: [measured('unmetered', 1000), measured('metered', 980)],
      PutItem: [measured('unmetered', 1000), measured('metered', 960)],
    },
  })
  expect(goals.map(({ measured: figure, isMet }) => [figure, isMet])).toEqual([
    [0.98, true],
    [0.96, false],
  ])
})

test('what somebody waits for has a limit of its own', () => {
  const goals = goalsOf({
    waits: [
      { what: 'opening', goalMs: 100, tookMs: 80 },
      { what: 'checking', goalMs: 1_000, tookMs: 1_001 },
    ],
  })
  expect(goals.map(({ text, isMet }) => [text, isMet])).toEqual([
    ['opening ≤ 100 ms', true],
    ['checking ≤ 1000 ms', false],
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
