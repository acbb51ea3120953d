import { ExpressionError, type Expression } from './expression-syntax.ts'
import {
  mapResult,
  mapSeries,
  scalar,
  seriesOf,
  type ExpressionContext,
  type Result,
  type Series,
} from './time-series.ts'

/** The functions of metric math that are useful for what is measured here. */
export function callFunction(name: string, operands: readonly Expression[], context: ExpressionContext): Result {
  const call = functions.get(name)
  if (call === undefined) throw new ExpressionError(`there is no function ${name} here`)
  return call(operands, context)
}

type MathFunction = (operands: readonly Expression[], context: ExpressionContext) => Result

/** How many values a series may be filled up to. */
const mostValues = 100_800

const functions: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>([
  ...pointwise({ ABS: Math.abs, CEIL: Math.ceil, FLOOR: Math.floor, LOG: Math.log, LOG10: Math.log10 }),
  ['SUM', aggregate((values) => values.reduce((sum, value) => sum + value, 0))],
  ['AVG', aggregate((values) => values.reduce((sum, value) => sum + value, 0) / values.length)],
  ['MIN', aggregate((values) => values.reduce((least, value) => Math.min(least, value)))],
  ['MAX', aggregate((values) => values.reduce((most, value) => Math.max(most, value)))],
  ['STDDEV', aggregate(standardDeviation)],
  ['RUNNING_SUM', each(runningSum)],
  ['DIFF', each((series) => differences(series, (change) => change))],
  ['DIFF_TIME', each((series) => differences(series, (_change, seconds) => seconds))],
  ['RATE', each((series) => differences(series, (change, seconds) => change / seconds))],
  ['PERIOD', (operands, context) => scalar(one(operands, context).periodMs / 1000)],
  ['FIRST', (operands, context) => scalar(valuesOf(one(operands, context)).at(0) ?? Number.NaN)],
  ['LAST', (operands, context) => scalar(valuesOf(one(operands, context)).at(-1) ?? Number.NaN)],
  ['DATAPOINT_COUNT', (operands, context) => scalar(one(operands, context).values.size)],
  ['METRIC_COUNT', (operands, context) => scalar(operandSeries(operands, context).length)],
  ['TIME_SERIES', (operands, context) => constantSeries(operands, context)],
  ['FILL', (operands, context) => fill(operands, context)],
  ['IF', (operands, context) => choose(operands, context)],
  ['SEARCH', (operands, context) => ({ kind: 'array', all: context.found(operands) })],
  ['METRICS', (operands, context) => metricsNamed(operands, context)],
  [
    'REMOVE_EMPTY',
    (operands, context) => ({
      kind: 'array',
      all: operandSeries(operands, context).filter(({ values }) => values.size > 0),
    }),
  ],
])

function pointwise(all: Readonly<Record<string, (value: number) => number>>): [string, MathFunction][] {
  return Object.entries(all).map(([name, change]) => [
    name,
    (operands, context) => mapResult(context.evaluate(only(operands)), change),
  ])
}

function each(change: (series: Series) => Series): MathFunction {
  return (operands, context) => {
    const result = context.evaluate(only(operands))
    if (result.kind === 'array') return { kind: 'array', all: result.all.map(change) }
    if (result.kind === 'series') return { kind: 'series', series: change(result.series) }
    throw new ExpressionError('a number stands where a time series is expected')
  }
}

/** For one series, the number over all of its values; for several, the series over all of their values at each time. */
function aggregate(reduce: (values: readonly number[]) => number): MathFunction {
  return (operands, context) => {
    const result = context.evaluate(only(operands))
    if (result.kind === 'scalar') throw new ExpressionError('a number stands where a time series is expected')
    if (result.kind === 'series') return scalar(reduceAll(valuesOf(result.series), reduce))
    const byTime = new Map<number, number[]>()
    for (const { values } of result.all) {
      for (const [atMs, value] of values) {
        const atTime = byTime.get(atMs)
        if (atTime === undefined) byTime.set(atMs, [value])
        else atTime.push(value)
      }
    }
    const values = new Map(
      [...byTime].toSorted(([first], [second]) => first - second).map(([atMs, all]) => [atMs, reduce(all)]),
    )
    return { kind: 'series', series: { label: '', periodMs: longestPeriodMs(result.all, 1_000), values } }
  }
}

function reduceAll(values: readonly number[], reduce: (values: readonly number[]) => number): number {
  return values.length === 0 ? Number.NaN : reduce(values)
}

function standardDeviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

function runningSum(series: Series): Series {
  let sum = 0
  return mapSeries(series, (value) => (sum += value))
}

function differences(series: Series, of: (change: number, seconds: number) => number): Series {
  let before: readonly [number, number] | undefined
  const values = new Map<number, number>()
  for (const [atMs, value] of series.values) {
    if (before !== undefined) values.set(atMs, of(value - before[1], (atMs - before[0]) / 1000))
    before = [atMs, value]
  }
  return { ...series, values }
}

/** The same number at each time of the request. */
function constantSeries(operands: readonly Expression[], context: ExpressionContext): Result {
  const result = context.evaluate(only(operands))
  if (result.kind !== 'scalar') throw new ExpressionError('TIME_SERIES takes a number')
  const all = context.metrics().map(({ series }) => series)
  const periodMs = longestPeriodMs(all, 60_000)
  const empty: Series = { label: '', periodMs, values: new Map() }
  return { kind: 'series', series: fillWith(empty, context, () => result.value) }
}

