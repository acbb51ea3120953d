import type { MetricDataQueryInput } from '../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import type { Series } from './time-series.ts'

/** A label with its dynamic parts filled in: `${PROP('Dim.TableName')}: ${MAX}`. Unknown parts stay as they are. */
export function fillLabel(label: string, series: Series, input: MetricDataQueryInput, scope: Scope): string {
  if (!label.includes('${')) return label
  return label.replace(
    /\$\{(?:(LABEL|AVG|MAX|MIN|SUM|FIRST|LAST|DATAPOINT_COUNT)|PROP\('([^']{1,255})'\))\}/g,
    (whole, part: string | undefined, property: string | undefined) =>
      (part === undefined ? propertyOf(property ?? '', input, scope) : partOf(part, series, input)) ?? whole,
  )
}

function propertyOf(name: string, { MetricStat }: MetricDataQueryInput, scope: Scope): string | undefined {
  switch (name) {
    case 'MetricName':
      return MetricStat?.Metric.MetricName
    case 'Namespace':
      return MetricStat?.Metric.Namespace
    case 'Stat':
      return MetricStat?.Stat
    case 'Period':
      return MetricStat === undefined ? undefined : String(MetricStat.Period)
    case 'Region':
      return scope.region
    case 'AccountId':
    case 'AccountLabel':
      return scope.accountId
    default: {
      const dimension = name.startsWith('Dim.') ? name.slice(4) : undefined
      return MetricStat?.Metric.Dimensions?.find(({ Name }) => Name === dimension)?.Value
    }
  }
}

function partOf(part: string, series: Series, input: MetricDataQueryInput): string {
  if (part === 'LABEL') return input.MetricStat?.Metric.MetricName ?? series.label
  const values = [...series.values.values()]
  if (part === 'DATAPOINT_COUNT') return String(values.length)
  const sum = values.reduce((total, value) => total + value, 0)
  switch (part) {
    case 'SUM':
      return String(sum)
    case 'AVG':
      return values.length === 0 ? '' : String(sum / values.length)
    case 'MAX':
      return values.length === 0 ? '' : String(values.reduce((most, value) => Math.max(most, value)))
    case 'MIN':
      return values.length === 0 ? '' : String(values.reduce((least, value) => Math.min(least, value)))
    case 'FIRST':
      return String(values.at(0) ?? '')
    default:
      return String(values.at(-1) ?? '')
  }
}
