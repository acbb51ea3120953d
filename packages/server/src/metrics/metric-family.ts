/** The samples of one metric, as Prometheus groups them. */
export interface MetricFamily {
  /** Without the suffixes that the format adds. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly unit?: 'seconds' | 'bytes'
  readonly samples: readonly Sample[]
}

export interface Sample {
  readonly labels: Labels
  /** Of a histogram, the sum of its samples. */
  readonly value: number
  /** Of a histogram: how many samples there are, and how many are at most so large, for rising bounds. */
  readonly count?: number
  readonly buckets?: readonly { readonly atMost: number; readonly count: number }[]
}

export type Labels = Readonly<Record<string, string>>
