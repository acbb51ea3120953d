import { unreachable } from '@hashrange/core'
import { ExpressionError, type Expression } from './expression-syntax.ts'

/** A result of metric math: a number, one time series, or several. */
export type Result =
  | { readonly kind: 'scalar'; readonly value: number }
  | { readonly kind: 'series'; readonly series: Series }
  | { readonly kind: 'array'; readonly all: readonly Series[] }

export interface Series {
  /** Its label in a result with several series. */
  readonly label: string
  readonly periodMs: number
  /** By the start of their periods, in order of time. */
  readonly values: ReadonlyMap<number, number>
}

export interface ExpressionContext {
  /** The value of a part of an expression. */
  readonly evaluate: (expression: Expression) => Result
  /** What a query's identifier stands for. */
  readonly valueOf: (id: string) => Result
  /** The series of the request that are metrics, with their identifiers. */
  readonly metrics: () => readonly { readonly id: string; readonly series: Series }[]
  /** The series that a search has found, by its operands. */
  readonly found: (operands: readonly Expression[]) => readonly Series[]
  readonly fromMs: number
  readonly toMs: number
  /** Counts the values that are processed. Throws when the queries of a request have used up their share: lists can
   *  be made of lists, so that a few hundred characters produce more values than fit into memory. */
  readonly spend: (values: number) => void
}

/** Roughly what it took to compute a result. */
export function sizeOf(result: Result): number {
  if (result.kind === 'scalar') return 1
  return seriesOf(result).reduce((sum, { values }) => sum + seriesCost + values.size, 0)
}

const seriesCost = 8

export function scalar(value: number): Result {
  return { kind: 'scalar', value }
}

export function seriesOf(result: Result): readonly Series[] {
  switch (result.kind) {
    case 'series':
      return [result.series]
    case 'array':
      return result.all
    case 'scalar':
      throw new ExpressionError('a number stands where a time series is expected')
    default:
      return unreachable(result)
  }
}

/** Values that are not numbers, such as those of a division by zero, are left out. */
export function mapSeries(series: Series, change: (value: number, atMs: number) => number): Series {
  const values = new Map<number, number>()
  for (const [atMs, value] of series.values) {
    const changed = change(value, atMs)
    if (Number.isFinite(changed)) values.set(atMs, changed)
  }
  return { ...series, values }
}

export function mapResult(result: Result, change: (value: number) => number): Result {
  switch (result.kind) {
    case 'scalar':
      return scalar(change(result.value))
    case 'series':
      return { kind: 'series', series: mapSeries(result.series, change) }
    case 'array':
      return { kind: 'array', all: result.all.map((series) => mapSeries(series, change)) }
    default:
      return unreachable(result)
  }
}
