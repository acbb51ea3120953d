import { describe, expect, test } from 'vitest'
import { evaluateExpression } from './evaluate-expression.ts'
import { parseExpression } from './expression-syntax.ts'
import type { ExpressionContext, Result, Series } from './time-series.ts'

const minuteMs = 60_000

/** Of the minutes from 0 on; nothing where there is none. */
function series(...values: readonly (number | undefined)[]): Series {
  const entries = values.flatMap((value, minute): [number, number][] =>
    value === undefined ? [] : [[minute * minuteMs, value]],
  )
  return { label: '', periodMs: minuteMs, values: new Map(entries) }
}

const metrics = new Map([
  ['m1', series(1, 2, undefined, 4)],
  ['m2', series(10, 0, 30, 40)],
])

const context: ExpressionContext = {
  evaluate: (expression) => evaluateExpression(expression, context),
  valueOf: (id) => ({ kind: 'series', series: metrics.get(id) ?? series() }),
  found: () => [],
  metrics: () => [...metrics].map(([id, one]) => ({ id, series: one })),
  spend: () => undefined,
  fromMs: 0,
  toMs: 4 * minuteMs,
}

function evaluate(text: string): unknown {
  return told(evaluateExpression(parseExpression(text), context))
}

function told(result: Result): unknown {
  if (result.kind === 'scalar') return result.value
  if (result.kind === 'array') return result.all.map((one) => told({ kind: 'series', series: one }))
  return Object.fromEntries([...result.series.values].map(([atMs, value]) => [atMs / minuteMs, value]))
}

describe('metric math', () => {
  test.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['10 - 4 - 3', 3],
    ['1e3 / 4', 250],
    ['1 < 2 AND 2 < 1', 0],
    ['1 < 2 || 2 < 1', 1],
    ['!0', 1],
    ['m1 * 2', { 0: 2, 1: 4, 3: 8 }],
    ['m1 / m2 * 100', { 0: 10, 3: 10 }],
    ['100 - m1', { 0: 99, 1: 98, 3: 96 }],
    ['m1 + m2', { 0: 11, 1: 2, 3: 44 }],
    ['SUM(m1)', 7],
    ['AVG(m2)', 20],
    ['MIN(m1)', 1],
    ['MAX(m2)', 40],
    ['SUM([m1, m2])', { 0: 11, 1: 2, 2: 30, 3: 44 }],
    ['MAX(METRICS())', { 0: 10, 1: 2, 2: 30, 3: 40 }],
    ['METRICS("m2")', [{ 0: 10, 1: 0, 2: 30, 3: 40 }]],
    ['METRIC_COUNT(METRICS())', 2],
    ['PERIOD(m1)', 60],
    ['m1 / PERIOD(m1)', { 0: 1 / 60, 1: 2 / 60, 3: 4 / 60 }],
    ['RATE(m2)', { 1: -10 / 60, 2: 0.5, 3: 10 / 60 }],
    ['DIFF(m1)', { 1: 1, 3: 2 }],
    ['DIFF_TIME(m1)', { 1: 60, 3: 120 }],
    ['RUNNING_SUM(m1)', { 0: 1, 1: 3, 3: 7 }],
    ['FILL(m1, 0)', { 0: 1, 1: 2, 2: 0, 3: 4 }],
    ['FILL(m1, REPEAT)', { 0: 1, 1: 2, 2: 2, 3: 4 }],
    ['FILL(m1, LINEAR)', { 0: 1, 1: 2, 2: 3, 3: 4 }],
    [
      'FILL(FILL(METRICS(), FILL(m1, SUM(m2))), LINEAR)',
      [
        { 0: 1, 1: 2, 2: 80, 3: 4 },
        { 0: 10, 1: 0, 2: 30, 3: 40 },
      ],
    ],
    [`${'RUNNING_SUM('.repeat(45)}m2 - m2${')'.repeat(45)}`, { 0: 0, 1: 0, 2: 0, 3: 0 }],
    ['IF(m2 > 5, m2, 0)', { 0: 10, 1: 0, 2: 30, 3: 40 }],
    ['IF(m2 > 5, m2)', { 0: 10, 2: 30, 3: 40 }],
    ['IF(1, 5, 6)', 5],
    ['CEIL(m1 / 3)', { 0: 1, 1: 1, 3: 2 }],
    ['FIRST(m1) + LAST(m1)', 5],
    ['DATAPOINT_COUNT(m1)', 3],
    ['TIME_SERIES(7)', { 0: 7, 1: 7, 2: 7, 3: 7 }],
    ['STDDEV(m2)', Math.sqrt(250)],
  ])('%s', (text, expected) => {
    expect(evaluate(text)).toEqual(expected)
  })

  test.each([
    ['', 'it ends too early'],
    ['1 +', 'it ends too early'],
    ['m1 m2', 'unexpected "m2"'],
    ['(m1', 'it ends too early'],
    ['m1 # 2', 'unexpected "#"'],
    ['SUM(m1', 'it ends too early'],
    ['SUM()', 'the function takes one operand'],
    ['SUM(1)', 'a number stands where a time series is expected'],
    ['ANOMALY_DETECTION_BAND(m1)', 'there is no function ANOMALY_DETECTION_BAND here'],
    [`${'('.repeat(10_000)}1`, 'it nests too deeply'],
    [`${'-'.repeat(2000)}1`, 'it nests too deeply'],
  ])('%s is refused', (text, message) => {
    expect(() => evaluate(text)).toThrow(message)
  })
})
