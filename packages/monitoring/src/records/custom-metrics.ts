import { createHash } from 'node:crypto'
import type { Datapoint, Decision, RecordSpace, Scope, ServiceHost, Write } from '@hashrange/engine'
import type { DimensionInput } from '../api/cloudwatch-inputs.ts'

/** A metric that clients put themselves. ON DISK as JSON. */
export interface CustomMetric {
  readonly namespace: string
  readonly metricName: string
  readonly dimensions: readonly DimensionInput[]
  readonly unit: string
  readonly lastAtMs: number
}

/** The samples of one minute. ON DISK as JSON. */
interface CustomPeriod extends Samples {
  readonly id: string
  readonly atMs: number
}

export interface Samples {
  readonly sampleCount: number
  readonly sum: number
  readonly minimum: number
  readonly maximum: number
}

export interface CustomSamples extends Omit<CustomMetric, 'lastAtMs'> {
  readonly atMs: number
  readonly samples: Samples
}

const minuteMs = 60_000
const keptMs = 15 * 86_400_000

/** Metrics of clients, summed up by the minute. */
export class CustomMetrics {
  readonly #transact: ServiceHost['transact']
  readonly #metrics: RecordSpace<CustomMetric>
  readonly #periods: RecordSpace<CustomPeriod>

  constructor(host: ServiceHost) {
    this.#transact = host.transact
    this.#metrics = host.records('customMetric')
    this.#periods = host.records('customPeriod')
  }

  list(scope: Scope): Promise<readonly CustomMetric[]> {
    return this.#metrics.list(scope)
  }

  find(scope: Scope, metric: Pick<CustomMetric, 'namespace' | 'metricName' | 'dimensions'>) {
    return this.#metrics.get(scope, metricParts(metric))
  }

  /** All samples of a request, in one transaction. */
  async add(scope: Scope, all: readonly CustomSamples[]): Promise<void> {
    const metrics = new Map<string, CustomMetric>()
    const periods = new Map<string, CustomPeriod>()
    for (const { atMs, samples, ...metric } of all) {
      const id = idOf(metric)
      const startMs = Math.floor(atMs / minuteMs) * minuteMs
      const known = metrics.get(id)
      metrics.set(id, { ...metric, lastAtMs: Math.max(startMs, known?.lastAtMs ?? 0) })
      const name = `${id}/${startMs}`
      periods.set(name, { id, atMs: startMs, ...sumOf(periods.get(name), samples) })
    }
    const keys = [
      ...[...metrics.values()].map((metric) => this.#metrics.key(scope, metricParts(metric))),
      ...[...periods.values()].map((period) => this.#periods.key(scope, periodParts(period.id, period.atMs))),
    ]
    await this.#transact(keys, (values): Decision<undefined> => {
      const writes: Write[] = []
      let at = 0
      for (const metric of metrics.values()) {
        const current = this.#metrics.decode(values[at++])
        const lastAtMs = Math.max(metric.lastAtMs, current?.lastAtMs ?? 0)
        writes.push(this.#metrics.put(scope, metricParts(metric), { ...metric, lastAtMs }))
      }
      for (const { id, atMs, ...samples } of periods.values()) {
        const period = { id, atMs, ...sumOf(this.#periods.decode(values[at++]), samples) }
        writes.push(this.#periods.put(scope, periodParts(id, atMs), period))
      }
      return { writes, answer: undefined }
    })
  }

  async series(
    scope: Scope,
    metric: Pick<CustomMetric, 'namespace' | 'metricName' | 'dimensions'>,
    { fromMs, toMs, periodMs }: { readonly fromMs: number; readonly toMs: number; readonly periodMs: number },
  ): Promise<readonly Datapoint[]> {
    const id = idOf(metric)
    const sums = new Map<number, Samples>()
    let after: readonly string[] | undefined = periodParts(
      id,
      Math.max(0, Math.floor(fromMs / minuteMs) * minuteMs - 1),
    )
    while (after !== undefined) {
      const page: { readonly records: readonly CustomPeriod[]; readonly next: readonly string[] | undefined } =
        await this.#periods.page(scope, { parts: [id], limit: 1_000, after })
      for (const period of page.records) {
        if (period.atMs >= toMs) return [...sums].map(([atMs, samples]) => datapointOf(atMs, samples))
        const startMs = Math.floor(period.atMs / periodMs) * periodMs
        sums.set(startMs, sumOf(sums.get(startMs), period))
      }
      after = page.next
    }
    return [...sums].map(([atMs, samples]) => datapointOf(atMs, samples))
  }

  async forgetOld(nowMs: number): Promise<void> {
    await this.#periods.removeAll(({ atMs }) => atMs < nowMs - keptMs)
    await this.#metrics.removeAll(({ lastAtMs }) => lastAtMs < nowMs - keptMs)
  }
}

function sumOf(one: Samples | undefined, other: Samples): Samples {
  const { sampleCount, sum, minimum, maximum } = other
  if (one === undefined) return { sampleCount, sum, minimum, maximum }
  return {
    sampleCount: one.sampleCount + sampleCount,
    sum: one.sum + sum,
    minimum: Math.min(one.minimum, minimum),
    maximum: Math.max(one.maximum, maximum),
  }
}

/** The samples themselves are not kept: a percentile is estimated between the smallest and the largest. */
function datapointOf(atMs: number, samples: Samples): Datapoint {
  const { sampleCount, sum, minimum, maximum } = samples
  return { atMs, sampleCount, sum, minimum, maximum, quantile: (p) => minimum + (maximum - minimum) * p }
}

function metricParts(metric: Pick<CustomMetric, 'namespace' | 'metricName' | 'dimensions'>): readonly string[] {
  return [metric.namespace, metric.metricName, idOf(metric)]
}

/** Times have a fixed number of digits, so that they sort in order of time. */
function periodParts(id: string, atMs: number): readonly string[] {
  return [id, String(atMs).padStart(16, '0')]
}

function idOf({
  namespace,
  metricName,
  dimensions,
}: Pick<CustomMetric, 'namespace' | 'metricName' | 'dimensions'>): string {
  const sorted = dimensions
    .map(({ Name, Value }) => [Name, Value])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([namespace, metricName, sorted]))
    .digest('hex')
    .slice(0, 32)
}
