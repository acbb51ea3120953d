import { expect, test } from 'vitest'
import { seededNumbers } from '../backups/testing/owned-engine.ts'
import type { Conflict, ConflictingWrite } from '../replication/conflicts.ts'
import { LinkedStores } from './testing/linked-stores.ts'

const names = ['eu-west-1', 'us-east-1', 'ap-northeast-1'] as const
const steps = Number(process.env['HASHRANGE_STEPS'] ?? 100)
const seed = Number(process.env['HASHRANGE_SEED'])
const TableName = 'music'

/** A write of a client, and all others of the item that its region had known before. */
interface Written {
  readonly region: string
  readonly atMs: number
  readonly isDeletion: boolean
  readonly knew: ReadonlySet<Written>
}

/** What each region knows of one item. */
class NaiveItem {
  readonly all: Written[] = []
  readonly #last = new Map<string, Written>()
  readonly #known = new Map<string, Set<Written>>()

  last(region: string): Written | undefined {
    return this.#last.get(region)
  }

  write(region: string, atMs: number, isDeletion: boolean): void {
    const written: Written = { region, atMs, isDeletion, knew: new Set(this.#known.get(region)) }
    this.all.push(written)
    this.#take(region, written)
  }

  /** Each region sends its own writes; the later one stays. */
  exchange(from: string, to: string): void {
    const sent = this.#last.get(from)
    const there = this.#last.get(to)
    if (sent?.region !== from || (there !== undefined && there.atMs >= sent.atMs)) return
    this.#take(to, sent)
  }

  #take(region: string, written: Written): void {
    this.#last.set(region, written)
    this.#known.set(region, new Set([...(this.#known.get(region) ?? []), ...written.knew, written]))
  }
}

test('all conflicts are told, and none that is not one', async () => {
  const next = seededNumbers(seed)
  const stores = await LinkedStores.open(names)
  await stores.in(names[0]).createGlobalTable(TableName, [names[0]])
  for (const RegionName of names.slice(1)) {
    await stores
      .in(names[0])
      .run(names[0], 'UpdateTable', { TableName, ReplicaUpdates: [{ Create: { RegionName } }] })
    await stores.exchangeAll()
  }
  const items = Array.from({ length: 5 }, () => new NaiveItem())
  for (let step = 0; step < steps; step++) {
    // No two writes are of the same time, so that a time names a write.
    stores.advance(1 + next(5))
    const region = names[next(3)] ?? names[0]
    const other = names[next(3)] ?? names[0]
    if (next(5) < 2) {
      if (other === region) continue
      await stores.exchange(region, other)
      for (const item of items) item.exchange(region, other)
      continue
    }
    const number = next(items.length)
    const item = items[number]
    // Some items are never deleted: of two deletions, none is lost.
    const isDeletion = next(4) === 0 && number % 2 === 0
    const before = item?.last(region)
    if (isDeletion && (before === undefined || before.isDeletion)) continue
    const Key = { pk: { S: String(number) } }
    if (isDeletion) await stores.in(region).run(region, 'DeleteItem', { TableName, Key })
    else await stores.in(region).put(region, TableName, { ...Key, step: { N: String(step) }, team: { S: region } })
    item?.write(region, stores.in(region).owned.clock.nowMs, isDeletion)
  }
  await stores.exchangeAll()
  for (let round = 0; round < 3; round++) {
    for (const from of names)
      for (const to of names) for (const item of items) if (from !== to) item.exchange(from, to)
  }
  const told: Conflict[] = []
  for (const region of names) told.push(...(await stores.in(region).owned.engine.conflicts()))

  const faults: string[] = []
  for (const [number, item] of items.entries()) {
    const find = ({ region, at }: ConflictingWrite): Written | undefined =>
      item.all.find((one) => one.region === region && one.atMs === at.getTime())
    const losers = new Set<Written>()
    for (const { winner, loser } of told.filter(({ key }) => JSON.stringify(key['pk']) === `{"S":"${number}"}`)) {
      const [won, lost] = [find(winner), find(loser)]
      if (won === undefined || lost === undefined) faults.push(`${number}: of writes that nobody made`)
      else if (won.knew.has(lost) || lost.knew.has(won) || won.atMs < lost.atMs)
        faults.push(`${number}: ${text(won)} and ${text(lost)} are no conflict`)
      else losers.add(lost)
    }
    const final = item.last(names[0])
    const toldOf = (one: Written): boolean =>
      losers.has(one) ||
      [...losers].some((loser) => loser.knew.has(one)) ||
      isDeletedBy(item.all, one, losers, final)
    for (const one of item.all) {
      if (one === final || final?.knew.has(one) === true || toldOf(one)) continue
      faults.push(`${number}: ${text(one)} was lost to ${final === undefined ? '' : text(final)}, and is not told`)
    }
  }
  expect(faults).toEqual([])
  expect(told.length).toBeGreaterThan(0)
  await stores.close()
})

/** Two regions that delete an item do not contradict each other. */
function isDeletedBy(
  all: readonly Written[],
  one: Written,
  losers: ReadonlySet<Written>,
  final: Written | undefined,
): boolean {
  const deletions = all.filter((other) => other.isDeletion && (other === one || other.knew.has(one)))
  return deletions.some(() =>
    all.some(
      (other) =>
        other.isDeletion &&
        !deletions.includes(other) &&
        (other === final || final?.knew.has(other) === true || [...losers].some((loser) => loser.knew.has(other))),
    ),
  )
}

function text({ region, atMs, isDeletion }: Written): string {
  return `${isDeletion ? 'the deletion' : 'the write'} of ${region} at ${atMs}`
}
