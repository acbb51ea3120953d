import { capacitySettings, indexCapacitySettings } from '../partitions/capacity-settings.ts'
import { PartitionModel, type CapacitySettings, type ModelState } from '../partitions/partition-model.ts'
import { throttlingOf, type Throttling } from '../partitions/throttling.ts'
import type { Table } from '../catalog/table.ts'
import type { IndexDefinition, KeySchema, TableDefinition } from '../definitions/table-definition.ts'
import type { Clock } from '../clock.ts'
import type { Scope } from '../scope.ts'
import { settingsOf } from './constant-metrics.ts'
import { ResourceMeter } from './resource-meter.ts'
import type { StoredModel } from './stored-models.ts'

/** A table's meters and its global indexes', as of one definition. */
export interface TableMeters {
  readonly handle: Table
  readonly definition: TableDefinition
  readonly throttling: Throttling
  readonly table: ResourceMeter
  readonly indexes: ReadonlyMap<number, ResourceMeter>
}

/** How long a meter may be idle before its memory is given back. */
const idleMs = 10 * 60_000

/** The meters of all that is in use. What has been idle for a while is forgotten here, once it is stored. */
export class Meters {
  readonly #clock: Clock
  readonly #throttling: Throttling
  readonly #tables = new Map<number, TableMeters>()
  readonly #meters = new Map<string, ResourceMeter>()
  /** By the identifier of the table or index that its model is about. */
  readonly #modelled = new Map<number, ResourceMeter>()
  readonly #states: Map<number, ModelState>
  /** Mostly one request is about the same table as the one before. */
  #last: TableMeters | undefined
  readonly #rankingItems = new Set<string>()

  constructor(clock: Clock, throttling: Throttling, states: ReadonlyMap<number, ModelState>) {
    this.#clock = clock
    this.#throttling = throttling
    this.#states = new Map(states)
  }

