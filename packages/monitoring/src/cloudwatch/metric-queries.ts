import { ServiceError, validationException } from '@hashrange/core'
import type { MetricDataQueryInput } from '../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { evaluateExpression } from './evaluate-expression.ts'
import { ExpressionError, parseExpression, type Expression } from './expression-syntax.ts'
import { fillLabel } from './query-label.ts'
import { assertPeriod } from './period.ts'
import { readValues, type MetricSources } from './read-metric.ts'
import { callsIn, readSearch, runSearch, type Search } from './search-series.ts'
import { statisticOf, type Statistic } from './statistic.ts'
import { seriesOf, type ExpressionContext, type Result, type Series } from './time-series.ts'

/** The queries of GetMetricData, or of an alarm: metrics, and math over them. */
export class MetricQueries {
  readonly #queries: ReadonlyMap<string, Query>

  /** Throws the service's error for queries that it would reject. */
  constructor(inputs: readonly MetricDataQueryInput[], path = 'MetricDataQueries') {
    const queries = new Map<string, Query>()
    inputs.forEach((input, index) => {
      const place = `${path}.member.${index + 1}`
      if (queries.has(input.Id)) {
        throw validationException(`The values for parameter id in ${path} are not unique.`)
      }
      queries.set(input.Id, readQuery(input, place))
    })
    this.#queries = queries
    this.#assertAcyclic()
    this.#searches()
  }

  /** The queries whose data are requested. */
  get returned(): readonly MetricDataQueryInput[] {
    return [...this.#queries.values()].filter(({ input }) => input.ReturnData !== false).map(({ input }) => input)
  }

  /** The data of the requested queries, in their order; an expression may have several series. */
  async run(metrics: MetricSources, scope: Scope, fromMs: number, toMs: number): Promise<readonly QueryResult[]> {
    const series = new Map<string, Series>()
    for (const { input, kind } of this.#queries.values()) {
      if (kind.kind === 'metric')
        series.set(input.Id, await readSeries(metrics, scope, input, kind.statistic, fromMs, toMs))
    }
    const found = new Map<readonly Expression[], readonly Series[]>()
    for (const search of this.#searches()) {
      found.set(search.operands, await runSearch(metrics, scope, search, fromMs, toMs))
    }
    const results = new Map<string, Result>()
    let spent = 0
    const context: ExpressionContext = {
      spend: (values) => {
        spent += values
        if (spent > mostSpent) throw new ExpressionError('the expressions of the request take too many values')
      },
      evaluate: (expression) => evaluateExpression(expression, context),
      fromMs,
      toMs,
      valueOf: (id) => {
        const known = results.get(id)
        if (known !== undefined) return known
        const result = this.#evaluate(id, series, context)
        results.set(id, result)
        return result
      },
      found: (operands) => found.get(operands) ?? [],
      metrics: () => [...series].map(([id, one]) => ({ id, series: one })),
    }
    return this.returned.map((input) => resultOf(input, context, scope))
  }

  #evaluate(id: string, series: ReadonlyMap<string, Series>, context: ExpressionContext): Result {
    const query = this.#queries.get(id)
    const metric = series.get(id)
    if (metric !== undefined) return { kind: 'series', series: metric }
    if (query?.kind.kind !== 'expression') throw new ExpressionError(`there is no query ${id}`)
    return evaluateExpression(query.kind.expression, context)
  }

  /** The calls of SEARCH, each with the period of its query. */
  #searches(): readonly Search[] {
    return [...this.#queries.values()].flatMap(({ input, kind }) =>
      kind.kind === 'expression'
        ? callsIn(kind.expression, 'SEARCH').map((operands) => readSearch(operands, input))
        : [],
    )
  }

  get hasSearch(): boolean {
    return this.#searches().length > 0
  }

  #assertAcyclic(): void {
    const finished = new Set<string>()
    const visit = (id: string, above: ReadonlySet<string>): void => {
      if (finished.has(id)) return
      if (above.has(id)) throw validationException(`Error in expression '${id}': it refers to itself.`)
      const query = this.#queries.get(id)
      if (query?.kind.kind !== 'expression') return
      for (const name of namesIn(query.kind.expression)) {
        if (!this.#queries.has(name) && !keywords.has(name.toUpperCase())) {
          throw validationException(`Error in expression '${id}' [Unrecognized metric id: ${name}].`)
        }
        visit(name, new Set([...above, id]))
      }
      finished.add(id)
    }
    for (const id of this.#queries.keys()) visit(id, new Set())
  }
}

export interface QueryResult {
  readonly input: MetricDataQueryInput
  readonly all: readonly Series[]
  /** What went wrong in an expression that could be parsed. */
  readonly problem?: string
}

