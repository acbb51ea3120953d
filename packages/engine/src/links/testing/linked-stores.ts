import { TestRegions } from '../../replication/testing/regions.ts'
import type { EngineOptions } from '../../engine-options.ts'
import type { FillRequest, ExchangeRequest } from '../link-messages.ts'
import { Links } from '../links.ts'

const unleased = (regions: TestRegions) => ({
  aborted: false,
  transact: regions.store.transact.bind(regions.store),
})

/** Servers of several regions, each with a store of its own. Nothing is exchanged between them until a test says so. */
export class LinkedStores {
  readonly #stores = new Map<string, { readonly regions: TestRegions; readonly links: Links }>()
  readonly told: string[] = []

  static async open(names: readonly string[], options: Partial<EngineOptions> = {}): Promise<LinkedStores> {
    const linked = new LinkedStores()
    for (const name of names) {
      const regions = await TestRegions.open({
        ...options,
        regionsElsewhere: names.filter((other) => other !== name),
        linkedRegion: name,
      })
      linked.#link(name, regions)
    }
    return linked
  }

  /** Forgets what the server of a region has only in memory about its links. */
  restart(region: string): void {
    this.#link(region, this.in(region))
  }

  in(region: string): TestRegions {
    return this.#of(region).regions
  }

  links(region: string): Links {
    return this.#of(region).links
  }

  /** A request of one server reaches another, and the response is lost on its way back. */
  async exchangeLosingResponse(from: string, to: string): Promise<void> {
    const receiving = this.#of(to)
    const request = await receiving.links.receiver(from, unleased(receiving.regions)).request(0, [])
    await this.#of(from).links.answerExchange(wire(request), new AbortController().signal)
  }

  /** Every server asks every other once, until nobody has anything new. */
  async exchangeAll(rounds = 4): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      for (const to of this.#stores.keys()) {
        for (const from of this.#stores.keys()) if (from !== to) await this.exchange(from, to)
      }
    }
  }

  /** What was written in one region goes to another. */
  async exchange(from: string, to: string): Promise<number> {
    const receiving = this.#of(to)
    const sending = this.#of(from)
    const lease = unleased(receiving.regions)
    const ask = (request: ExchangeRequest): Promise<Buffer> =>
      sending.links.answerExchange(wire(request), new AbortController().signal)
    const received = await receiving.links.exchange(receiving.links.receiver(from, lease), ask, 0)
    for (const table of receiving.links.fillsFrom(from)) {
      const askFill = (request: FillRequest): Promise<Buffer> => sending.links.answerFill(wire(request))
      await receiving.links.fill(table, askFill, lease)
    }
    await receiving.regions.owned.engine.background.idle()
    return received?.changes ?? 0
  }

  /** The time is the same everywhere, unless a test changes that. */
  advance(ms: number): void {
    for (const { regions } of this.#stores.values()) regions.advance(ms)
  }

  async close(): Promise<void> {
    for (const { regions } of this.#stores.values()) await regions.close()
  }

  #link(name: string, regions: TestRegions): void {
    const links = new Links(regions.owned.engine, name, (_about, sentence) => this.told.push(sentence), 0)
    this.#stores.set(name, { regions, links })
  }

  #of(region: string): { readonly regions: TestRegions; readonly links: Links } {
    const found = this.#stores.get(region)
    if (found === undefined) throw new Error(`there is no server of ${region}`)
    return found
  }
}

/** Servers of regions that all have a replica of the table `music`, which was created in the first of them. */
export async function linkedReplicas(names = ['eu-west-1', 'us-east-1']): Promise<LinkedStores> {
  const [first = '', ...others] = names
  const stores = await LinkedStores.open(names)
  await stores.in(first).createGlobalTable('music', [first])
  await stores.in(first).put(first, 'music', { pk: { S: 'before' }, team: { S: 'red' } })
  for (const RegionName of others) {
    await stores
      .in(first)
      .run(first, 'UpdateTable', { TableName: 'music', ReplicaUpdates: [{ Create: { RegionName } }] })
    await stores.exchangeAll()
  }
  return stores
}

/** The status of the table `music` in a region, and what is known there of its other replicas. */
export async function statusIn(stores: LinkedStores, region: string): Promise<readonly string[]> {
  const { Table } = await stores.in(region).run(region, 'DescribeTable', { TableName: 'music' })
  const { TableStatus, Replicas = [] } = Table as {
    TableStatus: string
    Replicas?: { RegionName: string; ReplicaStatus: string }[]
  }
  return [TableStatus, ...Replicas.map((one) => `${one.RegionName} ${one.ReplicaStatus}`).toSorted()]
}

function wire(message: object): Buffer {
  return Buffer.from(`${JSON.stringify(message)}\n`)
}
