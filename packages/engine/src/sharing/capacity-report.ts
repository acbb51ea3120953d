import { isRecord } from '../api/is-record.ts'
import type { HeatTotals } from '../metering/metrics.ts'
import type { StoredRankings } from '../metering/ranked-keys.ts'
import type { Value } from '../store/store.ts'
import type { BucketReport } from './shared-bucket.ts'

/** What a server tells the others of a table or index that it is asked for. ON DISK as JSON; written anew every second, and gone with
 *  the server: another version may read it, and passes over what it cannot. */
export interface CapacityReport {
  /** Rises each time. */
  readonly beat: number
  readonly read: SideReport
  readonly write: SideReport
  /** The busiest, by where they begin and end. */
  readonly partitions: readonly PartitionReport[]
  readonly heat: HeatTotals
  /** The keys that were used most of late. */
  readonly keys: StoredRankings
}

/** Of the table or index as a whole. */
export interface SideReport {
  readonly buckets: readonly BucketReport[]
  /** The previous peak of one on demand. */
  readonly peak?: number
}

export interface PartitionReport {
  readonly from: string
  /** Empty at the end of all keys. */
  readonly to: string
  readonly read: BucketReport
  readonly write: BucketReport
}

export function encodeReport(report: CapacityReport): Value {
  return Buffer.from(JSON.stringify(report))
}

/** Nothing if it cannot be read. */
export function decodeReport(value: Value): CapacityReport | undefined {
  try {
    const raw: unknown = JSON.parse(value.toString('utf8'))
    return isReport(raw) ? raw : undefined
  } catch {
    return undefined
  }
}

function isReport(raw: unknown): raw is CapacityReport {
  if (!isRecord(raw) || typeof raw['beat'] !== 'number') return false
  const { read, write, partitions, heat, keys } = raw
  return (
    isSide(read) &&
    isSide(write) &&
    Array.isArray(partitions) &&
    partitions.every(isPartition) &&
    isRecord(heat) &&
    Object.values(heat).every(Number.isFinite) &&
    isRecord(keys)
  )
}

function isSide(raw: unknown): boolean {
  return isRecord(raw) && Array.isArray(raw['buckets']) && raw['buckets'].every(isBucket)
}

function isPartition(raw: unknown): boolean {
  if (!isRecord(raw)) return false
  return isBoundary(raw['from']) && isBoundary(raw['to']) && isBucket(raw['read']) && isBucket(raw['write'])
}

function isBoundary(raw: unknown): boolean {
  return typeof raw === 'string' && /^(?:[0-9a-f]{2})*$/.test(raw)
}

function isBucket(raw: unknown): boolean {
  return Array.isArray(raw) && raw.length === 4 && raw.every(Number.isFinite)
}
