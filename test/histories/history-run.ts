import { Randomness } from '../support/randomness.ts'
import { Archive } from './archive.ts'
import type { Anomaly } from './checker/anomaly.ts'
import { checkEpoch, type EpochHistory } from './checker/check-epoch.ts'
import type { ItemRecord } from './checker/check-item-stream.ts'
import type { ListRecord } from './checker/check-list-stream.ts'
import { Caller } from './clients/caller.ts'
import {
  heldBy,
  ItemClient,
  itemTable,
  itemTableDefinition,
  type ItemHistory,
  type NumberItem,
} from './clients/item-client.ts'
import { ItemSpace } from './clients/item-space.ts'
import { ListClient, type ListHistory } from './clients/list-client.ts'
import { listTable, listTableDefinition, poolIndex, valuesOf, type ListItem } from './clients/list-requests.ts'
import { ListSpace } from './clients/list-space.ts'
import { Faults, type FaultOptions } from './faults/faults.ts'
import { scanAll } from './scan-all.ts'
import type { ServerGroup } from './servers/server-group.ts'
import { StreamFollower } from './stream-follower.ts'

export interface RunOptions {
  readonly seed: number
  readonly clients: number
  readonly faults: FaultOptions
}

/** A part of a run ends after so many transactions, or so many seconds, but not before `least` transactions. */
export interface EpochLimits {
  readonly transactions: number
  readonly seconds?: number
  readonly least?: number
}

export interface Epoch {
  readonly history: EpochHistory
  readonly anomalies: readonly Anomaly[]
  readonly committed: number
}

/** Clients of one group of servers, part after part. */
export class HistoryRun {
  readonly faults: Faults
  readonly #group: ServerGroup
  readonly #random: Randomness
  readonly #options: RunOptions
  readonly #callers: Caller[] = []
  readonly #archive = new Archive()
  readonly #unexpected: string[] = []
  #listRecords: ListRecord[] = []
  #itemRecords: ItemRecord[] = []
  #streams: readonly StreamFollower<never>[] = []
  #current: ListHistory | undefined
  #epochs = 0
  #nextValue = 1
  #nextToken = Math.floor(Math.random() * 2 ** 31)

