import { StorageError } from '@hashrange/engine'
import type { Call } from '../connection/link.ts'
import type { LinkPool } from '../connection/link-pool.ts'
import { rethrowAsStorageError } from '../connection/rethrow.ts'
import { LinkLost } from '../connection/sql-error.ts'
import type { WorkerNode } from './worker-node.ts'

export interface MissingNodesOptions {
  /** Connections to the coordinator. */
  readonly readers: LinkPool
  /** A statement that all nodes take part in. */
  readonly call: Call
  readonly nodes: () => readonly WorkerNode[]
}

/** Looks for nodes of Citus that do not answer, in less time than whoever asks for it waits. */
export class MissingNodes {
  readonly #options: MissingNodesOptions
  #asking: Promise<string | undefined> | undefined
  #lateUntilMs = Number.NEGATIVE_INFINITY

  constructor(options: MissingNodesOptions) {
    this.#options = options
  }

  /** What is missing, in a sentence. A node that is silent keeps the coordinator waiting too, so the nodes are asked
   *  first. */
  async find(): Promise<string | undefined> {
    const silent = await this.#silentNode()
    if (silent !== undefined) {
      const { host, port } = silent.address
      return `The node ${host}:${port} of the database does not answer.`
    }
    if (performance.now() < this.#lateUntilMs) return late
    this.#asking ??= this.#askAll().finally(() => (this.#asking = undefined))
    return this.#asking
  }

  async #silentNode(): Promise<WorkerNode | undefined> {
    const nodes = this.#options.nodes()
    const areSilent = await Promise.all(nodes.map((node) => node.isSilentFor(withinMs)))
    return nodes.find((_, position) => areSilent[position])
  }

  /** One statement through the coordinator. If a node keeps it waiting, the coordinator itself is not to blame; but it may
   *  be stuck with the statement, so it is not asked again soon. */
  async #askAll(): Promise<string | undefined> {
    const { readers, call } = this.#options
    const link = await readers.acquire(true)
    const overdue = setTimeout(() => link.destroy(), withinMs)
    try {
      const [error] = await link.run([call])
      if (error !== undefined) rethrowAsStorageError(error)
      return undefined
    } catch (error) {
      if (error instanceof StorageError && error.code === 'unavailable') return error.message
      if (!(error instanceof LinkLost)) throw error
      this.#lateUntilMs = performance.now() + lateMs
      return late
    } finally {
      clearTimeout(overdue)
      readers.release(link)
    }
  }
}

const late = 'Not all nodes of the database answer.'
const withinMs = 800
const lateMs = 10_000
