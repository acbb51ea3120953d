import type { Catalog } from '../catalog/catalog.ts'
import type { Table } from '../catalog/table.ts'
import type { Clock } from '../clock.ts'
import type { PartitionModel } from '../partitions/partition-model.ts'
import { capacityReportKey, capacityReportRange, readCapacityReportKey } from '../layout/metering-keys.ts'
import type { Meters } from '../metering/meters.ts'
import type { ResourceMeter } from '../metering/resource-meter.ts'
import type { Store, Value, Write } from '../store/store.ts'
import { decodeReport, encodeReport, type CapacityReport } from './capacity-report.ts'
import { elsewhereOf, heatTotalsOf, toldKeysOf } from './heat-elsewhere.ts'
import { LiveReports } from './live-reports.ts'
import { ModelSharing } from './model-sharing.ts'

/** Where there is a server for the report of a table or index, this stands for that the server is there at all. */
const presenceId = 0
/** That a server is there need not be said every second. */
const presenceEvery = 4

/** Servers of one store tell each other, every second, what they are asked for and what they have taken. So each lets in its part of
 *  what a table may take, and each knows how hot it is. One small row for each server and each table or index that is in use;
 *  a server that is alone writes next to nothing. docs/decisions/0048 says how it works and how exact it is. */
export class CapacityExchange {
  readonly #store: Store
  readonly #meters: Meters
  readonly #catalog: Pick<Catalog, 'all'>
  readonly #clock: Clock
  readonly #server: Buffer
  readonly #live: LiveReports
  readonly #sharings = new Map<PartitionModel, ModelSharing>()
  #told = new Set<number>()
  #beat = 0

  /** `server` is eight bytes that no other server has. */
  constructor(store: Store, meters: Meters, catalog: Pick<Catalog, 'all'>, clock: Clock, server: Buffer) {
    this.#store = store
    this.#meters = meters
    this.#catalog = catalog
    this.#clock = clock
    this.#server = server
    this.#live = new LiveReports(server.toString('hex'), presenceId)
  }

  /** Hears what others tell, and tells. To be called every second. */
  async exchange(): Promise<void> {
    const rows = new Map<string, { readonly key: Buffer; readonly value: Value }>()
    await this.#store.view((snapshot) =>
      snapshot.range(capacityReportRange(), (key, value) => {
        const { id, server } = readCapacityReportKey(key)
        rows.set(`${id}/${server}`, { key: Buffer.from(key), value })
        return true
      }),
    )
    const nowMs = this.#clock.now()
    this.#beat++
    const { reports, servers, dead } = this.#live.hear(
      [...rows].map(([name, { value }]) => ({ name, beat: beatOf(value), report: decodeReport(value) })),
    )
    this.#meters.shareWith(this.#live.present)
    this.#meterAll(reports)
    const writes: Write[] = dead.flatMap((name): readonly Write[] => {
      const key = rows.get(name)?.key
      return key === undefined ? [] : [{ kind: 'delete', key }]
    })
    if (servers.length === 0) this.#goAlone(nowMs, writes)
    else this.#meetAll(reports, servers, nowMs, writes)
    if (this.#beat % presenceEvery === 1) writes.push(this.#put(presenceId, Buffer.from(`{"beat":${this.#beat}}`)))
    if (writes.length > 0) await this.#store.transact([], () => ({ writes, answer: undefined }))
  }

  /** Tells that this server will be there no more. */
  async leave(): Promise<void> {
    const writes = [presenceId, ...this.#told].map((id): Write => this.#delete(id))
    await this.#store.transact([], () => ({ writes, answer: undefined }))
  }

  #meetAll(
    reports: ReadonlyMap<number, ReadonlyMap<string, CapacityReport>>,
    servers: readonly string[],
    nowMs: number,
    writes: Write[],
  ): void {
    const rank = servers.filter((server) => server < this.#server.toString('hex')).length
    const told = new Set<number>()
    const sharings = new Set<PartitionModel>()
    for (const [id, meter] of this.#meters.modelled()) {
      const { model } = meter
      if (model === undefined) continue
      const others = reports.get(id) ?? noReports
      const sharing = this.#sharings.get(model) ?? new ModelSharing(model)
      this.#sharings.set(model, sharing)
      sharings.add(model)
      model.delayTicks(rank * tickDelayMs)
      sharing.meet(others, nowMs, this.#live.present)
      meter.elsewhere = elsewhereOf([...others.values()])
      if (others.size > 0) meter.lastUsedMs = nowMs
      if (sharing.demand < leastDemand) continue
      told.add(id)
      writes.push(this.#put(id, encodeReport(this.#reportOf(sharing, meter, nowMs))))
    }
    for (const model of this.#sharings.keys()) if (!sharings.has(model)) this.#sharings.delete(model)
    for (const id of this.#told) if (!told.has(id)) writes.push(this.#delete(id))
    this.#told = told
  }

  /** All there is belongs to this server again. */
  #goAlone(nowMs: number, writes: Write[]): void {
    for (const sharing of this.#sharings.values()) sharing.meet(noReports, nowMs, 1)
    for (const [, meter] of this.#meters.modelled()) {
      meter.elsewhere = undefined
      meter.model?.delayTicks(0)
    }
    this.#sharings.clear()
    for (const id of this.#told) writes.push(this.#delete(id))
    this.#told.clear()
  }

  #reportOf(sharing: ModelSharing, meter: ResourceMeter, nowMs: number): CapacityReport {
    return {
      beat: this.#beat,
      read: sharing.side('read'),
      write: sharing.side('write'),
      partitions: sharing.partitions(),
      heat: heatTotalsOf(meter, nowMs),
      keys: toldKeysOf(meter),
    }
  }

  /** What is in use anywhere is metered here too, so that whoever asks this server sees it. */
  #meterAll(reports: ReadonlyMap<number, unknown>): void {
    const known = new Set([...this.#meters.modelled()].map(([id]) => id))
    const unknown = new Set([...reports.keys()].filter((id) => !known.has(id)))
    if (unknown.size === 0) return
    for (const table of this.#catalog.all()) {
      if (idsOf(table).some((id) => unknown.has(id))) this.#meters.of(table)
    }
  }

  #put(id: number, value: Value): Write {
    return { kind: 'put', key: capacityReportKey(id, this.#server), value }
  }

  #delete(id: number): Write {
    return { kind: 'delete', key: capacityReportKey(id, this.#server) }
  }
}

const noReports: ReadonlyMap<string, CapacityReport> = new Map()
/** Units a second of which nobody need be told. */
const leastDemand = 0.05
/** By then the server before has told what it has divided. */
const tickDelayMs = 3_000

function idsOf({ isDropped, id, definition }: Table): readonly number[] {
  return isDropped ? [] : [id, ...definition.globalIndexes.map(({ indexId }) => indexId)]
}

function beatOf(value: Value): number {
  const [, beat] = /^\{"beat":(\d{1,15})/.exec(value.toString('latin1', 0, 32)) ?? []
  return Number(beat ?? 0)
}
