import { capacitySettings, indexCapacitySettings } from '../partitions/capacity-settings.ts'
import { PartitionModel, type CapacitySettings, type ModelState } from '../partitions/partition-model.ts'
import { throttlingOf, type Throttling } from '../partitions/throttling.ts'
import type { Table } from '../catalog/table.ts'
import type { IndexDefinition, KeySchema, TableDefinition } from '../definitions/table-definition.ts'
import type { Clock } from '../clock.ts'
import type { Scope } from '../scope.ts'
import { settingsOf } from './constant-metrics.ts'
import { linkName } from './metric-names.ts'
import { ResourceMeter } from './resource-meter.ts'
import type { StoredModel } from './stored-models.ts'

/** The meters of a table and its global indexes, for one definition. */
export interface TableMeters {
  readonly handle: Table
  readonly definition: TableDefinition
  readonly throttling: Throttling
  readonly table: ResourceMeter
  readonly indexes: ReadonlyMap<number, ResourceMeter>
}

/** How long a meter may be idle before its memory is released. */
const idleMs = 10 * 60_000

/** The meters of everything in use. Idle meters are forgotten once they are stored. */
export class Meters {
  readonly #clock: Clock
  readonly #throttling: Throttling
  readonly #tables = new Map<number, TableMeters>()
  readonly #meters = new Map<string, ResourceMeter>()
  /** By the identifier of the table or index of its model. */
  readonly #modelled = new Map<number, ResourceMeter>()
  readonly #states: Map<number, ModelState>
  /** Most requests are for the same table as the previous one. */
  #last: TableMeters | undefined
  readonly #rankingItems = new Set<string>()
  #servers = 1

  constructor(clock: Clock, throttling: Throttling, states: ReadonlyMap<number, ModelState>) {
    this.#clock = clock
    this.#throttling = throttling
    this.#states = new Map(states)
  }

  /** A lookup on every request, which usually allocates nothing. */
  of(table: Table): TableMeters {
    const { definition } = table
    if (this.#last?.definition === definition) return this.#last
    const known = this.#tables.get(definition.tableId)
    this.#last = known?.definition === definition ? known : this.#refresh(table)
    return this.#last
  }

  /** What a table's partitions have grown to, if it is known. */
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

  /** What a replica sends to another region. */
  ofLink({ accountId, region, tableName }: TableDefinition, toRegion: string): ResourceMeter {
    const meter = this.#meter({ accountId, region }, tableName, linkName(toRegion))
    meter.lastUsedMs = this.#clock.now()
    return meter
  }

  /** The meter by its names, if anything was counted recently. */
  find(scope: Scope, tableName: string | undefined, indexName: string | undefined): ResourceMeter | undefined {
    return this.#meters.get(nameKey(scope, tableName, indexName))
  }

  all(): Iterable<ResourceMeter> {
    return this.#meters.values()
  }

  /** The state of each model in use, to be stored. */
  *states(nowMs: number): Iterable<StoredModel> {
    for (const { handle, table, indexes } of this.#tables.values()) {
      for (const { model, modelId: id } of [table, ...indexes.values()]) {
        if (model !== undefined && id !== undefined) yield { table: handle, id, state: model.state(nowMs) }
      }
    }
  }

  /** What has a model, by the identifier of the table or index. */
  modelled(): Iterable<readonly [id: number, meter: ResourceMeter]> {
    return this.#modelled
  }

  /** Sets how many servers there are. Each has an even part of what comes into use from now on, until it knows better. */
  shareWith(servers: number): void {
    this.#servers = servers
  }

  *models(): Iterable<readonly [id: number, model: PartitionModel]> {
    for (const [id, { model }] of this.#modelled) if (model !== undefined) yield [id, model]
  }

  /** Whether single items are ranked; remembered even while the meter does not exist. */
  rankItems(scope: Scope, tableName: string, indexName: string | undefined, on: boolean): void {
    const name = nameKey(scope, tableName, indexName)
    if (on) this.#rankingItems.add(name)
    else this.#rankingItems.delete(name)
    const meter = this.#meters.get(name)
    if (meter !== undefined) meter.ranksItems = on
  }

  /** Forgets meters that have been idle for long and have nothing left to store. */
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

  /** A table was deleted: its recorded usage stays, but nobody will ask for its partitions again. */
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

  /** The recorded usage of a deleted index stays. */
  #forgetDropped(before: TableMeters | undefined, indexes: ReadonlyMap<number, ResourceMeter>): void {
    for (const [id, meter] of before?.indexes ?? []) {
      if (indexes.has(id)) continue
      this.#modelled.delete(id)
      // Another index may have the name, and so the meter, by now.
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
    // A previous table with the same name.
    if (meter.modelId !== undefined) this.#modelled.delete(meter.modelId)
    meter.model = new PartitionModel(settings, nowMs, sinceMs, this.#states.get(id))
    if (this.#servers > 1) meter.model.shareTo(1 / this.#servers, nowMs)
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

/** Reads and writes of a local index belong to its table. */
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
