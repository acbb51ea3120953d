import { PartitionModel, type CapacitySettings } from '../../partitions/partition-model.ts'
import type { CapacityReport } from '../capacity-report.ts'
import { ModelSharing } from '../model-sharing.ts'

const noHeat = {
  readUnitsPerSecond: 0,
  writeUnitsPerSecond: 0,
  readThrottles: 0,
  writeThrottles: 0,
  readWouldThrottles: 0,
  writeWouldThrottles: 0,
}

interface Server {
  readonly name: string
  readonly model: PartitionModel
  readonly sharing: ModelSharing
  nextExchangeMs: number
  beat: number
  /** Units that are asked for and not yet sent. */
  due: number
}

/** Models of one table on several servers, which exchange what they know about once a second, each when it comes to it. Time and
 *  chance are the test's. */
export class SharedModels {
  readonly #servers: readonly Server[]
  readonly #reports = new Map<string, CapacityReport>()
  readonly #random: () => number
  readonly #stepMs: number
  nowMs: number
  /** Whether keys are remembered, so that partitions can be divided by them. */
  sample = false

  constructor(settings: CapacitySettings, count: number, seed: number, stepMs = 10) {
    this.#random = seeded(seed)
    this.#stepMs = stepMs
    this.nowMs = Date.UTC(2026, 0, 1)
    this.#servers = Array.from({ length: count }, (_, position) => {
      const model = new PartitionModel(settings, this.nowMs, this.nowMs)
      model.shareTo(1 / count, this.nowMs)
      model.delayTicks(position * 3_000)
      return {
        name: `server ${position}`,
        model,
        sharing: new ModelSharing(model),
        nextExchangeMs: this.nowMs + Math.floor(this.#random() * 1_000),
        beat: 0,
        due: 0,
      }
    })
  }

  get models(): readonly PartitionModel[] {
    return this.#servers.map(({ model }) => model)
  }

  /** For so many seconds each server is asked for so many writes of one unit a second, of keys that `key` gives. Tells how many were let
   *  in, in each second. */
  load(seconds: number, asked: readonly number[], key: (random: number) => Uint8Array): readonly number[] {
    return Array.from({ length: seconds }, () => {
      let letIn = 0
      for (let ms = 0; ms < 1_000; ms += this.#stepMs) {
        this.nowMs += this.#stepMs
        for (const [position, server] of this.#servers.entries())
          letIn += this.#send(server, asked[position] ?? 0, key)
        for (const server of this.#servers) if (this.nowMs >= server.nextExchangeMs) this.#exchange(server)
      }
      return letIn
    })
  }

  /** Time passes, and nobody asks for anything. */
  pause(seconds: number): void {
    this.load(
      seconds,
      this.#servers.map(() => 0),
      () => new Uint8Array(21),
    )
  }

  #send(server: Server, asked: number, key: (random: number) => Uint8Array): number {
    const { model } = server
    // Requests come as they like.
    server.due += asked * (this.#stepMs / 1_000) * 2 * this.#random()
    let letIn = 0
    for (; server.due >= 1; server.due--) {
      const sent = key(this.#random())
      const partition = model.partitionOf(sent)
      if (model.admits('write', partition, this.nowMs)) {
        model.charge('write', partition, 1, this.nowMs)
        partition.use.count('write', 1, Math.floor(this.nowMs / 1_000))
        letIn++
      } else model.refuse('write', partition, 1)
      if (this.sample) partition.sample(sent, 1, this.nowMs)
    }
    model.tick(this.nowMs)
    return letIn
  }

  #exchange(server: Server): void {
    const others = new Map([...this.#reports].filter(([name]) => name !== server.name))
    server.sharing.meet(others, this.nowMs, this.#servers.length)
    server.nextExchangeMs = this.nowMs + 1_000 + Math.floor(this.#random() * 50)
    if (server.sharing.demand < 0.05) {
      this.#reports.delete(server.name)
      return
    }
    this.#reports.set(server.name, {
      beat: ++server.beat,
      read: server.sharing.side('read'),
      write: server.sharing.side('write'),
      partitions: server.sharing.partitions(),
      heat: noHeat,
      keys: {},
    })
  }
}

function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
