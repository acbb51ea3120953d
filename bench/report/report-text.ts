import type { Measurement } from '../measure/alternate.ts'
import { unlinkedTable } from '../measure/links.ts'
import { plainTable } from '../measure/changes.ts'
import type { Backups } from '../measure/backups.ts'
import { unverified } from '../measure/auth.ts'
import { unmetered } from '../measure/metering.ts'
import type { Growth } from '../measure/growth.ts'
import type { BulkLoadRate, Import } from '../measure/import.ts'
import { plainSdk } from '../measure/model.ts'
import { bareSql, oneServer } from '../measure/postgres.ts'
import type { MeasurementsByOperation } from '../measure/over-http.ts'
import type { MemoryUse } from '../servers/memory-use.ts'
import { operationNames } from '../workload/operations.ts'
import { costsText } from './cost-report.ts'
import type { Goal } from './goals.ts'
import type { Machine } from './machine.ts'
import type { Results } from './results.ts'
import type { Triggers } from '../measure/triggers.ts'
import { textTable } from './text-table.ts'

/** Above this, the load generator had no time left to ask for more. */
const saturatedCpu = 0.95

export function reportText(machine: Machine, results: Results, goals: readonly Goal[]): string {
  const parts = [
    `${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.versions['node'] ?? ''}`,
  ]
  if (results.http !== undefined) {
    parts.push(
      '\nOver HTTP, 32 connections. hashrange is durable on disk, dynalite keeps nothing, echo is bare node:http.',
      operationsTable(results.http, ['echo', 'dynalite']),
      saturationText(results.http),
    )
  }
  if (results.embedded !== undefined) {
    parts.push(
      '\nWithin the process, durable: one caller for reads, 32 for writes.',
      operationsTable(results.embedded, ['raw LMDB read']),
    )
  }
  if (results.model !== undefined) {
    parts.push(
      '\nWhat a model costs: the same requests within the process, ready-made and through the typed client. One caller.',
      operationsTable(results.model, [plainSdk]),
    )
  }
  if (results.changes !== undefined) {
    parts.push(
      '\nWhat the change log and a replica cost: writes to four tables with one index in one durable server, 32 connections.',
      operationsTable(results.changes, [plainTable]),
      saturationText(results.changes),
    )
  }
  if (results.links !== undefined) {
    const { linkLagMs = 0, linkReceiverCpuMicroseconds = 0, linkCatchUpMs = 0 } = results
    parts.push(
      '\nWhat a link costs: writes to two tables in one durable server, one of them with a replica in another server. 32 connections.',
      operationsTable(results.links, [unlinkedTable]),
      `The other server was at most ${linkLagMs.toFixed(0)} ms late (acknowledgements are noted four times a second), needed ${linkReceiverCpuMicroseconds.toFixed(0)} µs of a processor for each write, and had everything ${linkCatchUpMs.toFixed(0)} ms after the last one.`,
    )
  }
  if (results.auth !== undefined) {
    parts.push(
      '\nWhat verification costs: the same signed requests to an open and a closed durable server, 32 connections.',
      operationsTable(results.auth, [unverified]),
      saturationText(results.auth),
    )
  }
  if (results.metering !== undefined) {
    parts.push(
      '\nWhat metering costs: the same requests to two durable servers, 32 connections.',
      operationsTable(results.metering, [unmetered]),
      saturationText(results.metering),
    )
  }
  if (results.triggers !== undefined) parts.push(triggersText(results.triggers))
  if (results.backups !== undefined) parts.push(backupsText(results.backups))
  if (results.growth !== undefined) parts.push(growthText(results.growth))
  if (results.import !== undefined) parts.push(importText(results.import))
  if (results.postgres !== undefined) {
    parts.push(
      '\nOn one PostgreSQL, durable, 32 requests at once (on each server): its bare statements with the same driver, and servers over HTTP.',
      operationsTable(results.postgres.operations, [bareSql, oneServer]),
      saturationText(results.postgres.operations),
    )
  }
  if (results.costs !== undefined) parts.push(costsText(results.costs))
  if (results.startup !== undefined) {
    parts.push(`\nStart-up: first answer after ${results.startup.firstAnswerMs.toFixed(0)} ms`)
  }
  if (goals.length > 0) parts.push('\nGoals', goalsTable(goals))
  return parts.filter((part) => part !== '').join('\n')
}

function triggersText({
  recordsPerSecond,
  callsPerSecond,
  records,
  memoryBytes,
  standingStillBytes,
  standingStillEarlyBytes,
}: Triggers): string {
  return [
    '\nTriggers: changes of one table through a JavaScript function that does nothing, in batches of 100, durable.',
    `${whole(recordsPerSecond)} changes/s in ${whole(callsPerSecond)} calls/s, over ${whole(records)} changes; the server has ${megabytes(memoryBytes)}, and ${megabytes(standingStillBytes)} after as many changes with a function that never answers (${megabytes(standingStillEarlyBytes)} after a quarter of them).`,
  ].join('\n')
}

function operationsTable(byOperation: MeasurementsByOperation, bases: readonly string[]): string {
  const rows: string[][] = []
  for (const operation of operationNames) {
    const measurements = byOperation[operation] ?? []
    const known = measurements.map(({ name }) => name)
    for (const [position, measurement] of measurements.entries()) {
      rows.push([
        position === 0 ? operation : '',
        ...measurementCells(measurement),
        ...ratioCells(measurements, measurement, bases),
      ])
    }
    // Its absence is a result too.
    if (bases.includes('dynalite') && known.length > 0 && !known.includes('dynalite')) {
      rows.push(['', 'dynalite', ...Array.from({ length: 6 + bases.length }, () => '–')])
    }
  }
  const headings = [
    '',
    '',
    'req/s',
    'p50',
    'p99',
    'CPU/req',
    'RSS',
    'anonymous',
    ...bases.map((base) => `× ${base}`),
  ]
  return textTable(headings, rows)
}

