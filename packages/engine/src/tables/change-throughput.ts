import { validationException } from '@hashrange/core'
import type { ProvisionedThroughputInput } from '../api/table-inputs.ts'
import type { Throughput } from '../definitions/table-definition.ts'
import { limitExceeded } from './invalid-parameter.ts'

const hourMs = 3_600_000
const decreasesADay = 4

/** A table's throughput, or an index's if a name is given, after a change that the service would allow now. */
export function changeThroughput(
  current: Throughput,
  requested: ProvisionedThroughputInput,
  nowMs: number,
  indexName?: string,
): Throughput {
  const readUnits = requested.ReadCapacityUnits
  const writeUnits = requested.WriteCapacityUnits
  if (readUnits === current.readUnits && writeUnits === current.writeUnits) throw unchanged(current, indexName)
  const increases = readUnits > current.readUnits || writeUnits > current.writeUnits
  const decreases = readUnits < current.readUnits || writeUnits < current.writeUnits
  if (decreases) assertMayDecrease(current, nowMs)
  return {
    ...current,
    readUnits,
    writeUnits,
    ...(increases ? { lastIncreaseAtMs: nowMs } : {}),
    ...(decreases ? { lastDecreaseAtMs: nowMs } : {}),
    decreasesToday: decreasesToday(current, nowMs) + (decreases ? 1 : 0),
  }
}

/** Days are in UTC. */
export function decreasesToday({ decreasesToday: count, lastDecreaseAtMs }: Throughput, nowMs: number): number {
  return lastDecreaseAtMs !== undefined && utcDay(lastDecreaseAtMs) === utcDay(nowMs) ? count : 0
}

function assertMayDecrease(current: Throughput, nowMs: number): void {
  const count = decreasesToday(current, nowMs)
  const lastMs = current.lastDecreaseAtMs ?? 0
  if (count < decreasesADay || nowMs - lastMs >= hourMs) return
  throw limitExceeded(
    `Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. Number of decreases today: ${count}. Last decrease at ${calendarText(lastMs)}. Next decrease can be made at ${calendarText(nextDecreaseMs(lastMs))}`,
  )
}

/** An hour later, or on the next day. */
function nextDecreaseMs(lastMs: number): number {
  return Math.min(lastMs + hourMs, (utcDay(lastMs) + 1) * 86_400_000)
}

function unchanged({ readUnits, writeUnits }: Throughput, indexName: string | undefined): Error {
  const subject = indexName === undefined ? 'the table' : `the index ${indexName}`
  const holder = indexName === undefined ? 'the table' : `index ${indexName}`
  return validationException(
    `The provisioned throughput for ${subject} will not change. The requested value equals the current value. ` +
      `Current ReadCapacityUnits provisioned for ${holder}: ${readUnits}. Requested ReadCapacityUnits: ${readUnits}. ` +
      `Current WriteCapacityUnits provisioned for ${holder}: ${writeUnits}. Requested WriteCapacityUnits: ${writeUnits}. ` +
      'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
  )
}

function utcDay(timeMs: number): number {
  return Math.floor(timeMs / 86_400_000)
}

/** Like "Friday, October 9, 2026 at 12:21:34 AM Coordinated Universal Time". */
export function calendarText(timeMs: number): string {
  const time = new Date(timeMs)
  const date = time.toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'full' })
  const clock = time.toLocaleTimeString('en-US', { timeZone: 'UTC', timeStyle: 'medium' })
  return `${date} at ${clock.replaceAll('\u202f', ' ')} Coordinated Universal Time`
}