  /** A lookup on every request, which makes nothing in the usual case. */
  of(table: Table): TableMeters {
    const { definition } = table
    if (this.#last?.definition === definition) return this.#last
    const known = this.#tables.get(definition.tableId)
    this.#last = known?.definition === definition ? known : this.#refresh(table)
    return this.#last
  }

  /** What a table's partitions have grown to, if anything is known of them. */
  grownTo(id: number): { readonly read: number; readonly write: number } | undefined {
    const nowMs = this.#clock.now()
    const model = this.#modelled.get(id)?.model
    if (model !== undefined) return { read: model.capacity('read', nowMs), write: model.capacity('write', nowMs) }
    const state = this.#states.get(id)
    if (state === undefined) return undefined
    return { read: 2 * (state.read.previousPeak ?? 0), write: 2 * (state.write.previousPeak ?? 0) }
  }

  ofAccount(scope: Scope): ResourceMeter {
    return this.#meter(scope, undefined, undefined)
  }

  /** The meter by its names, if anything was counted of late. */
  find(scope: Scope, tableName: string | undefined, indexName: string | undefined): ResourceMeter | undefined {
    return this.#meters.get(nameKey(scope, tableName, indexName))
  }

  all(): Iterable<ResourceMeter> {
    return this.#meters.values()
  }

  /** The state of each model that is in use, to be stored. */
  *states(nowMs: number): Iterable<StoredModel> {
    for (const { handle, table, indexes } of this.#tables.values()) {
      for (const { model, modelId: id } of [table, ...indexes.values()]) {
        if (model !== undefined && id !== undefined) yield { table: handle, id, state: model.state(nowMs) }
      }
    }
  }

  *models(): Iterable<readonly [id: number, model: PartitionModel]> {
    for (const [id, { model }] of this.#modelled) if (model !== undefined) yield [id, model]
  }

  /** Whether single items are ranked; remembered while the meter itself is not there. */
  rankItems(scope: Scope, tableName: string, indexName: string | undefined, on: boolean): void {
    const name = nameKey(scope, tableName, indexName)
    if (on) this.#rankingItems.add(name)
    else this.#rankingItems.delete(name)
    const meter = this.#meters.get(name)
    if (meter !== undefined) meter.ranksItems = on
  }

  /** Forgets what has been idle for long and has nothing left to be stored. */
  evict(nowMs: number): void {
    this.#last = undefined
    const kept = new Set<ResourceMeter>()
    for (const [id, meters] of this.#tables) {
      const mine = [meters.table, ...meters.indexes.values()]
      if (mine.every((meter) => isIdle(meter, nowMs))) this.#tables.delete(id)
      else for (const meter of mine) kept.add(meter)
    }
    for (const [name, meter] of this.#meters) {
      if (kept.has(meter) || !isIdle(meter, nowMs)) continue
      this.#meters.delete(name)
      const { model, modelId } = meter
      if (model === undefined || modelId === undefined) continue
      this.#states.set(modelId, model.state(nowMs))
      this.#modelled.delete(modelId)
    }
  }

  /** A table was dropped: what it was used for stays, but nothing will be asked about its partitions again. */
  forget(id: number): void {
    const meters = this.#tables.get(id)
    for (const meter of meters === undefined ? [] : [meters.table, ...meters.indexes.values()]) {
      if (meter.modelId !== undefined) this.#modelled.delete(meter.modelId)
      meter.model = undefined
      meter.modelId = undefined
    }
    this.#last = undefined
    this.#tables.delete(id)
    this.#states.delete(id)
  }

  #refresh(handle: Table): TableMeters {
    const { definition } = handle
    const { accountId, region, tableName, tableId } = definition
    const scope = { accountId, region }
    const since = definition.createdAtMs
    const nowMs = this.#clock.now()
    const table = this.#meter(scope, tableName, undefined)
    this.#fit(table, tableId, definition.keySchema, capacitySettings(definition), since)
    table.set(settingsOf(definition, undefined), nowMs)
    const indexes = new Map<number, ResourceMeter>()
    for (const index of definition.globalIndexes) {
      const meter = this.#meter(scope, tableName, index.indexName)
      this.#fit(meter, index.indexId, index.keySchema, indexCapacitySettings(definition, index), since)
      meter.set(settingsOf(definition, index.indexName), nowMs)
      indexes.set(index.indexId, meter)
    }
    this.#forgetDropped(this.#tables.get(tableId), indexes)
    const meters = { handle, definition, throttling: throttlingOf(definition, this.#throttling), table, indexes }
    this.#tables.set(tableId, meters)
    return meters
  }

  /** Of an index that was dropped, what it was used for stays. */
  #forgetDropped(before: TableMeters | undefined, indexes: ReadonlyMap<number, ResourceMeter>): void {
    for (const [id, meter] of before?.indexes ?? []) {
      if (indexes.has(id)) continue
      this.#modelled.delete(id)
      // Another index may have the name by now, and with it the meter.
      if (meter.modelId !== id) continue
      meter.model = undefined
      meter.modelId = undefined
    }
  }

  #fit(meter: ResourceMeter, id: number, keySchema: KeySchema, settings: CapacitySettings, sinceMs: number): void {
    const nowMs = this.#clock.now()
    meter.keySchema = keySchema
    if (meter.model !== undefined && meter.modelId === id) {
      meter.model.configure(settings, nowMs)
      return
    }
    // A table of the same name that was there before.
    if (meter.modelId !== undefined) this.#modelled.delete(meter.modelId)
    meter.model = new PartitionModel(settings, nowMs, sinceMs, this.#states.get(id))
    this.#states.delete(id)
    meter.modelId = id
    this.#modelled.set(id, meter)
  }

  #meter(scope: Scope, tableName: string | undefined, indexName: string | undefined): ResourceMeter {
    const name = nameKey(scope, tableName, indexName)
    let meter = this.#meters.get(name)
    if (meter === undefined) {
      meter = new ResourceMeter({ scope, tableName, indexName })
      meter.lastUsedMs = this.#clock.now()
      meter.ranksItems = this.#rankingItems.has(name)
      this.#meters.set(name, meter)
    }
    return meter
  }
}

/** Reads and writes of a local index are its table's. */
export function meterOf(meters: TableMeters, index: IndexDefinition | undefined): ResourceMeter {
  if (index === undefined || index.kind === 'local') return meters.table
  return meters.indexes.get(index.indexId) ?? meters.table
}

function isIdle(meter: ResourceMeter, nowMs: number): boolean {
  return nowMs - meter.lastUsedMs > idleMs && meter.closed.length === 0 && meter.open.row.isEmpty
}

function nameKey({ accountId, region }: Scope, tableName = '', indexName = ''): string {
  return `${accountId}\0${region}\0${tableName}\0${indexName}`
}
