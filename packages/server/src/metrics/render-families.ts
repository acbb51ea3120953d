import type { Labels, MetricFamily, Sample } from './metric-family.ts'

export type ExpositionFormat = 'openmetrics' | 'prometheus'

/** The text that Prometheus reads, in its own format or as OpenMetrics. */
export function renderFamilies(families: Iterable<MetricFamily>, format: ExpositionFormat): string {
  const lines: string[] = []
  for (const family of families) renderFamily(lines, family, format)
  if (format === 'openmetrics') lines.push('# EOF')
  return `${lines.join('\n')}\n`
}

function renderFamily(lines: string[], family: MetricFamily, format: ExpositionFormat): void {
  const { name, help, type, unit, samples } = family
  if (samples.length === 0) return
  const counted = type === 'counter' ? `${name}_total` : name
  // OpenMetrics names the family, the older format the sample.
  const told = format === 'openmetrics' ? name : counted
  lines.push(`# HELP ${told} ${escapeHelp(help)}`, `# TYPE ${told} ${type}`)
  if (format === 'openmetrics' && unit !== undefined) lines.push(`# UNIT ${told} ${unit}`)
  for (const sample of samples) {
    if (type === 'histogram') renderHistogram(lines, name, sample)
    else lines.push(`${counted}${renderLabels(sample.labels)} ${renderNumber(sample.value)}`)
  }
}

function renderHistogram(lines: string[], name: string, { labels, value, count = 0, buckets = [] }: Sample): void {
  for (const { atMost, count: upTo } of buckets) {
    lines.push(`${name}_bucket${renderLabels({ ...labels, le: renderNumber(atMost) })} ${upTo}`)
  }
  lines.push(
    `${name}_sum${renderLabels(labels)} ${renderNumber(value)}`,
    `${name}_count${renderLabels(labels)} ${count}`,
  )
}

function renderLabels(labels: Labels): string {
  const all = Object.entries(labels)
  if (all.length === 0) return ''
  return `{${all.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`
}

function renderNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return Number.isFinite(value) ? String(value) : 'NaN'
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

function escapeHelp(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