  private constructor(group: ServerGroup, options: RunOptions) {
    this.#group = group
    this.#options = options
    this.#random = new Randomness(options.seed)
    this.faults = new Faults(group, this.#random.fork(), options.faults)
  }

  /** Makes the tables. */
  static async open(group: ServerGroup, options: RunOptions): Promise<HistoryRun> {
    const run = new HistoryRun(group, options)
    const caller = run.#newCaller(0)
    for (const definition of [listTableDefinition, itemTableDefinition])
      await caller.insist('CreateTable', definition, 'ResourceInUseException')
    run.#streams = [
      await StreamFollower.open<ListItem>(run.#newCaller(0), listTable, ({ dynamodb }) => {
        run.#listRecords.push({ key: dynamodb.Keys['pk']?.['S'] ?? '', values: valuesOf(dynamodb.NewImage) })
      }),
      await StreamFollower.open<NumberItem>(run.#newCaller(1), itemTable, ({ dynamodb }) => {
        const { Keys, OldImage, NewImage } = dynamodb
        run.#itemRecords.push({ key: Keys['pk']?.['S'] ?? '', before: heldBy(OldImage), after: heldBy(NewImage) })
      }),
    ]
    return run
  }

  /** Has clients commit transactions, with faults, and checks all that was seen. `also` happens meanwhile. */
  async epoch(limits: EpochLimits, also?: () => Promise<void>): Promise<Epoch> {
    const { transactions, seconds = Infinity, least = 0 } = limits
    const prefix = `e${this.#epochs++}`
    const lists: ListHistory = {
      space: new ListSpace(prefix, Math.max(2, Math.ceil(this.#options.clients / 8))),
      transactions: [],
      committed: 0,
      nextValue: this.#nextValue,
      nextToken: this.#nextToken,
    }
    this.#current = lists
    const items: ItemHistory = { space: new ItemSpace(prefix, 6), operations: [], nextValue: 1 }
    const clients = this.#newClients(lists, items)
    const endMs = performance.now() + seconds * 1_000
    const isEnough = (): boolean =>
      lists.committed >= transactions || (performance.now() > endMs && lists.committed >= least)
    let isOver = false
    const disturbing = this.faults.run(() => isOver)
    const following = this.#streams.map((stream) => stream.follow(() => isOver))
    const beside = Promise.all([disturbing, ...following])
    const working = Promise.all([also?.(), ...clients.map((client) => until(isEnough, () => client.step()))])
    // Clients would wait for ever for a server that does not start any more.
    await Promise.race([working, beside.then(() => working)])
    isOver = true
    await beside
    await this.#lastReads(lists, items)
    for (const stream of this.#streams) await stream.readAll()
    this.#nextValue = lists.nextValue
    this.#nextToken = lists.nextToken
    const late = this.#takeRecords(`${prefix}-`)
    const history: EpochHistory = {
      transactions: lists.transactions,
      operations: items.operations,
      ...late.records,
    }
    const anomalies = [...checkEpoch(history), ...late.anomalies, ...this.#unexpectedEvents()]
    this.#archive.add(history)
    return { history, anomalies, committed: lists.committed }
  }

  /** What the part under way has committed so far. */
  get committed(): number {
    return this.#current?.committed ?? 0
  }

  /** Compares all lists and items of all parts with what they were. */
  async lastLook(): Promise<readonly Anomaly[]> {
    const caller = this.#newCaller(0)
    const lists = async (IndexName?: string): Promise<ReadonlyMap<string, readonly number[]>> => {
      const found = await scanAll<ListItem>(caller, listTable, IndexName)
      return new Map(found.map((item) => [item.pk.S, valuesOf(item)]))
    }
    const items = await scanAll<NumberItem>(caller, itemTable)
    return [
      ...this.#archive.checkLists(await lists()),
      ...this.#archive.checkLists(await lists(poolIndex)),
      ...this.#archive.checkItems(new Map(items.map((item) => [item.pk.S, heldBy(item)]))),
      ...this.#unexpectedEvents(),
    ]
  }

  close(): void {
    for (const caller of this.#callers) caller.close()
  }

  #newCaller(first: number): Caller {
    const ports = this.#group.servers.map(({ proxy }) => proxy.port)
    const onUnexpected = (what: string): void => void this.#unexpected.push(what)
    const caller = new Caller({ ports, first, timeoutMs: 2_000, onUnexpected })
    this.#callers.push(caller)
    return caller
  }

  /** Three quarters work on lists, one quarter on single items. */
  #newClients(lists: ListHistory, items: ItemHistory): readonly { step(): Promise<unknown> }[] {
    return Array.from({ length: this.#options.clients }, (_, n) => {
      const [name, caller, random] = [`c${n}`, this.#callerOf(n), this.#random.fork()]
      return n % 4 === 3 ? new ItemClient(name, caller, items, random) : new ListClient(name, caller, lists, random)
    })
  }

  #callerOf(client: number): Caller {
    const own = this.#ownCallers.get(client) ?? this.#newCaller(client)
    this.#ownCallers.set(client, own)
    return own
  }

  readonly #ownCallers = new Map<number, Caller>()

  /** The last word on every list and item, after all that was asked for has ended. Without it, less could be proven. */
  async #lastReads(lists: ListHistory, items: ItemHistory): Promise<void> {
    const pools = [...lists.space.pools]
    const keys = [...items.space.keys]
    await Promise.all(
      Array.from({ length: Math.min(8, this.#options.clients) }, async (_, n) => {
        const [name, caller, random] = [`last${n}`, this.#callerOf(n), this.#random.fork()]
        const list = new ListClient(name, caller, lists, random)
        for (let pool = pools.pop(); pool !== undefined; pool = pools.pop()) {
          while ((await list.readTogether(pool.keys)) === undefined);
          while ((await list.readPool(pool)) === undefined);
        }
        const item = new ItemClient(name, caller, items, random)
        for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
          while (!(await item.read(key)));
        }
      }),
    )
  }

  /** Those of this part; the others are of answers that came when nobody waited for them any more. */
  #takeRecords(prefix: string): {
    readonly records: Pick<EpochHistory, 'listRecords' | 'itemRecords'>
    readonly anomalies: readonly Anomaly[]
  } {
    const isOwn = ({ key }: { readonly key: string }): boolean => key.startsWith(prefix)
    const [listRecords, itemRecords] = [this.#listRecords, this.#itemRecords]
    this.#listRecords = []
    this.#itemRecords = []
    return {
      records: { listRecords: listRecords.filter(isOwn), itemRecords: itemRecords.filter(isOwn) },
      anomalies: listRecords
        .filter((record) => !isOwn(record))
        .flatMap((record) => this.#archive.checkLate(record)),
    }
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

async function until(isOver: () => boolean, step: () => Promise<unknown>): Promise<void> {
  while (!isOver()) await step()
}
