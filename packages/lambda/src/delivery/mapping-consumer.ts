import { ServiceError } from '@hashrange/core'
import type { Lease, ServiceHost, Stopping } from '@hashrange/engine'
import { readPattern } from '../patterns/read-pattern.ts'
import type { SourceShard } from '../sources/shard-source.ts'
import type { DeliveryHost } from './delivery-host.ts'
import type { Mapping } from './mapping.ts'
import { ShardConsumer } from './shard-consumer.ts'

/** How long to leave a shard alone that another server consumes, or that failed. */
const pauseMs = 1_000

/** Consumes the shards of one mapping: a child when its parent is done, each by one server at a time. */
export class MappingConsumer {
  readonly mapping: Mapping
  readonly #host: DeliveryHost
  readonly #background: ServiceHost['background']
  readonly #consumers = new Map<string, ShardConsumer>()
  /** What this server has to do with shards: those it consumes, and those it tried to. */
  readonly #running = new Set<string>()
  readonly #ended = new Set<string>()
  readonly #triedAtMs = new Map<string, number>()
  readonly #onChange: () => void
  #isStopped = false

  constructor(host: DeliveryHost, background: ServiceHost['background'], mapping: Mapping, onChange: () => void) {
    this.#host = host
    this.#background = background
    this.mapping = mapping
    this.#onChange = onChange
  }

  /** Starts to consume what can be consumed and is not yet. `isUrgent` ignores earlier failures. */
  async scan(isUrgent = false): Promise<void> {
    if (this.#isStopped) return
    const waiting = (await this.#shards()).filter(
      ({ id }) => !this.#running.has(id) && !this.#ended.has(id) && (isUrgent || this.#mayTry(id)),
    )
    if (waiting.length === 0) return
    const progress = await this.mapping.progress.load(this.mapping.uuid)
    for (const [shardId, { isEnded }] of progress) if (isEnded === true) this.#ended.add(shardId)
    for (const { id, parentIds } of waiting) {
      if (this.#ended.has(id) || this.#running.has(id)) continue
      if (!parentIds.every((parentId) => this.#ended.has(parentId))) continue
      this.#start(id)
    }
  }

  /** Asks every shard to look for records. */
  look(): void {
    for (const consumer of this.#consumers.values()) consumer.look()
  }

  /** Whether every shard that can be consumed has led to nothing more since it was asked. */
  async isQuiet(): Promise<boolean> {
    if (![...this.#consumers.values()].every(({ isQuiet }) => isQuiet)) return false
    const shards = await this.#shards()
    return shards.every(
      ({ id, parentIds }) =>
        this.#ended.has(id) || this.#consumers.has(id) || !parentIds.every((parentId) => this.#ended.has(parentId)),
    )
  }

  /** Why something waits to be tried again. */
  get failure(): { readonly message: string } | undefined {
    for (const { failure } of this.#consumers.values()) if (failure !== undefined) return failure
    return undefined
  }

  stop(): void {
    this.#isStopped = true
    for (const consumer of this.#consumers.values()) consumer.stop()
  }

  /** Parents that are gone have passed the horizon. */
  async #shards(): Promise<readonly SourceShard[]> {
    try {
      return await this.mapping.source.shards()
    } catch (error) {
      // The stream is gone, and with it everything there was to deliver.
      if (error instanceof ServiceError) return []
      throw error
    }
  }

  #mayTry(shardId: string): boolean {
    return performance.now() - (this.#triedAtMs.get(shardId) ?? Number.NEGATIVE_INFINITY) > pauseMs
  }

  #start(shardId: string): void {
    this.#running.add(shardId)
    this.#triedAtMs.set(shardId, performance.now())
    this.#background.run(async (stopping) => {
      try {
        await this.#background.hold(`trigger ${this.mapping.uuid} ${shardId}`, stopping, (lease) =>
          this.#consume(shardId, lease, stopping),
        )
      } finally {
        this.#consumers.delete(shardId)
        this.#running.delete(shardId)
        this.#onChange()
      }
    })
  }

  async #consume(shardId: string, lease: Lease, stopping: Stopping): Promise<void> {
    if (this.#isStopped || stopping.aborted) return
    const { mapping } = this
    // Read again under the lease: another server may have come further.
    const progress = (await mapping.progress.load(mapping.uuid)).get(shardId)
    if (progress?.isEnded === true) return void this.#ended.add(shardId)
    const consumer = new ShardConsumer({
      host: this.#host,
      mapping,
      shardId,
      filters: mapping.settings.filters.map((filter) => readPattern(filter)),
      figures: this.#host.figures.of(mapping.uuid, {
        scope: mapping.scope,
        functionName: mapping.functionName,
        sourceArn: mapping.source.arn,
      }),
      progress,
    })
    this.#consumers.set(shardId, consumer)
    await consumer.run(lease)
    if (consumer.isDone) this.#ended.add(shardId)
  }
}
