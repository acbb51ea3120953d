import { expect, test } from 'vitest'
import type { MetricFamily } from './metric-family.ts'
import { renderFamilies } from './render-families.ts'

const families: MetricFamily[] = [
  {
    name: 'requests',
    help: 'How many.\nBy \\ table.',
    type: 'counter',
    samples: [{ labels: { table: 'a "quoted"\\\nname' }, value: 3 }],
  },
  {
    name: 'latency_seconds',
    help: 'How long.',
    type: 'histogram',
    unit: 'seconds',
    samples: [
      {
        labels: { operation: 'GetItem' },
        value: 0.5,
        count: 2,
        buckets: [
          { atMost: 0.1, count: 1 },
          { atMost: Number.POSITIVE_INFINITY, count: 2 },
        ],
      },
    ],
  },
  { name: 'empty', help: 'Nothing.', type: 'gauge', samples: [] },
]

test('Prometheus’s own format', () => {
  expect(renderFamilies(families, 'prometheus')).toBe(`# HELP requests_total How many.\\nBy \\\\ table.
# TYPE requests_total counter
requests_total{table="a \\"quoted\\"\\\\\\nname"} 3
# HELP latency_seconds How long.
# TYPE latency_seconds histogram
latency_seconds_bucket{operation="GetItem",le="0.1"} 1
latency_seconds_bucket{operation="GetItem",le="+Inf"} 2
latency_seconds_sum{operation="GetItem"} 0.5
latency_seconds_count{operation="GetItem"} 2
`)
})

test('OpenMetrics names families, tells units and ends', () => {
  const text = renderFamilies(families, 'openmetrics')
  expect(text).toContain('# TYPE requests counter\nrequests_total{')
  expect(text).toContain('# UNIT latency_seconds seconds\n')
  expect(text.endsWith('# EOF\n')).toBe(true)
})
