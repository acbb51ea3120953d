import { ServiceError } from '@hashrange/core'
import type { GetInsightRuleReportInput } from '../../api/cloudwatch-inputs.ts'
import { assertPeriod } from '../../cloudwatch/period.ts'
import type { Scope } from '@hashrange/engine'
import { allRules } from '../../insights/insight-rules.ts'
import { ruleReport, type Contributor, type ReportPeriod } from '../../insights/rule-report.ts'
import type { Monitoring } from '../../monitoring.ts'

const mostContributors = 100
const mostPeriods = 1440

export async function getInsightRuleReport(
  monitoring: Monitoring,
  scope: Scope,
  input: GetInsightRuleReportInput,
): Promise<unknown> {
  const { RuleName, StartTime, EndTime, Period, MaxContributorCount = 10, OrderBy = 'Sum', Metrics = [] } = input
  assertPeriod(Period, 'Period')
  if (StartTime >= EndTime) throw invalid('The parameter StartTime must be less than the parameter EndTime.')
  if ((EndTime - StartTime) / Period > mostPeriods) {
    throw invalid(`The time range must not hold more than ${mostPeriods} periods.`)
  }
  if (MaxContributorCount < 1 || MaxContributorCount > mostContributors) {
    throw invalid(`The parameter MaxContributorCount must be between 1 and ${mostContributors}.`)
  }
  if (OrderBy !== 'Sum' && OrderBy !== 'Maximum') throw invalid('The parameter OrderBy must be Sum or Maximum.')
  const unknown = Metrics.find((name) => !metricOf.has(name))
  if (unknown !== undefined) throw invalid(`The value ${unknown} for parameter Metrics is not supported.`)
  const rule = (await allRules(monitoring, scope)).find(({ name }) => name === RuleName)
  if (rule === undefined)
    throw new ServiceError('ResourceNotFoundException', `Insight rule ${RuleName} does not exist.`)
  const request = { fromMs: StartTime * 1000, toMs: EndTime * 1000, periodMs: Period * 1000 }
  const { contributors, periods } = await ruleReport(monitoring, scope, rule, request)
  const ordered =
    OrderBy === 'Sum' ? contributors : contributors.toSorted((one, other) => other.maximum - one.maximum)
  return {
    KeyLabels: rule.keyLabels,
    AggregationStatistic: 'SUM',
    AggregateValue: contributors.reduce((sum, contributor) => sum + contributor.sum, 0),
    ApproximateUniqueCount: contributors.length,
    Contributors: ordered.slice(0, MaxContributorCount).map(describe),
    MetricDatapoints: Metrics.length === 0 ? undefined : periods.map((period) => metricsOf(period, Metrics)),
  }
}

function describe({ keys, sum, values }: Contributor): unknown {
  return {
    Keys: keys,
    ApproximateAggregateValue: sum,
    Datapoints: values.map(({ atMs, value }) => ({ Timestamp: new Date(atMs), ApproximateValue: value })),
  }
}

const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

const metricOf = new Map<string, (amounts: readonly number[]) => number>([
  ['UniqueContributors', ({ length }) => length],
  ['MaxContributorValue', (amounts) => Math.max(...amounts)],
  ['SampleCount', total],
  ['Sum', total],
  ['Minimum', (amounts) => Math.min(...amounts)],
  ['Maximum', (amounts) => Math.max(...amounts)],
  ['Average', (amounts) => total(amounts) / amounts.length],
])

function metricsOf({ atMs, amounts }: ReportPeriod, names: readonly string[]): unknown {
  return {
    Timestamp: new Date(atMs),
    ...Object.fromEntries(names.map((name) => [name, metricOf.get(name)?.(amounts)])),
  }
}

function invalid(message: string): ServiceError {
  return new ServiceError('InvalidParameterValueException', message)
}
