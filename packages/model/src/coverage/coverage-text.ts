import { textTable } from '../check/report/text-table.ts'
import { formatCount } from '../check/review/format-figures.ts'
import type { Coverage, PatternCoverage } from './cover-model.ts'

/** What a log says of a model, for people at a terminal. */
export function coverageText(coverage: Coverage): string {
  const { model, calls, patterns, uncovered } = coverage
  if (calls === 0) return `The log has no calls on the tables of ${model}.`
  const minutes = Math.max(1, Math.round((coverage.toMs - coverage.fromMs) / 60_000))
  const heading = `${model}: ${formatCount(calls)} calls within ${formatCount(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}, from ${new Date(coverage.fromMs).toISOString().slice(0, 16)}Z`
  const called = patterns.filter((pattern) => pattern.calls + pattern.sharedCalls > 0)
  const idle = patterns.filter((pattern) => pattern.calls + pattern.sharedCalls === 0)
  const columns = ['pattern', 'calls', 'per second', 'declared', '']
  const rows = called.map((pattern) => [
    pattern.pattern,
    callsText(pattern),
    rateText(pattern.rate),
    pattern.declaredRate === undefined ? '' : rateText(pattern.declaredRate),
    verdict(pattern),
  ])
  return [
    heading,
    '',
    ...(rows.length === 0 ? [] : textTable(columns, rows, new Set(columns.slice(1, 4)))),
    ...(idle.length === 0 ? [] : ['', `Never called: ${idle.map((each) => each.pattern).join(', ')}.`]),
    ...(uncovered.length === 0
      ? ['', 'Every call belongs to a pattern.']
      : [
          '',
          'Calls that no pattern covers:',
          ...uncovered.map(({ what, calls: amount }) => `  ${what}: ${formatCount(amount)}`),
          'Add a pattern for each, or find out who makes them.',
        ]),
  ].join('\n')
}

function callsText({ calls, sharedCalls }: PatternCoverage): string {
  if (sharedCalls === 0) return formatCount(calls)
  return calls === 0
    ? `up to ${formatCount(sharedCalls)}`
    : `${formatCount(calls)} to ${formatCount(calls + sharedCalls)}`
}

function rateText(rate: number): string {
  return rate === 0 ? '0' : String(Number(rate.toPrecision(2)))
}

function verdict({ rate, declaredRate, sharedWith }: PatternCoverage): string {
  const shared = sharedWith.length === 0 ? '' : `cannot be told from ${sharedWith.join(', ')}`
  if (declaredRate === undefined || declaredRate === 0) return shared
  const factor = rate / declaredRate
  if (factor > 1.5) return `${Number(factor.toPrecision(2))} times the declared rate`
  if (factor < 0.5) return `${Math.max(1, Math.round(factor * 100))} % of the declared rate`
  return shared
}
