import type { LinkedServers } from './linked-servers.ts'

type Plain = Readonly<Record<string, unknown>>

/** A write that a client sent. */
interface Sent {
  readonly pk: string
  /** What it wrote; undefined if it deleted the item. */
  readonly w: string | undefined
  readonly startMs: number
  /** Infinity if its outcome is not known. */
  readonly endMs: number
}

const TableName = 'things'
/** The clocks of the servers are the same, but each reads it now and then. */
const clockErrorMs = 100

/** Writes to servers of three regions while they are killed and cut off from each other, and what must come of it. */
export class Ordeal {
  readonly #servers: LinkedServers
  readonly #next: (below: number) => number
  readonly #sent: Sent[] = []
  #writes = 0
  kills = 0
  cuts = 0

  constructor(servers: LinkedServers, next: (below: number) => number) {
    this.#servers = servers
    this.#next = next
  }

  get writes(): number {
    return this.#writes
  }

  async prepare(region: string): Promise<void> {
    await this.#servers.call(region, 'CreateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'team'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'teams',
          KeySchema: [{ AttributeName: 'team', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    })
  }

  /** Asks for a replica, and waits until it is there. Its server may crash as soon as the table is there, and is
   *  started again. */
  async addReplica(from: string, RegionName: string, withCrash = false): Promise<void> {
    await this.#servers.call(from, 'UpdateTable', { TableName, ReplicaUpdates: [{ Create: { RegionName } }] })
    if (withCrash) {
      await this.#until(() => this.#hasTable(RegionName))
      await this.#servers.kill(RegionName)
      await this.#servers.startServer(RegionName)
    }
    await this.#until(async () => {
      const { Table } = await this.#servers.call<{ Table: { TableStatus: string } }>(from, 'DescribeTable', {
        TableName,
      })
      return Table.TableStatus === 'ACTIVE'
    })
  }

  async #hasTable(region: string): Promise<boolean> {
    return this.#servers.call(region, 'DescribeTable', { TableName }).then(
      () => true,
      () => false,
    )
  }

  /** Random writes to the regions, several at a time. */
  async write(regions: readonly string[], count: number, keys: number): Promise<void> {
    const writer = async (): Promise<void> => {
      for (let n = 0; n < count / 8; n++) await this.#writeOne(regions[this.#next(regions.length)] ?? '', keys)
    }
    await Promise.all(Array.from({ length: 8 }, writer))
  }

  /** Kills a server, or cuts or deadens a wire; and mends what was broken before. */
  async disturb(regions: readonly string[]): Promise<void> {
    const one = regions[this.#next(regions.length)] ?? ''
    const other = regions.filter((region) => region !== one)[this.#next(regions.length - 1)] ?? ''
    const chance = this.#next(4)
    if (chance === 0 && this.#servers.isRunning(one)) {
      this.kills++
      await this.#servers.kill(one)
    } else if (chance === 1) await this.#servers.heal()
    else {
      this.cuts++
      if (chance === 2) this.#servers.wire(one, other).cut()
      else this.#servers.wire(one, other).die()
    }
  }

  /** Resolves when nothing is left to be sent. */
  async converge(): Promise<void> {
    await this.#servers.heal()
    await this.#until(async () => {
      const reports = await Promise.all(this.#servers.regions.map((region) => this.#servers.report(region)))
      return reports.every(({ links }) => links.length === 2 && links.every(({ pending }) => pending === 0))
    })
  }

  /** What is wrong with the replicas: they must be the same, and each item must be of a write that none is later than. */
  async faults(): Promise<readonly string[]> {
    const faults: string[] = []
    const [first = '', ...others] = this.#servers.regions
    const items = await this.#servers.items(first, TableName)
    for (const region of this.#servers.regions) {
      const own = region === first ? items : await this.#servers.items(region, TableName)
      if (text(own) !== text(items)) faults.push(`${region} differs from ${first}: ${difference(own, items)}`)
      const inTeams = Object.fromEntries(Object.entries(own).filter(([, { team }]) => team !== undefined))
      const index = await this.#servers.items(region, TableName, 'teams')
      if (text(index) !== text(inTeams))
        faults.push(`the index in ${region} differs: ${difference(index, inTeams)}`)
    }
    if (others.length === 0) faults.push('there is only one region')
    return [...faults, ...this.#unexplained(items)]
  }

  #unexplained(items: Readonly<Record<string, Plain>>): readonly string[] {
    const byKey = new Map<string, Sent[]>()
    for (const sent of this.#sent) byKey.set(sent.pk, [...(byKey.get(sent.pk) ?? []), sent])
    return [...byKey].flatMap(([pk, all]) => {
      const known = all.filter(({ endMs }) => endMs !== Infinity)
      const latestMs = Math.max(0, ...known.map(({ startMs }) => startMs))
      const possible = all.filter(({ endMs }) => endMs + clockErrorMs >= latestMs)
      const found = (items[pk]?.['w'] as { S: string } | undefined)?.S
      if (possible.some(({ w }) => w === found) || (known.length === 0 && found === undefined)) return []
      return [
        `${pk} is ${found ?? 'gone'}, and should be one of ${possible.map(({ w }) => w ?? 'gone').join(', ')}`,
      ]
    })
  }

  async #writeOne(region: string, keys: number): Promise<void> {
    const pk = `k${this.#next(keys)}`
    const w = String(++this.#writes)
    const kind = ['put', 'put', 'update', 'delete'][this.#next(4)] ?? 'put'
    const team = this.#next(2) === 0 ? {} : { team: { S: `t${this.#next(3)}` } }
    const startMs = Date.now()
    const record = (endMs: number): number =>
      this.#sent.push({ pk, w: kind === 'delete' ? undefined : w, startMs, endMs })
    try {
      const { Attributes } = await this.#servers.call(region, ...requestOf(kind, pk, w, team))
      // Deleting what is not there is no write.
      if (kind !== 'delete' || Attributes !== undefined) record(Date.now())
    } catch {
      if (this.#servers.isRunning(region)) record(Infinity)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async #until(isTrue: () => Promise<boolean>): Promise<void> {
    const endMs = Date.now() + 150_000
    while (!(await isTrue().catch(() => false))) {
      if (Date.now() > endMs) throw new Error('it has not come about in 150 seconds')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

function requestOf(kind: string, pk: string, w: string, team: object): readonly [string, object] {
  const Key = { pk: { S: pk } }
  if (kind === 'put') return ['PutItem', { TableName, Item: { ...Key, w: { S: w }, ...team } }]
  if (kind === 'delete') return ['DeleteItem', { TableName, Key, ReturnValues: 'ALL_OLD' }]
  const ExpressionAttributeValues = { ':w': { S: w } }
  return ['UpdateItem', { TableName, Key, UpdateExpression: 'SET w = :w, updated = :w', ExpressionAttributeValues }]
}

function text(items: Readonly<Record<string, Plain>>): string {
  return JSON.stringify(
    Object.entries(items)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([pk, item]) => [pk, Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1))]),
  )
}

function difference(one: Readonly<Record<string, Plain>>, other: Readonly<Record<string, Plain>>): string {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  const differing = [...keys].filter((pk) => text({ pk: one[pk] ?? {} }) !== text({ pk: other[pk] ?? {} }))
  return differing
    .slice(0, 3)
    .map((pk) => `${pk}: ${JSON.stringify(one[pk])} / ${JSON.stringify(other[pk])}`)
    .join('; ')
}