interface Query {
  readonly input: MetricDataQueryInput
  readonly kind:
    | { readonly kind: 'metric'; readonly statistic: Statistic }
    | { readonly kind: 'expression'; readonly expression: Expression }
}

/** How many values the expressions of one request may produce, including intermediate ones. */
const mostSpent = 5_000_000

const keywords: ReadonlySet<string> = new Set(['REPEAT', 'LINEAR'])

function readQuery(input: MetricDataQueryInput, place: string): Query {
  const { Id: id, MetricStat: metricStat, Expression: text } = input
  if (!/^[a-z][a-zA-Z0-9_]*$/.test(id)) {
    throw validationException(
      `The value ${id} for parameter ${place}.Id is not matching the expected pattern ^[a-z][a-zA-Z0-9_]*$.`,
    )
  }
  if ((metricStat === undefined) === (text === undefined)) {
    throw validationException(
      `The parameter ${place} must have exactly one of the parameters MetricStat and Expression.`,
    )
  }
  if (metricStat !== undefined) {
    const { Metric: metric, Period: period, Stat: stat } = metricStat
    if (metric.Namespace === undefined) throw missing(`${place}.MetricStat.Metric.Namespace`)
    if (metric.MetricName === undefined) throw missing(`${place}.MetricStat.Metric.MetricName`)
    assertPeriod(period, `${place}.MetricStat.Period`)
    const statistic = statisticOf(stat)
    if (statistic === undefined) {
      throw validationException(`The value ${stat} for parameter ${place}.MetricStat.Stat is not supported.`)
    }
    return { input, kind: { kind: 'metric', statistic } }
  }
  if (/^\s*SELECT\b/i.test(text ?? '')) {
    throw validationException(`Error in expression '${id}': Metrics Insights queries are not supported here.`)
  }
  try {
    return { input, kind: { kind: 'expression', expression: parseExpression(text ?? '') } }
  } catch (error) {
    if (error instanceof ExpressionError)
      throw validationException(`Error in expression '${id}': ${error.message}.`)
    throw error
  }
}

function missing(parameter: string): ServiceError {
  return new ServiceError('MissingRequiredParameterException', `The parameter ${parameter} is required.`)
}

async function readSeries(
  metrics: MetricSources,
  scope: Scope,
  input: MetricDataQueryInput,
  statistic: Statistic,
  fromMs: number,
  toMs: number,
): Promise<Series> {
  const metric = input.MetricStat?.Metric
  const periodMs = (input.MetricStat?.Period ?? 60) * 1000
  const request = {
    namespace: metric?.Namespace ?? '',
    metricName: metric?.MetricName ?? '',
    dimensions: metric?.Dimensions ?? [],
    unit: input.MetricStat?.Unit,
    fromMs,
    toMs,
    periodMs,
  }
  const values = await readValues(metrics, scope, request, statistic)
  return {
    label: input.Label ?? metric?.MetricName ?? '',
    periodMs,
    values: new Map(values.map(({ atMs, value }) => [atMs, value])),
  }
}

function resultOf(input: MetricDataQueryInput, context: ExpressionContext, scope: Scope): QueryResult {
  try {
    const result = context.valueOf(input.Id)
    const all = result.kind === 'scalar' ? seriesOf(spread(result.value, context)) : seriesOf(result)
    const isOne = result.kind !== 'array'
    const label = input.Label ?? input.MetricStat?.Metric.MetricName ?? input.Id
    return {
      input,
      all: all.map((series) => ({
        ...series,
        label: isOne ? fillLabel(label, series, input, scope) : series.label,
      })),
    }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { input, all: [], problem: error.message }
  }
}

/** A number in the result has a value at each time that any metric of the request has. */
function spread(value: number, context: ExpressionContext): Result {
  if (!Number.isFinite(value)) return { kind: 'array', all: [] }
  const all = context.metrics().map(({ series }) => series)
  const times = [...new Set(all.flatMap(({ values }) => [...values.keys()]))].toSorted((one, other) => one - other)
  context.spend(times.length)
  const periodMs = all.reduce((longest, series) => Math.max(longest, series.periodMs), 60_000)
  return { kind: 'series', series: { label: '', periodMs, values: new Map(times.map((atMs) => [atMs, value])) } }
}

function namesIn(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case 'name':
      return [expression.name]
    case 'list':
      return expression.elements.flatMap(namesIn)
    case 'negate':
    case 'not':
      return namesIn(expression.operand)
    case 'binary':
      return [...namesIn(expression.left), ...namesIn(expression.right)]
    case 'call':
      return expression.operands.flatMap(namesIn)
    case 'number':
    case 'text':
    default:
      return []
  }
}
