import type { Scope } from '@hashrange/engine'

/** Samples of one metric of one function, as CloudWatch counts them. */
export interface FunctionMetric {
  readonly namespace: 'AWS/Lambda'
  readonly metricName: 'Invocations' | 'Errors' | 'Duration' | 'IteratorAge'
  readonly dimensions: readonly { readonly Name: 'FunctionName'; readonly Value: string }[]
  readonly unit: 'Count' | 'Milliseconds'
  readonly atMs: number
  readonly samples: {
    readonly sampleCount: number
    readonly sum: number
    readonly minimum: number
    readonly maximum: number
  }
}

/** Keeps metrics of functions; monitoring does. */
export type PutMetrics = (scope: Scope, metrics: readonly FunctionMetric[]) => Promise<void>

/** What functions have done since it was last passed on. There is one entry for each metric of a function, however often
 *  it is called. */
export class FunctionMetrics {
  readonly #put: PutMetrics
  readonly #nowMs: () => number
  #collected = new Map<string, { readonly scope: Scope; readonly metrics: Map<string, FunctionMetric> }>()

  constructor(put: PutMetrics, nowMs: () => number) {
    this.#put = put
    this.#nowMs = nowMs
  }

  add(scope: Scope, functionName: string, metricName: FunctionMetric['metricName'], value: number): void {
    const place = `${scope.accountId} ${scope.region}`
    let collected = this.#collected.get(place)
    if (collected === undefined) this.#collected.set(place, (collected = { scope, metrics: new Map() }))
    const name = `${metricName} ${functionName}`
    const before = collected.metrics.get(name)?.samples
    collected.metrics.set(name, {
      namespace: 'AWS/Lambda',
      metricName,
      dimensions: [{ Name: 'FunctionName', Value: functionName }],
      unit: metricName === 'Invocations' || metricName === 'Errors' ? 'Count' : 'Milliseconds',
      atMs: this.#nowMs(),
      samples: {
        sampleCount: (before?.sampleCount ?? 0) + 1,
        sum: (before?.sum ?? 0) + value,
        minimum: Math.min(before?.minimum ?? value, value),
        maximum: Math.max(before?.maximum ?? value, value),
      },
    })
  }

  async flush(): Promise<void> {
    const collected = [...this.#collected.values()]
    this.#collected = new Map()
    for (const { scope, metrics } of collected) await this.#put(scope, [...metrics.values()])
  }
}
