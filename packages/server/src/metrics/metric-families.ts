import type { Engine, MetricTotal } from '@hashrange/engine'
import type { Labels, MetricFamily, Sample } from './metric-family.ts'

/** How many series are shown at most: there are few operations, but the number of tables is not limited. */
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
    help: 'Series left out of this scrape because there are too many.',
    type: 'gauge',
    samples: [{ labels: {}, value: leftOut }],
  }
  yield* storeFamilies(engine)
  yield* clockFamilies(engine)
  yield* processFamilies()
}

function familyOf(name: string, totals: readonly MetricTotal[]): MetricFamily {
  const help = helps.get(name) ?? `The CloudWatch metric ${name}.`
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
  const { TableName: table, GlobalSecondaryIndexName: index, Operation: operation, ReceivingRegion } = dimensions
  return {
    account: scope.accountId,
    region: scope.region,
    ...(table !== undefined && { table }),
    ...(index !== undefined && { index }),
    ...(operation !== undefined && { operation }),
    ...(ReceivingRegion !== undefined && { receiving_region: ReceivingRegion }),
  }
}

/** Of tables and indexes that are not on demand. */
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
  const help = 'Provisioned capacity units of a table or an index.'
  yield { name: 'hashrange_dynamodb_provisioned_read_capacity_units', help, type: 'gauge', samples: reads }
  yield { name: 'hashrange_dynamodb_provisioned_write_capacity_units', help, type: 'gauge', samples: writes }
}

function* storeFamilies({ store }: Engine): Iterable<MetricFamily> {
  for (const { name, ...figure } of store.figures?.() ?? []) yield { name: `hashrange_store_${name}`, ...figure }
}

function* clockFamilies({ clock }: Engine): Iterable<MetricFamily> {
  const { serverAheadMs, errorMs } = clock.offset
  yield {
    name: 'hashrange_clock_offset_seconds',
    help: "How far this server's clock is ahead of the store's time.",
    type: 'gauge',
    unit: 'seconds',
    samples: [{ labels: {}, value: Math.round(serverAheadMs) / 1000 }],
  }
  yield {
    name: 'hashrange_clock_error_seconds',
    help: "The largest possible error of the store's time on this server.",
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
    help: 'Total user and system CPU time spent by this process.',
    type: 'counter',
    unit: 'seconds',
    samples: one((user + system) / 1e6),
  }
  yield {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of this process.',
    type: 'gauge',
    unit: 'bytes',
    samples: one(rss),
  }
  yield {
    name: 'process_start_time_seconds',
    help: 'Start time of this process, in seconds since the Unix epoch.',
    type: 'gauge',
    unit: 'seconds',
    samples: one(Math.round(Date.now() - process.uptime() * 1000) / 1000),
  }
}

const helps = new Map<string, string>([
  ['ConsumedReadCapacityUnits', 'Read capacity units consumed.'],
  ['ConsumedWriteCapacityUnits', 'Write capacity units consumed.'],
  ['ReadThrottleEvents', 'Reads that were throttled.'],
  ['WriteThrottleEvents', 'Writes that were throttled.'],
  ['ReadWouldBeThrottleEvents', 'Reads that AWS would have throttled.'],
  ['WriteWouldBeThrottleEvents', 'Writes that AWS would have throttled.'],
  ['ThrottledRequests', 'Requests in which at least one part was throttled.'],
  ['ConditionalCheckFailedRequests', 'Writes rejected because their condition was not met.'],
  ['TransactionConflict', 'Requests rejected because of a conflict with a transaction on the same item.'],
  ['TimeToLiveDeletedItemCount', 'Items deleted because their time to live had expired.'],
  ['SuccessfulRequestLatency', 'How long successful requests took.'],
  ['ReturnedItemCount', 'Items returned by queries and scans.'],
  ['ReturnedBytes', 'Bytes returned by GetRecords.'],
  ['ReturnedRecordsCount', 'Records returned by GetRecords.'],
  ['SystemErrors', 'Requests that failed because of a server error.'],
  ['UserErrors', 'Requests rejected as invalid.'],
])
