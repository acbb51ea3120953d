import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { PlannedModel } from '../../client/client-functions.ts'
import { migrateTables, verifyMigration, type Upgrade, type Verified } from '../index.ts'
import type { RecordClient } from './record-models.ts'
import type { Planted, Reference, Value } from './reference.ts'

type Client = Pick<DynamoDBClient, 'send'>

export interface OrdealOptions {
  readonly random: () => number
  readonly groups: number
  readonly perGroup: number
  readonly reference: Reference
  /** How long a client rests between two calls. */
  readonly restMs?: number
}

export const groupName = (n: number): string => `g${n}`
const idName = (n: number): string => `r${String(n).padStart(6, '0')}`
const numberIn = (name: string): number => Number(name.slice(1))

/** When a record was made follows from its name, so that its key can be found in every version. */
function timeOf(id: string): string {
  const n = (numberIn(id) * 7919) % 100_000
  return new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString().replace('.000', '')
}

let number = 1_000_000_000
const valueOf = (id: string): Value => ({ at: timeOf(id), n: ++number })

/** So many groups of so many records. */
export function planted(groups: number, perGroup: number): Planted {
  const isIn = (name: string, count: number): boolean => numberIn(name) < count
  return {
    ids: Array.from({ length: perGroup }, (_, i) => idName(i)),
    valueOf: (group, id) =>
      isIn(group, groups) && isIn(id, perGroup)
        ? { at: timeOf(id), n: numberIn(group) * perGroup + numberIn(id) + 1 }
        : undefined,
  }
}

/** Clients of several versions read and write at random until `until` is settled; every answer is judged. */
export async function traffic(
  { random, groups, perGroup, reference, restMs = 0 }: OrdealOptions,
  clients: readonly RecordClient[],
  until: Promise<unknown>,
): Promise<void> {
  const state = { isOver: false }
  const stop = until.then(
    () => (state.isOver = true),
    () => (state.isOver = true),
  )
  const pick = (count: number): number => Math.floor(random() * count)
  const step = async (client: RecordClient): Promise<void> => {
    const group = groupName(pick(groups))
    const id = idName(pick(perGroup + 3))
    const since = reference.tick()
    const kind = pick(10)
    if (kind < 3)
      return judgeList(
        reference,
        client,
        group,
        pick(2) === 0 ? undefined : Math.ceil(perGroup / 6) + pick(perGroup),
      )
    if (kind < 5) {
      const found = await client.get(group, id, { at: timeOf(id), n: 0 })
      return complain(client, reference.judge(group, id, found, since))
    }
    if (client.isReader === true) return
    const value = valueOf(id)
    const isRemoval = kind === 9
    await reference.write(
      group,
      id,
      async (present) => {
        if (present === undefined) await client.create(group, id, value)
        else if (isRemoval) await client.remove(group, id, present)
        else await client.update(group, id, value)
        return undefined
      },
      (present) => (isRemoval && present !== undefined ? undefined : value),
    )
  }
  await Promise.all(
    clients.map(async (client) => {
      do {
        await step(client)
        if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs))
      } while (!state.isOver)
    }),
  )
  await stop
  await until
}

async function judgeList(
  reference: Reference,
  client: RecordClient,
  group: string,
  limit: number | undefined,
): Promise<void> {
  const since = reference.tick()
  const rows = await client.list(group, limit)
  const ids = rows.map(({ id }) => id)
  if (new Set(ids).size !== ids.length) complain(client, `${group} has an item twice: ${ids.join(' ')}`)
  const isByTime = client.name.includes('{at}')
  const order = isByTime ? rows.map(({ at, id }) => at + id) : ids
  const isSorted = order.every((text, i) => i === 0 || text > (order[i - 1] ?? ''))
  if (!isSorted && !client.name.startsWith('ROW')) complain(client, `${group} is not in order: ${order.join(' ')}`)
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const id of new Set([...reference.ids(group), ...ids]))
    complain(client, reference.judge(group, id, found.get(id), since))
}

function complain(client: RecordClient, fault: string | undefined): void {
  if (fault !== undefined) throw new Error(`${client.name}: ${fault}`)
}

/** Runs a migration that dies at random, again and again, until it is through. */
export async function migrateWithDeaths(
  old: PlannedModel,
  fresh: PlannedModel,
  client: Client,
  options: {
    readonly random: () => number
    readonly deaths: number
    readonly requestsPerLife: number
    readonly keeps?: 'both' | 'new'
    readonly upgrade?: Readonly<Record<string, Upgrade>>
  },
): Promise<{ readonly deaths: number; readonly written: number }> {
  for (let deaths = 0; ; deaths++) {
    const life = deaths < options.deaths ? Math.ceil(options.random() * options.requestsPerLife) : Infinity
    try {
      const { keeps, upgrade } = options
      const done = await migrateTables(old, fresh, mortal(client, life), { worker: 'ordeal', keeps, upgrade })
      return { deaths, written: done.written }
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'killed') throw error
    }
  }
}

/** A client that writes nothing. */
export function reading(client: RecordClient): RecordClient {
  return { ...client, name: `${client.name} only reading`, isReader: true }
}

/** A client over a network: requests do not arrive in the order in which they were sent. */
export function delayed(client: Client, random: () => number): Client {
  const send = async (...args: Parameters<Client['send']>): Promise<unknown> => {
    while (random() < 0.5) await new Promise((resolve) => setImmediate(resolve))
    return client.send(...args)
  }
  return { send: send as Client['send'] }
}

/** A client of a service that throttles one of so many requests. */
export function throttled(client: Client, oneOf: number): Client {
  let count = 0
  const send = async (...args: Parameters<Client['send']>): Promise<unknown> => {
    if (++count % oneOf === 0)
      throw Object.assign(new Error('too much'), { name: 'ProvisionedThroughputExceededException' })
    return client.send(...args)
  }
  return { send: send as Client['send'] }
}

/** A client that answers no more after so many requests, whether these have arrived or not. */
function mortal(client: Client, requests: number): Client {
  let left = requests
  const send = async (...args: Parameters<Client['send']>): Promise<unknown> => {
    if (left-- <= 0) throw new Error('killed')
    const answer = await (client.send(...args) as unknown as Promise<unknown>)
    if (left < 0) throw new Error('killed')
    return answer
  }
  return { send: send as Client['send'] }
}

/** Everything is in its new form, and nothing is missing or there twice. */
export async function assertMigrated(
  { groups, reference }: OrdealOptions,
  old: PlannedModel,
  fresh: PlannedModel,
  client: Client,
  alone: RecordClient,
): Promise<Verified> {
  const verified = await verifyMigration(old, fresh, client)
  const [fault] = verified.faults
  if (fault !== undefined) throw new Error(JSON.stringify(fault))
  if (Object.keys(verified.left).length > 0) throw new Error(`left: ${JSON.stringify(verified.left)}`)
  await inParallel(groups, (n) => judgeList(reference, alone, groupName(n), undefined))
  return verified
}

/** Does something for 0, 1, 2 and so on, some of them side by side. */
export async function inParallel(count: number, run: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await run(next++)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}
