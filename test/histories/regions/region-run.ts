import { Randomness } from '../../support/randomness.ts'
import type { Anomaly } from '../checker/anomaly.ts'
import { checkItems } from '../checker/check-items.ts'
import { Caller } from '../clients/caller.ts'
import {
  heldBy,
  ItemClient,
  itemTable,
  itemTableDefinition,
  type ItemHistory,
  type NumberItem,
} from '../clients/item-client.ts'
import { ItemSpace } from '../clients/item-space.ts'
import { Faults, type FaultOptions } from '../faults/faults.ts'
import { scanAll } from '../scan-all.ts'
import type { ServerGroup } from '../servers/server-group.ts'
import { RegionFaults } from './region-faults.ts'

export interface RegionRunOptions {
  readonly seed: number
  readonly clientsPerRegion: number
  readonly faults: FaultOptions
  /** Whether the third region only has a vote. */
  readonly hasWitness: boolean
}

/** Regions are cut off several times a second. */
const regionsEveryMs = 150

const allRegions = ['eu-west-1', 'eu-west-2', 'eu-central-1'] as const

/** Clients of one strongly consistent global table, in all of its regions, while regions are isolated and servers die. */
export class RegionRun {
  readonly faults: Faults
  readonly regionFaults: RegionFaults
  readonly #group: ServerGroup
  readonly #options: RegionRunOptions
  readonly #random: Randomness
  readonly #callers: Caller[] = []
  readonly #unexpected: string[] = []
  readonly #regions: readonly string[]
  #epochs = 0

  private constructor(group: ServerGroup, options: RegionRunOptions) {
    this.#group = group
    this.#options = options
    this.#random = new Randomness(options.seed)
    this.#regions = options.hasWitness ? allRegions.slice(0, 2) : allRegions
    this.faults = new Faults(group, this.#random.fork(), options.faults)
    this.regionFaults = new RegionFaults(group, allRegions, this.#random.fork(), regionsEveryMs)
  }

  /** Makes the table. */
  static async open(group: ServerGroup, options: RegionRunOptions): Promise<RegionRun> {
    const run = new RegionRun(group, options)
    const [home, second, third] = allRegions
    const caller = run.#newCaller(home, 0)
    const { StreamSpecification: _, ...definition } = itemTableDefinition
    await answered(caller, 'CreateTable', definition)
    const create = (RegionName: string): object => ({ Create: { RegionName } })
    await answered(caller, 'UpdateTable', {
      TableName: itemTable,
      MultiRegionConsistency: 'STRONG',
      ...(options.hasWitness
        ? { ReplicaUpdates: [create(second)], GlobalTableWitnessUpdates: [create(third)] }
        : { ReplicaUpdates: [create(second), create(third)] }),
    })
    const isActive = async (): Promise<boolean> => {
      const input = { TableName: itemTable }
      type Described = { Table: { TableStatus: string; MultiRegionConsistency?: string } }
      const { Table } = await caller.insist<Described>('DescribeTable', input)
      if (Table.MultiRegionConsistency === undefined) throw new Error(run.#unexpected.join('\n'))
      return Table.TableStatus === 'ACTIVE'
    }
    while (!(await isActive())) await new Promise((resolve) => setTimeout(resolve, 20))
    run.#unexpected.length = 0
    return run
  }

  /** Has clients in all regions carry out operations, and checks all that was seen. */
  async epoch({ operations, seconds, least = 0 }: RegionLimits): Promise<RegionEpoch> {
    const prefix = `e${this.#epochs++}`
    const history: ItemHistory = {
      space: new ItemSpace(prefix, 6),
      operations: [],
      nextValue: 1,
      hasNoTransactions: true,
    }
    const clients = this.#regions.flatMap((region) =>
      Array.from({ length: this.#options.clientsPerRegion }, (_, n) => {
        const caller = this.#newCaller(region, n)
        return new ItemClient(`${region} ${n}`, caller, history, this.#random.fork())
      }),
    )
    const answeredCount = (): number => history.operations.filter(({ answer }) => answer !== undefined).length
    const endMs = performance.now() + seconds * 1_000
    const isEnough = (): boolean =>
      history.operations.length >= operations || (performance.now() > endMs && answeredCount() >= least)
    let isOver = false
    const disturbing = Promise.all([this.faults.run(() => isOver), this.regionFaults.run(() => isOver)])
    const working = Promise.all(clients.map((client) => until(isEnough, () => client.step())))
    await Promise.race([working, disturbing.then(() => working)])
    isOver = true
    await disturbing
    await this.regionFaults.healAll()
    await this.#lastReads(history)
    const anomalies = [
      ...checkItems(history.operations),
      ...(await this.#differences()),
      ...this.#unexpectedEvents(),
    ]
    for (const caller of this.#callers.splice(0)) caller.close()
    return { anomalies, operations: history.operations.length, answered: answeredCount() }
  }

  close(): void {
    for (const caller of this.#callers.splice(0)) caller.close()
  }

  /** Every item in every region, after all is well again: an acknowledged write that was lost shows here. */
  async #lastReads(history: ItemHistory): Promise<void> {
    for (const region of this.#regions) {
      const client = new ItemClient(`last ${region}`, this.#newCaller(region, 0), history, this.#random.fork())
      for (const key of history.space.keys) {
        // A request that was held back may have isolated a region afterwards.
        while (!(await client.read(key))) await this.regionFaults.healAll()
      }
    }
  }

  /** All replicas are equal at the end. */
  async #differences(): Promise<readonly Anomaly[]> {
    const contents = await Promise.all(
      this.#regions.map(async (region) => {
        const items = await scanAll<NumberItem>(this.#newCaller(region, 0), itemTable)
        const held = items.map((item) => `${item.pk.S} ${heldBy(item)}`).toSorted()
        return JSON.stringify(held)
      }),
    )
    if (new Set(contents).size === 1) return []
    return [
      {
        kind: 'replicas differ',
        explanation: this.#regions.map((name, n) => `${name}: ${contents[n]}`).join('\n'),
      },
    ]
  }

  #newCaller(region: string, first: number): Caller {
    const ports = this.#group.servers.map(({ proxy }) => proxy.port)
    const onUnexpected = (what: string): void => void this.#unexpected.push(what)
    const caller = new Caller({ ports, first, timeoutMs: 2_000, region, onUnexpected })
    this.#callers.push(caller)
    return caller
  }

  #unexpectedEvents(): readonly Anomaly[] {
    const answers = this.#unexpected.splice(0).slice(0, 5)
    const ends = this.#group.servers.flatMap(({ unexpectedEnd }) => unexpectedEnd ?? [])
    return [
      ...answers.map((explanation) => ({ kind: 'unexpected answer', explanation })),
      ...ends.map((explanation) => ({ kind: 'a server ended by itself', explanation })),
    ]
  }
}

/** A part of a run ends after so many operations, or so many seconds, but not before `least` were answered. */
interface RegionLimits {
  readonly operations: number
  readonly seconds: number
  readonly least?: number
}

export interface RegionEpoch {
  readonly anomalies: readonly Anomaly[]
  readonly operations: number
  readonly answered: number
}

async function until(isOver: () => boolean, step: () => Promise<unknown>): Promise<void> {
  while (!isOver()) await step()
}

/** On a busy machine, the answer may be that it has already happened. */
async function answered(caller: Caller, operation: string, input: object): Promise<void> {
  for (;;) {
    const { kind } = await caller.call(operation, input)
    if (kind === 'done' || kind === 'refused') return
  }
}
