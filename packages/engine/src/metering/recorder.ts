import type { Stopping } from '../work/background-work.ts'
import type { Transacting } from '../catalog/transact-on-tables.ts'
import type { MetricStore } from './metric-store.ts'
import type { Meters } from './meters.ts'
import type { ClosedRow, ResourceName } from './resource-meter.ts'
import { forgetModels, saveModels, type StoredModel } from './stored-models.ts'

/** Writes what the meters have counted to the store, minute by minute. */
export class Recorder {
  readonly #meters: Meters
  readonly #store: MetricStore
  readonly #engine: Transacting
  readonly #saved = new Map<number, string>()

  constructor(meters: Meters, store: MetricStore, engine: Transacting) {
    this.#meters = meters
    this.#store = store
    this.#engine = engine
  }

  /** Stores the completed minutes; at the end, also the current one. */
  async flush(nowMs: number, final = false): Promise<void> {
    await this.#store.inTurn(async () => {
      const rows: (ClosedRow & { readonly name: ResourceName })[] = []
      const counts = new Map<ClosedRow[], number>()
      for (const meter of this.#meters.all()) {
        meter.settle(nowMs, final)
        if (meter.closed.length === 0) continue
        counts.set(meter.closed, meter.closed.length)
        for (const { minute, row } of meter.closed) rows.push({ minute, row, name: meter.name })
      }
      if (rows.length === 0) return
      await this.#store.add(rows)
      // Minutes that were completed meanwhile come after those that were stored.
      for (const [closed, count] of counts) closed.splice(0, count)
      await this.#saveModels(nowMs)
    })
    this.#meters.evict(nowMs)
  }

  async trim(nowMs: number, stopping: Stopping): Promise<void> {
    await this.#store.inTurn(() => this.#store.trim(nowMs, stopping))
    await forgetModels(this.#engine)
  }

  async #saveModels(nowMs: number): Promise<void> {
    const changed: StoredModel[] = []
    for (const model of this.#meters.states(nowMs)) {
      const { atMs: _, ...rest } = model.state
      const text = JSON.stringify(rest)
      if (this.#saved.get(model.id) === text) continue
      this.#saved.set(model.id, text)
      changed.push(model)
    }
    await saveModels(this.#engine, changed)
  }
}
