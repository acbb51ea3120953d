import type { MetricFamily } from '@hashrange/server'
import type { DaxNode } from '../operations/dax-node.ts'

/** What `/metrics` shows of DAX, since the server started. */
export function daxMetrics(node: DaxNode, connections: number): readonly MetricFamily[] {
  const figures = [
    { labels: { cache: 'item' }, ...node.items.figures },
    { labels: { cache: 'query' }, ...node.queries.figures },
  ]
  const of = (figure: 'hits' | 'misses' | 'evictions' | 'entries' | 'bytes'): MetricFamily['samples'] =>
    figures.map((cache) => ({ labels: cache.labels, value: cache[figure] }))
  return [
    {
      name: 'hashrange_dax_cache_hits',
      help: 'Reads that were answered from a cache of DAX.',
      type: 'counter',
      samples: of('hits'),
    },
    {
      name: 'hashrange_dax_cache_misses',
      help: 'Eventually consistent reads that were not in a cache of DAX.',
      type: 'counter',
      samples: of('misses'),
    },
    {
      name: 'hashrange_dax_cache_evictions',
      help: 'Entries that were evicted from a cache of DAX to make room for others.',
      type: 'counter',
      samples: of('evictions'),
    },
    {
      name: 'hashrange_dax_cache_entries',
      help: 'Entries in a cache of DAX.',
      type: 'gauge',
      samples: of('entries'),
    },
    {
      name: 'hashrange_dax_cache_size_bytes',
      help: 'The size of a cache of DAX.',
      type: 'gauge',
      unit: 'bytes',
      samples: of('bytes'),
    },
    {
      name: 'hashrange_dax_requests',
      help: 'Requests of DAX clients.',
      type: 'counter',
      samples: [...node.requests].map(([method, value]) => ({ labels: { method }, value })),
    },
    {
      name: 'hashrange_dax_connections',
      help: 'Open connections of DAX clients.',
      type: 'gauge',
      samples: [{ labels: {}, value: connections }],
    },
  ]
}
