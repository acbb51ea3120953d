import type { Engine, MetricTotal } from '@hashrange/engine'
import type { Labels, MetricFamily, Sample } from './metric-family.ts'

/** How many series are told at most: tables and operations are few, but nobody limits tables. */
const mostSeries = 20_000

/** What was counted, what is provisioned, and the process itself. */
export function* metricFamilies(engine: Engine): Iterable<MetricFamily> {
  const byName = new Map<string, MetricTotal[]>()
  let series = 0
  let leftOut = 0
  for (const total of engine.metrics.totals()) {
    series += total.buckets === undefined ? 1 : total.buckets.length + 2
    if (series > mostSeries) {
      leftOut++
      continue
    }
    const totals = byName.get(total.name)
    if (totals === undefined) byName.set(total.name, [total])
    else totals.push(total)
  }
  for (const [name, totals] of [...byName].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    yield familyOf(name, totals)
  }
  yield* provisioned(engine)
  yield {
    name: 'hashrange_metrics_left_out',
    help: 'Series that are not told, because there are more than a scrape should hold.',
    type: 'gauge',
    samples: [{ labels: {}, value: leftOut }],
  }
  yield* clockFamilies(engine)
  yield* processFamilies()
}

function familyOf(name: string, totals: readonly MetricTotal[]): MetricFamily {
  const help = helps.get(name) ?? `What CloudWatch calls ${name}.`
  const snake = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
  if (name === 'SuccessfulRequestLatency') {
    return {
      name: 'hashrange_dynamodb_successful_request_latency_seconds',
      help,
      type: 'histogram',
      unit: 'seconds',
      samples: totals.map(latencySample),
    }
  }
  return {
    name: `hashrange_dynamodb_${snake}`,
    help,
    type: 'counter',
    ...(snake.endsWith('_bytes') && { unit: 'bytes' }),
    samples: totals.map((total) => ({ labels: labelsOf(total), value: total.sum })),
  }
}

function latencySample(total: MetricTotal): Sample {
  return {
    labels: labelsOf(total),
    value: total.sum / 1000,
    count: total.sampleCount,
    buckets: (total.buckets ?? []).map(({ atMost, count }) => ({ atMost: atMost / 1000, count })),
  }
}

function labelsOf({ scope, dimensions }: MetricTotal): Labels {
  const { TableName: table, GlobalSecondaryIndexName: index, Operation: operation } = dimensions
  return {
    account: scope.accountId,
    region: scope.region,
    ...(table !== undefined && { table }),
    ...(index !== undefined && { index }),
    ...(operation !== undefined && { operation }),
  }
}

/** Of tables and indexes that are not paid for on demand. */
function* provisioned(engine: Engine): Iterable<MetricFamily> {
  const reads: Sample[] = []
  const writes: Sample[] = []
  for (const { definition } of engine.catalog.all()) {
    if (definition.billing.mode !== 'PROVISIONED' || reads.length > mostSeries) continue
    const labels = { account: definition.accountId, region: definition.region, table: definition.tableName }
    const { readUnits, writeUnits } = definition.billing.throughput
    reads.push({ labels, value: readUnits })
    writes.push({ labels, value: writeUnits })
    for (const { indexName, throughput } of definition.globalIndexes) {
      if (throughput === undefined) continue
      reads.push({ labels: { ...labels, index: indexName }, value: throughput.readUnits })
      writes.push({ labels: { ...labels, index: indexName }, value: throughput.writeUnits })
    }
  }
  const help = 'Capacity units that are provisioned for a table or an index.'
  yield { name: 'hashrange_dynamodb_provisioned_read_capacity_units', help, type: 'gauge', samples: reads }
  yield { name: 'hashrange_dynamodb_provisioned_write_capacity_units', help, type: 'gauge', samples: writes }
}

function* clockFamilies({ clock }: Engine): Iterable<MetricFamily> {
  const { serverAheadMs, errorMs } = clock.offset
  yield {
    name: 'hashrange_clock_offset_seconds',
    help: 'How far the clock of this server is ahead of the time that the store goes by.',
    type: 'gauge',
    unit: 'seconds',
    samples: [{ labels: {}, value: Math.round(serverAheadMs) / 1000 }],
  }
  yield {
    name: 'hashrange_clock_error_seconds',
    help: 'How far the time that the store goes by may be off on this server.',
    type: 'gauge',
    unit: 'seconds',
    samples: [{ labels: {}, value: Math.round(errorMs * 1000) / 1e6 }],
  }
}

function* processFamilies(): Iterable<MetricFamily> {
  const { user, system } = process.cpuUsage()
  const { rss } = process.memoryUsage()
  const one = (value: number): readonly Sample[] => [{ labels: {}, value }]
  yield {
    name: 'process_cpu_seconds',
    help: 'Time that processors have spent on this process.',
    type: 'counter',
    unit: 'seconds',
    samples: one((user + system) / 1e6),
  }
  yield {
    name: 'process_resident_memory_bytes',
    help: 'Memory of this process that is resident.',
    type: 'gauge',
    unit: 'bytes',
    samples: one(rss),
  }
  yield {
    name: 'process_start_time_seconds',
    help: 'When this process has started, in seconds since 1970.',
    type: 'gauge',
    unit: 'seconds',
    samples: one(Math.round(Date.now() - process.uptime() * 1000) / 1000),
  }
}

const helps = new Map<string, string>([
  ['ConsumedReadCapacityUnits', 'Read capacity units that were consumed.'],
  ['ConsumedWriteCapacityUnits', 'Write capacity units that were consumed.'],
  ['ReadThrottleEvents', 'Reads that were throttled.'],
  ['WriteThrottleEvents', 'Writes that were throttled.'],
  ['ReadWouldBeThrottleEvents', 'Reads that would have been throttled, had throttling been enforced.'],
  ['WriteWouldBeThrottleEvents', 'Writes that would have been throttled, had throttling been enforced.'],
  ['ThrottledRequests', 'Requests of which any part was throttled.'],
  ['ConditionalCheckFailedRequests', 'Writes whose condition did not hold.'],
  ['TransactionConflict', 'Requests on items that met another transaction.'],
  ['TimeToLiveDeletedItemCount', 'Items that were deleted because their time was over.'],
  ['SuccessfulRequestLatency', 'How long requests took that were successful.'],
  ['ReturnedItemCount', 'Items that queries and scans have returned.'],
  ['ReturnedBytes', 'Bytes that stream reads have returned.'],
  ['ReturnedRecordsCount', 'Records that stream reads have returned.'],
  ['SystemErrors', 'Requests that failed through a fault of the server.'],
  ['UserErrors', 'Requests that were refused as invalid.'],
])