function measurementCells({ name, perSecond, p50Ms, p99Ms, cpuMicroseconds, memory }: Measurement): string[] {
  return [
    name,
    whole(perSecond),
    duration(p50Ms),
    duration(p99Ms),
    Number.isNaN(cpuMicroseconds) ? '–' : `${cpuMicroseconds.toFixed(cpuMicroseconds < 10 ? 1 : 0)} µs`,
    megabytes(memory.rssBytes),
    anonymous(memory),
  ]
}

function ratioCells(all: readonly Measurement[], one: Measurement, bases: readonly string[]): string[] {
  return bases.map((base) => {
    const other = all.find(({ name }) => name === base)
    return other === undefined || other === one ? '' : (one.perSecond / other.perSecond).toFixed(2)
  })
}

function saturationText(byOperation: MeasurementsByOperation): string {
  const saturated: string[] = []
  let most = 0
  for (const operation of operationNames) {
    for (const { name, callerCpu } of byOperation[operation] ?? []) {
      most = Math.max(most, callerCpu)
      if (callerCpu >= saturatedCpu) saturated.push(`${operation} on ${name}`)
    }
  }
  if (saturated.length === 0) return `The load generator used at most ${(most * 100).toFixed(0)}% of a core.`
  return `The load generator was saturated (the server could do more): ${saturated.join(', ')}.`
}

function backupsText({ itemCount, stores }: Backups): string {
  return [
    `\nBackups: 20 items of one table are updated, 32 at once, while another table of ${whole(itemCount)} items is backed up`,
    textTable(
      ['', 'updates/s alone', 'beside the backup', '× alone', 'backup', 'data file grew'],
      stores.map(({ store, alonePerSecond, duringPerSecond, backupSeconds, grownTimes }) => [
        store,
        whole(alonePerSecond),
        whole(duringPerSecond),
        (duringPerSecond / alonePerSecond).toFixed(2),
        `${backupSeconds.toFixed(1)} s`,
        grownTimes === undefined ? '' : `${grownTimes.toFixed(1)} × the backup`,
      ]),
    ),
  ].join('\n')
}

function growthText(growth: Growth): string {
  const { load, smallItemCount, largeItemCount } = growth
  const rows = growth.operations.map(({ operation, small, large, slowdown }) => [
    operation,
    whole(small.perSecond),
    whole(large.perSecond),
    duration(small.p99Ms),
    duration(large.p99Ms),
    megabytes(large.memory.rssBytes),
    anonymous(large.memory),
    slowdown.toFixed(2),
  ])
  const [small, large] = [whole(smallItemCount), whole(largeItemCount)]
  return [
    `\nGrowth: ${small} and ${large} items of about 300 bytes and one index, in one server`,
    `Loading the ${large}: ${whole(load.itemsPerSecond)} items/s (${load.seconds.toFixed(0)} s), peak memory ${megabytes(load.memory.rssBytes)}, anonymous ${anonymous(load.memory)}`,
    rows.length === 0
      ? ''
      : textTable(
          [
            '',
            `req/s at ${small}`,
            `at ${large}`,
            `p99 at ${small}`,
            `at ${large}`,
            'RSS',
            'anonymous',
            '× slower',
          ],
          rows,
        ),
  ].join('\n')
}

function importText({ itemCount, files, bare, ours, timesBare, putItem }: Import): string {
  const { before, after } = putItem
  return [
    `\nImport: ${whole(itemCount)} items of about 300 bytes and no index, DYNAMODB_JSON with GZIP in ${files.count} files (${megabytes(files.bytes)}),`,
    'and the same bytes put into bare LMDB in the order of their keys, durably',
    textTable(
      ['', 'items/s', 'seconds', 'CPU/item', 'RSS', 'anonymous', '× bare LMDB'],
      [bulkLoadRow('bare LMDB', bare, ''), bulkLoadRow('ImportTable', ours, timesBare.toFixed(2))],
    ),
    `PutItem on another table of the server: ${whole(before.perSecond)} req/s, p99 ${duration(before.p99Ms)} before the import; ${whole(after.perSecond)} req/s, p99 ${duration(after.p99Ms)} right after it`,
  ].join('\n')
}

function bulkLoadRow(
  name: string,
  { itemsPerSecond, seconds, cpuMicroseconds, memory }: BulkLoadRate,
  times: string,
): string[] {
  return [
    name,
    whole(itemsPerSecond),
    seconds.toFixed(1),
    Number.isNaN(cpuMicroseconds) ? '–' : `${cpuMicroseconds.toFixed(1)} µs`,
    megabytes(memory.rssBytes),
    anonymous(memory),
    times,
  ]
}

function goalsTable(goals: readonly Goal[]): string {
  return goals
    .map(({ text, measured, unit, isMet }) => {
      const figure = unit === '×' ? `${measured.toFixed(2)} ×` : `${measured.toFixed(0)} ${unit}`
      return `  ${isMet ? '✓ met ' : '✗ miss'}  ${text}: ${figure}`
    })
    .join('\n')
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en-US')
}

function duration(milliseconds: number): string {
  return milliseconds < 0.1 ? `${(milliseconds * 1_000).toFixed(1)} µs` : `${milliseconds.toFixed(2)} ms`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}

function anonymous({ anonymousBytes }: MemoryUse): string {
  return anonymousBytes === undefined ? '–' : megabytes(anonymousBytes)
}