/** Fills the times without a value with a number, with the previous value (`REPEAT`), or on a line between neighbours
 *  (`LINEAR`). */
function fill(operands: readonly Expression[], context: ExpressionContext): Result {
  const [filled, by, ...rest] = operands
  if (filled === undefined || by === undefined || rest.length > 0)
    throw new ExpressionError('FILL takes two operands')
  const result = context.evaluate(filled)
  const fillBy = fillerOf(by, context)
  const fillOne = (series: Series): Series => {
    const full = fillBy(series)
    context.spend(full.values.size)
    return full
  }
  if (result.kind === 'array') return { kind: 'array', all: result.all.map(fillOne) }
  if (result.kind === 'scalar') throw new ExpressionError('FILL takes a time series')
  return { kind: 'series', series: fillOne(result.series) }
}

function fillerOf(by: Expression, context: ExpressionContext): (series: Series) => Series {
  const word = by.kind === 'name' ? by.name.toUpperCase() : undefined
  if (word === 'REPEAT') return (series) => repeated(series, context)
  if (word === 'LINEAR') return (series) => interpolated(series, context)
  const filler = context.evaluate(by)
  if (filler.kind === 'scalar') return (series) => fillWith(series, context, () => filler.value)
  const [other] = seriesOf(filler)
  return (series) => fillWith(series, context, (atMs) => other?.values.get(atMs))
}

function fillWith(
  series: Series,
  { fromMs, toMs }: ExpressionContext,
  filler: (atMs: number) => number | undefined,
): Series {
  const { periodMs } = series
  const firstMs = Math.floor(fromMs / periodMs) * periodMs
  if ((toMs - firstMs) / periodMs > mostValues) {
    throw new ExpressionError(`more than ${mostValues} values would be filled in; ask for a shorter time`)
  }
  const values = new Map<number, number>()
  for (let atMs = firstMs; atMs < toMs; atMs += periodMs) {
    const value = series.values.get(atMs) ?? filler(atMs)
    if (value !== undefined) values.set(atMs, value)
  }
  return { ...series, values }
}

function repeated(series: Series, context: ExpressionContext): Series {
  let before: number | undefined
  return fillWith(series, context, (atMs) => (before = series.values.get(atMs - series.periodMs) ?? before))
}

function interpolated(series: Series, context: ExpressionContext): Series {
  const known = [...series.values]
  // Times are asked for in their order.
  let after = 0
  return fillWith(series, context, (atMs) => {
    while ((known[after]?.[0] ?? Number.POSITIVE_INFINITY) <= atMs) after++
    const left = known[after - 1]
    const right = known[after]
    if (left === undefined || right === undefined) return undefined
    return left[1] + ((right[1] - left[1]) * (atMs - left[0])) / (right[0] - left[0])
  })
}

/** `IF(condition, then, else)`, at each time; without an else, there is no value where the condition does not hold. */
function choose(operands: readonly Expression[], context: ExpressionContext): Result {
  const [condition, yes, no] = operands.map((operand) => context.evaluate(operand))
  if (condition === undefined || yes === undefined || operands.length > 3) {
    throw new ExpressionError('IF takes two or three operands')
  }
  if (condition.kind === 'scalar') {
    return (condition.value === 0 ? no : yes) ?? { kind: 'array', all: [] }
  }
  const [basis] = seriesOf(condition)
  if (basis === undefined) return { kind: 'array', all: [] }
  const values = new Map<number, number>()
  for (const [atMs, holds] of basis.values) {
    const value = valueAt(holds === 0 ? no : yes, atMs)
    if (value !== undefined) values.set(atMs, value)
  }
  return { kind: 'series', series: { ...basis, values } }
}

function valueAt(result: Result | undefined, atMs: number): number | undefined {
  if (result === undefined) return undefined
  return result.kind === 'scalar' ? result.value : seriesOf(result)[0]?.values.get(atMs)
}

/** All metrics of the request, or those whose identifiers contain a text. */
function metricsNamed(operands: readonly Expression[], context: ExpressionContext): Result {
  const [part, ...rest] = operands
  if (rest.length > 0 || (part !== undefined && part.kind !== 'text')) {
    throw new ExpressionError('METRICS takes at most a text')
  }
  return {
    kind: 'array',
    all: context
      .metrics()
      .filter(({ id }) => part === undefined || id.includes(part.value))
      .map(({ series }) => series),
  }
}

function only(operands: readonly Expression[]): Expression {
  const [first, ...rest] = operands
  if (first === undefined || rest.length > 0) throw new ExpressionError('the function takes one operand')
  return first
}

function one(operands: readonly Expression[], context: ExpressionContext): Series {
  const [series, ...rest] = operandSeries(operands, context)
  if (series === undefined || rest.length > 0) throw new ExpressionError('the function takes one time series')
  return series
}

function operandSeries(operands: readonly Expression[], context: ExpressionContext): readonly Series[] {
  return seriesOf(context.evaluate(only(operands)))
}

function longestPeriodMs(all: readonly Series[], leastMs: number): number {
  return all.reduce((longest, { periodMs }) => Math.max(longest, periodMs), leastMs)
}

function valuesOf({ values }: Series): readonly number[] {
  return [...values.values()]
}
