import { KeyBoundary } from '../partitions/key-boundary.ts'
import type { Partition } from '../partitions/partition.ts'
import { partitionUnitsPerSecond, type Side } from '../partitions/partition-limits.ts'
import type { PartitionModel } from '../partitions/partition-model.ts'
import { OnDemandThroughput } from '../partitions/throughput.ts'
import type { TokenBucket } from '../partitions/token-bucket.ts'
import type { CapacityReport, PartitionReport, SideReport } from './capacity-report.ts'
import { SharedBucket, type BucketReport } from './shared-bucket.ts'

type Reports = ReadonlyMap<string, CapacityReport>

const sides = ['read', 'write'] as const

/** A server tells of so many partitions of a table or index, and of none that is nearly idle: what it does not tell of is below
 *  what could matter. */
const partitionsTold = 64
const leastUse = 0.02

/** Shares the model of one table or index with other servers: what it may give out, where it was divided, and what was used
 *  elsewhere. */
export class ModelSharing {
  readonly #model: PartitionModel
  readonly #shared = new Map<TokenBucket, SharedBucket>()

  constructor(model: PartitionModel) {
    this.#model = model
  }

  /** Takes in what others have told, by server. */
  meet(reports: Reports, nowMs: number, present: number): void {
    this.#divide(reports, nowMs)
    const before = new Set(this.#shared.keys())
    for (const side of sides) this.#meetWhole(side, reports, nowMs, present)
    this.#meetPartitions(reports, nowMs, present)
    for (const bucket of this.#current()) before.delete(bucket)
    // Of partitions that were divided since.
    for (const bucket of before) this.#shared.delete(bucket)
  }

  /** How much is asked of this server, of the whole. */
  get demand(): number {
    return sides.reduce((sum, side) => sum + (this.#demandOf(this.#model.throughput(side).buckets[0]) ?? 0), 0)
  }

  side(side: Side): SideReport {
    const throughput = this.#model.throughput(side)
    return {
      buckets: throughput.buckets.flatMap((bucket) => {
        const report = this.#shared.get(bucket)?.report()
        return report === undefined ? [] : [report]
      }),
      ...(throughput instanceof OnDemandThroughput && { peak: throughput.growth.previousPeak }),
    }
  }

  partitions(): readonly PartitionReport[] {
    return this.#model.partitions
      .map((partition) => ({ partition, use: this.#useOf(partition) }))
      .filter(({ use }) => use >= leastUse)
      .toSorted((a, b) => b.use - a.use)
      .slice(0, partitionsTold)
      .flatMap(({ partition: { from, to, read, write } }) => {
        const reads = this.#shared.get(read)?.report()
        const writes = this.#shared.get(write)?.report()
        if (reads === undefined || writes === undefined) return []
        return [{ from: from.hex, to: to?.hex ?? '', read: reads, write: writes }]
      })
  }

  /** Others have divided what they tell of. */
  #divide(reports: Reports, nowMs: number): void {
    const known = new Set(this.#model.partitions.map(({ from }) => from.hex))
    for (const { partitions } of reports.values()) {
      for (const { from, to } of partitions) {
        for (const hex of [from, to]) {
          if (hex === '' || known.has(hex)) continue
          this.#model.divideAt(KeyBoundary.fromHex(hex), nowMs)
          known.add(hex)
        }
      }
    }
  }

  #meetWhole(side: Side, reports: Reports, nowMs: number, present: number): void {
    const throughput = this.#model.throughput(side)
    const shared = throughput.buckets.map((bucket) => this.#sharedOf(bucket, nowMs))
    for (const [position, bucket] of shared.entries())
      bucket.meet(bucketsAt(reports, side, position), nowMs, present)
    if (!(throughput instanceof OnDemandThroughput)) return
    const peaks = [...reports.values()].map((report) => report[side].peak ?? 0)
    throughput.growth.hearOf(Math.max(0, ...peaks), shared[0]?.elsewherePerSecond ?? 0)
  }

  #meetPartitions(reports: Reports, nowMs: number, present: number): void {
    const told = new Map<string, Map<string, PartitionReport>>()
    for (const [server, { partitions }] of reports) {
      for (const one of partitions) {
        const name = `${one.from}-${one.to}`
        const byServer = told.get(name) ?? new Map<string, PartitionReport>()
        told.set(name, byServer.set(server, one))
      }
    }
    const second = Math.floor(nowMs / 1000)
    for (const partition of this.#model.partitions) {
      const others = told.get(`${partition.from.hex}-${partition.to?.hex ?? ''}`)
      // Nobody uses it, here or elsewhere: there is nothing to share.
      if (others === undefined && !partition.isUsed && !this.#shared.has(partition.read)) continue
      for (const side of sides) {
        const shared = this.#sharedOf(partition.bucket(side), nowMs)
        const buckets = new Map([...(others ?? [])].map(([server, one]) => [server, one[side]] as const))
        shared.meet(buckets, nowMs, present)
        if (shared.takenElsewhere > 0) partition.countElsewhere(side, shared.takenElsewhere, second)
      }
    }
  }

  #useOf(partition: Partition): number {
    return sides.reduce((sum, side) => {
      const demand = this.#demandOf(partition.bucket(side)) ?? 0
      return sum + demand / partitionUnitsPerSecond(side)
    }, 0)
  }

  #demandOf(bucket: TokenBucket | undefined): number | undefined {
    return bucket && this.#shared.get(bucket)?.demand
  }

  #sharedOf(bucket: TokenBucket, nowMs: number): SharedBucket {
    let shared = this.#shared.get(bucket)
    if (shared === undefined) {
      shared = new SharedBucket(bucket, nowMs)
      this.#shared.set(bucket, shared)
    }
    return shared
  }

  *#current(): Iterable<TokenBucket> {
    for (const side of sides) {
      yield* this.#model.throughput(side).buckets
      for (const partition of this.#model.partitions) yield partition.bucket(side)
    }
  }
}

function bucketsAt(reports: Reports, side: Side, position: number): ReadonlyMap<string, BucketReport> {
  const buckets = new Map<string, BucketReport>()
  for (const [server, report] of reports) {
    const bucket = report[side].buckets[position]
    if (bucket !== undefined) buckets.set(server, bucket)
  }
  return buckets
}
