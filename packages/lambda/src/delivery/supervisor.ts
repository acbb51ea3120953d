import type { ServiceHost, Stopping } from '@hashrange/engine'
import type { DeliveryHost } from './delivery-host.ts'
import type { Mapping } from './mapping.ts'
import { MappingConsumer } from './mapping-consumer.ts'
import { Wakeup } from './wakeup.ts'

/** How long a new table, shard or mapping of another server may stay unnoticed. */
const scanMs = 500

/** Keeps one consumer for each mapping that is enabled. Until there is one, it does nothing. */
export class Supervisor {
  readonly #host: DeliveryHost
  readonly #background: ServiceHost['background']
  readonly #mappings: () => Promise<readonly Mapping[]>
  readonly #consumers = new Map<string, MappingConsumer>()
  readonly #wakeup = new Wakeup()
  #isRunning = false
  #scans: Promise<void> = Promise.resolve()

  constructor(
    host: DeliveryHost,
    background: ServiceHost['background'],
    mappings: () => Promise<readonly Mapping[]>,
  ) {
    this.#host = host
    this.#background = background
    this.#mappings = mappings
  }

  /** Called when there are mappings, or when there are others than before. */
  start(): void {
    this.#wakeup.wake()
    if (this.#isRunning) return
    this.#isRunning = true
    const { stopping } = this.#background
    stopping.addEventListener('abort', () => this.#stopAll(), { once: true })
    this.#background.run((signal) => this.#run(signal))
  }

  consumerOf(uuid: string): MappingConsumer | undefined {
    return this.#consumers.get(uuid)
  }

  /** One look at all mappings, after those that were asked for before. */
  scan(isUrgent = false): Promise<void> {
    const next = this.#scans.then(() => this.#scan(isUrgent))
    this.#scans = next.catch(() => undefined)
    return next
  }

  /** Resolves when every consumer has seen every change, and those that consumers have made meanwhile. What waits for the
   *  clock is not waited for; if it waits because a function failed, rejects with its error. */
  async settled(): Promise<void> {
    for (let quietRounds = 0; quietRounds < 2;) {
      await this.scan(true)
      const consumers = [...this.#consumers.values()]
      for (const consumer of consumers) consumer.look()
      const isQuiet = await this.#untilQuiet(consumers)
      quietRounds = isQuiet ? quietRounds + 1 : 0
      if (!isQuiet && this.#background.stopping.aborted) throw new Error('The database is closed.')
    }
    for (const consumer of this.#consumers.values()) {
      if (consumer.failure === undefined) continue
      throw new TriggerFailed(consumer.mapping.functionName, consumer.failure.message)
    }
  }

  /** False if another shard may have to be consumed first. */
  async #untilQuiet(consumers: readonly MappingConsumer[]): Promise<boolean> {
    for (let round = 0; round < 200; round++) {
      const quiet = await Promise.all(consumers.map((consumer) => consumer.isQuiet()))
      if (quiet.every(Boolean)) return round === 0 || this.#areQuiet(consumers)
      if (this.#background.stopping.aborted) return false
      await new Promise((resolve) => setTimeout(resolve, round < 20 ? 1 : 10))
    }
    return false
  }

  async #areQuiet(consumers: readonly MappingConsumer[]): Promise<boolean> {
    return (await Promise.all(consumers.map((consumer) => consumer.isQuiet()))).every(Boolean)
  }

  async #run(stopping: Stopping): Promise<void> {
    while (!stopping.aborted) {
      try {
        await this.scan()
      } catch (error) {
        if (!stopping.aborted) this.#host.report(`Triggers could not be read: ${String(error)}`)
      }
      await this.#wakeup.sleep(scanMs)
    }
  }

  async #scan(isUrgent: boolean): Promise<void> {
    if (this.#background.stopping.aborted) return
    const wanted = new Map((await this.#mappings()).map((mapping) => [mapping.uuid, mapping]))
    for (const [uuid, consumer] of this.#consumers) {
      if (wanted.get(uuid)?.revision === consumer.mapping.revision) continue
      consumer.stop()
      this.#consumers.delete(uuid)
      if (!wanted.has(uuid)) this.#host.figures.forget(uuid)
    }
    for (const [uuid, mapping] of wanted) {
      let consumer = this.#consumers.get(uuid)
      if (consumer === undefined) {
        consumer = new MappingConsumer(this.#host, this.#background, mapping, () => this.#wakeup.wake())
        this.#consumers.set(uuid, consumer)
      }
      await consumer.scan(isUrgent)
    }
  }

  #stopAll(): void {
    for (const consumer of this.#consumers.values()) consumer.stop()
    this.#wakeup.wake()
  }
}

/** A function failed, and its batch waits to be tried again. */
class TriggerFailed extends Error {
  override readonly name = 'TriggerFailed'
  constructor(functionName: string, reason: string) {
    super(`The trigger ${functionName} failed, and will be tried again: ${reason}`)
  }
}
