import type { Lease, RecordSpace, Scope } from '@hashrange/engine'
import type { ShardProgress } from '../mappings/mapping-record.ts'

/** Where it is kept how far a mapping has come. */
export interface ProgressStore {
  load(mapping: string): Promise<ReadonlyMap<string, ShardProgress>>
  /** Only the server that consumes the shard can. */
  save(lease: Lease, progress: ShardProgress): Promise<void>
  /** The first progress of a mapping; what is there stays. */
  begin(progress: readonly ShardProgress[]): Promise<void>
  forget(mapping: string): Promise<void>
}

/** In the store of the database: durable, and shared by all servers. */
export class StoredProgress implements ProgressStore {
  readonly #records: RecordSpace<ShardProgress>
  readonly #scope: Scope

  constructor(records: RecordSpace<ShardProgress>, scope: Scope) {
    this.#records = records
    this.#scope = scope
  }

  async load(mapping: string): Promise<ReadonlyMap<string, ShardProgress>> {
    const found = await this.#records.list(this.#scope, [mapping])
    return new Map(found.map((progress) => [progress.shardId, progress]))
  }

  async save(lease: Lease, progress: ShardProgress): Promise<void> {
    const write = this.#records.put(this.#scope, [progress.mapping, progress.shardId], progress)
    await lease.transact([], () => ({ writes: [write], answer: undefined }))
  }

  async begin(progress: readonly ShardProgress[]): Promise<void> {
    for (const one of progress) {
      await this.#records.change(this.#scope, [one.mapping, one.shardId], (current) => current ?? one)
    }
  }

  async forget(mapping: string): Promise<void> {
    for (const shardId of (await this.load(mapping)).keys())
      await this.#records.change(this.#scope, [mapping, shardId], () => undefined)
  }
}

/** In memory, for a consumer that lives no longer than the process. */
export class RememberedProgress implements ProgressStore {
  readonly #progress = new Map<string, ShardProgress>()

  load(): Promise<ReadonlyMap<string, ShardProgress>> {
    return Promise.resolve(this.#progress)
  }

  save(_lease: Lease, progress: ShardProgress): Promise<void> {
    this.#progress.set(progress.shardId, progress)
    return Promise.resolve()
  }

  begin(progress: readonly ShardProgress[]): Promise<void> {
    for (const one of progress) if (!this.#progress.has(one.shardId)) this.#progress.set(one.shardId, one)
    return Promise.resolve()
  }

  forget(): Promise<void> {
    this.#progress.clear()
    return Promise.resolve()
  }
}
