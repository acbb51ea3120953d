import { validationException } from '@hashrange/core'
import type { MetricDataQueryInput } from '../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { ExpressionError, type Expression } from './expression-syntax.ts'
import { assertPeriod } from './period.ts'
import { dimensionsOfMetric, namespace, readValues, type MetricSources } from './read-metric.ts'
import { parseSearch, type SearchedMetric } from './search-metrics.ts'
import { statisticOf, type Statistic } from './statistic.ts'
import type { Series } from './time-series.ts'

/** A call of SEARCH. */
export interface Search {
  readonly operands: readonly Expression[]
  readonly matches: (metric: SearchedMetric) => boolean
  readonly statistic: Statistic
  readonly periodMs: number
}

/** As many series as CloudWatch would find. */
const mostFound = 500
const mostValues = 1_000_000

/** `SEARCH('…', 'Sum', 300)`. */
export function readSearch(operands: readonly Expression[], input: MetricDataQueryInput): Search {
  const [condition, stat, period] = operands
  try {
    const statistic = stat?.kind === 'text' ? statisticOf(stat.value) : undefined
    const seconds = period === undefined ? (input.Period ?? 300) : period.kind === 'number' ? period.value : 0
    if (condition?.kind !== 'text' || statistic === undefined || operands.length > 3) {
      throw new ExpressionError('SEARCH takes a search, a statistic and a period')
    }
    assertPeriod(seconds, `SEARCH of ${input.Id}`)
    return { operands, matches: parseSearch(condition.value), statistic, periodMs: seconds * 1000 }
  } catch (error) {
    if (error instanceof ExpressionError) {
      throw validationException(`Error in expression '${input.Id}': ${error.message}.`)
    }
    throw error
  }
}

export async function runSearch(
  metrics: MetricSources,
  scope: Scope,
  { matches, statistic, periodMs }: Search,
  fromMs: number,
  toMs: number,
): Promise<readonly Series[]> {
  const own = (await metrics.metrics.list(scope)).map((metric) => ({
    namespace,
    metricName: metric.name,
    dimensions: dimensionsOfMetric(metric),
  }))
  const found = [...own, ...(await metrics.customMetrics.list(scope))].filter(matches).slice(0, mostFound)
  const isOneMetric = new Set(found.map(({ metricName }) => metricName)).size === 1
  const all: Series[] = []
  let count = 0
  for (const metric of found) {
    const values = await readValues(metrics, scope, { ...metric, fromMs, toMs, periodMs }, statistic)
    count += values.length
    if (count > mostValues) {
      throw validationException(
        'A search has found too many datapoints. Increase its period, or decrease the time range.',
      )
    }
    const names = metric.dimensions.map(({ Value: value }) => value)
    all.push({
      label: (isOneMetric && names.length > 0 ? names : [...names, metric.metricName]).join(' '),
      periodMs,
      values: new Map(values.map(({ atMs, value }) => [atMs, value])),
    })
  }
  return all
}

/** The operands of the calls of one function. */
export function callsIn(expression: Expression, name: string): readonly (readonly Expression[])[] {
  switch (expression.kind) {
    case 'list':
      return expression.elements.flatMap((element) => callsIn(element, name))
    case 'negate':
    case 'not':
      return callsIn(expression.operand, name)
    case 'binary':
      return [...callsIn(expression.left, name), ...callsIn(expression.right, name)]
    case 'call': {
      const inner = expression.operands.flatMap((operand) => callsIn(operand, name))
      return expression.name === name ? [expression.operands, ...inner] : inner
    }
    case 'number':
    case 'text':
    case 'name':
    default:
      return []
  }
}
