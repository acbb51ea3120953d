import { StorageError, type Key } from '@hashrange/engine'
import type { Client } from 'pg'
import type { Placement } from '../reads/placement.ts'
import type { PoolFigures } from '../connection/link-pool.ts'
import type { DirectNodes } from '../reads/view-snapshot.ts'
import { isElsewhere } from '../connection/sql-error.ts'
import { loadShardMap, type NodeAddress, type ShardMap } from './shard-map.ts'
import type { WorkerNode } from './worker-node.ts'

export interface WorkerNodesOptions {
  /** To the coordinator. */
  readonly connect: () => Promise<Client>
  readonly schema: string
  readonly shards: number
  readonly placement: Placement
  readonly timeoutMs: number
  readonly newNode: (address: NodeAddress, map: () => ShardMap) => WorkerNode
}

/** The nodes of Citus to which this server connects itself. What is on one node goes to that node; for everything else,
 *  and while a node cannot be reached, there is the coordinator. */
export class WorkerNodes implements DirectNodes {
  readonly #options: WorkerNodesOptions
  #map: ShardMap = { nodes: [], parts: [], anchors: new Map() }
  #nodes: readonly WorkerNode[] = []
  readonly #byGroup = new Map<number, WorkerNode>()
  #loading: Promise<void> | undefined
  #isClosed = false
  readonly #timer: NodeJS.Timeout

  constructor(options: WorkerNodesOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.refresh(), refreshMs)
    this.#timer.unref()
  }

  get nodes(): readonly WorkerNode[] {
    return this.#nodes
  }

  get pools(): Readonly<Record<string, PoolFigures>> {
    return Object.fromEntries(
      this.#nodes.flatMap(({ address: { host, port }, figures }) => [
        [`reads of ${host}:${port}`, figures.reads],
        [`writes of ${host}:${port}`, figures.writes],
      ]),
    )
  }

  /** One of our shards for each part of the tables; none if that is not known. */
  async shardOfEachPart(): Promise<readonly number[]> {
    await this.refresh()
    const { parts } = this.#map
    if (parts.length !== this.#options.shards || parts.includes(undefined)) return []
    return [...new Map(parts.map((part, shard) => [part?.suffixes.entries, shard])).values()]
  }

  /** The part of the tables that has a shard, if that is known. */
  partOf(shard: number): string | undefined {
    return this.#map.parts[shard]?.suffixes.entries
  }

  /** The coordinator would wait for a silent node, with its locks on the others, for longer than anybody waits. */
  refusalOf(shard: number): StorageError | undefined {
    const group = this.#map.parts[shard]?.group
    const node = group === undefined ? undefined : this.#byGroup.get(group)
    if (node?.isSilent !== true) return undefined
    const { host, port } = node.address
    return new StorageError('unavailable', `The node ${host}:${port} of the database does not answer.`)
  }

  /** The node that has all the keys, if one has. */
  nodeOf(keys: readonly Key[]): WorkerNode | undefined {
    const { placement } = this.#options
    let group: number | undefined
    for (const key of keys) {
      if (placement.isCopied(key)) continue
      if (placement.isCounter(key) && placement.isScattered(key)) return undefined
      const its = this.#map.parts[placement.shardOf(key)]?.group
      if (its === undefined || (group !== undefined && its !== group)) return undefined
      group = its
    }
    return this.#usable(group)
  }

  nodesOf(shards: readonly number[]): ReadonlyMap<WorkerNode, readonly number[]> | undefined {
    const byNode = new Map<WorkerNode, number[]>()
    for (const shard of shards) {
      const node = this.#usable(this.#map.parts[shard]?.group)
      if (node === undefined) return undefined
      const own = byNode.get(node)
      if (own === undefined) byNode.set(node, [shard])
      else own.push(shard)
    }
    return byNode
  }

  /** A node could not do what it was asked for: perhaps something has moved. */
  noteFailure(cause: unknown): void {
    if (isElsewhere(cause)) void this.refresh()
  }

  /** Asks the coordinator where everything is. */
  refresh(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined))
    return this.#loading
  }

  async idle(): Promise<void> {
    await Promise.all(this.#nodes.map(({ commits }) => commits.idle()))
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const node of this.#nodes) node.close()
  }

  #usable(group: number | undefined): WorkerNode | undefined {
    const node = group === undefined ? undefined : this.#byGroup.get(group)
    // One that is silent refuses at once. Through the coordinator, each request would wait for it.
    return node?.isUp === true || node?.isSilent === true ? node : undefined
  }

  /** While it fails, the last map is as good as before: nodes know what they have. */
  async #load(): Promise<void> {
    if (this.#isClosed) return
    const { connect, schema, shards, timeoutMs } = this.#options
    let client: Client | undefined
    try {
      client = await connect()
      await client.query("SELECT set_config('statement_timeout', $1, false)", [String(timeoutMs)])
      this.#use(await loadShardMap(client, schema, shards, this.#map.nodes))
    } catch {
      // The coordinator does not answer. Whoever needs it learns why.
    } finally {
      void client?.end().catch(() => undefined)
    }
  }

  #use(map: ShardMap): void {
    if (this.#isClosed) return
    this.#map = map
    const nodes = map.nodes
      .filter(({ systemIdentifier }) => systemIdentifier !== undefined)
      .map((address) => {
        const before = this.#byGroup.get(address.group)
        return before !== undefined && isSame(before.address, address)
          ? before
          : this.#options.newNode(address, () => this.#map)
      })
    const gone = this.#nodes.filter((node) => !nodes.includes(node))
    this.#nodes = nodes
    this.#byGroup.clear()
    for (const node of nodes) this.#byGroup.set(node.address.group, node)
    for (const node of gone) void node.commits.idle().then(() => node.close())
  }
}

const refreshMs = 10_000

function isSame(a: NodeAddress, b: NodeAddress): boolean {
  return a.group === b.group && a.host === b.host && a.port === b.port && a.systemIdentifier === b.systemIdentifier
}
