import { expect, test } from 'vitest'
import { seededNumbers } from '../backups/testing/owned-engine.ts'
import { keySpace } from '../layout/key-space.ts'
import type { Store } from '../store/store.ts'
import { DyingStore } from '../testing/dying-store.ts'
import { openSharedTestStore, openTestStoreAgain } from '../testing/open-test-store.ts'
import { NaiveReplicas } from './testing/naive-replicas.ts'
import { TestRegions } from './testing/regions.ts'
import { forgetTombstones } from './tombstones.ts'

const names = ['eu-west-1', 'us-east-2', 'ap-northeast-1'] as const
const seed = Number(process.env['HASHRANGE_SEED'])
const steps = Number(process.env['HASHRANGE_STEPS'] ?? 100)

type Plain = Readonly<Record<string, unknown>>

/** Three regions under random writes, isolation, lag and crashes, and what a naive reference makes of the same. */
class Ordeal {
  readonly #next: (below: number) => number
  readonly #openStore: () => Promise<Store>
  readonly reference = new NaiveReplicas()
  regions: TestRegions
  #store: DyingStore
  #nowMs = Date.UTC(2026, 0, 2)
  #writes = 0

  private constructor(openStore: () => Promise<Store>, regions: TestRegions, store: DyingStore, ofSeed: number) {
    this.#openStore = openStore
    this.regions = regions
    this.#store = store
    this.#next = seededNumbers(ofSeed)
  }

  static async begin(ofSeed: number, openStore: () => Promise<Store>): Promise<Ordeal> {
    const store = new DyingStore(await openStore())
    const regions = await TestRegions.open({ store, leaseMs: 100 })
    const ordeal = new Ordeal(openStore, regions, store, ofSeed)
    await regions.createGlobalTable('things', [names[0], names[1]])
    await regions.run(names[0], 'UpdateTimeToLive', {
      TableName: 'things',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'ends' },
    })
    await regions
      .run(names[1], 'UpdateTimeToLive', {
        TableName: 'things',
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'ends' },
      })
      .catch(() => undefined)
    return ordeal
  }

  async run(count: number): Promise<void> {
    for (let step = 0; step < count; step++) {
      if (step === Math.floor(count / 3))
        await this.regions.addReplica(names[this.#next(2)] ?? names[0], 'things', names[2])
      await this.#step(step > count / 3 ? 3 : 2)
    }
  }

  async #step(regionCount: number): Promise<void> {
    const region = names[this.#next(regionCount)] ?? names[0]
    const pk = `k${this.#next(12)}`
    const chance = this.#next(100)
    if (this.#next(3) > 0) this.#pass(1 + this.#next(40))
    if (chance < 35) await this.#write(region, pk, 'put')
    else if (chance < 50) await this.#write(region, pk, 'update')
    else if (chance < 65) await this.#write(region, pk, 'delete')
    else if (chance < 70) await this.#expire()
    else if (chance < 78) await this.regions.owned.engine.regions.change(region, this.#condition())
    else if (chance < 81) await this.#crash()
    else if (chance < 83) this.#pass(400_000)
    else if (chance < 85) await forgetTombstones(this.regions.owned.engine, { aborted: false })
    else await this.#replicate()
  }

  #condition(): object {
    const isIsolated = this.#next(3) === 0 ? true : undefined
    const lagMs = this.#next(3) === 0 ? this.#next(200) : undefined
    return { isIsolated, lagMs }
  }

  #pass(ms: number): void {
    this.#nowMs += ms
    this.regions.owned.clock.nowMs = this.#nowMs
  }

  async #write(region: string, pk: string, kind: 'put' | 'update' | 'delete'): Promise<void> {
    const w = { N: String(++this.#writes) }
    const team = this.#next(2) === 0 ? {} : { team: { S: `t${this.#next(3)}` } }
    const ends =
      this.#next(4) === 0 ? { ends: { N: String(Math.floor(this.#nowMs / 1000) + this.#next(300)) } } : {}
    const before = await this.regions.get(region, 'things', pk)
    const Key = { pk: { S: pk } }
    let after: Plain | undefined
    if (kind === 'put') {
      after = { ...Key, w, ...team, ...ends }
      await this.regions.put(region, 'things', after)
    } else if (kind === 'update') {
      const { Attributes } = await this.regions.run(region, 'UpdateItem', {
        TableName: 'things',
        Key,
        UpdateExpression: 'SET w = :w, #r = :w',
        ExpressionAttributeNames: { '#r': region },
        ExpressionAttributeValues: { ':w': w },
        ReturnValues: 'ALL_NEW',
      })
      after = Attributes as Plain
    } else await this.regions.run(region, 'DeleteItem', { TableName: 'things', Key })
    // Deleting what is not there is no write.
    if (before !== undefined || after !== undefined) this.reference.write(region, pk, this.#nowMs, after)
  }

  /** What a sweep deletes is known from what is missing afterwards. */
  async #expire(): Promise<void> {
    const { engine } = this.regions.owned
    const tables = [...engine.catalog.all()].map(({ definition }) => definition.region)
    const before = new Map<string, Record<string, Plain>>()
    for (const region of tables) before.set(region, await this.regions.items(region, 'things'))
    await engine.expireItems()
    for (const [region, items] of before) {
      const left = await this.regions.items(region, 'things')
      for (const pk of Object.keys(items)) {
        if (left[pk] === undefined) this.reference.write(region, pk, this.#nowMs, undefined)
      }
    }
  }

  /** Time passes with it, so that what a region writes afterwards is later than what it got. */
  async #replicate(): Promise<void> {
    await this.regions.replicate()
    this.#pass(1)
  }

  /** Kills the process in the middle of sending, and starts another. */
  async #crash(): Promise<void> {
    const { engine } = this.regions.owned
    this.#store.dieAfter(this.#next(4), this.#next(2) === 0)
    await engine.replicate()
    this.#store.die()
    await engine.background.stop()
    this.#pass(1)
    const dead = this.#store
    this.#store = new DyingStore(await this.#openStore())
    await dead.close()
    this.regions = await TestRegions.open({ store: this.#store, leaseMs: 100 }, this.#nowMs)
  }

  async heal(): Promise<void> {
    const { engine } = this.regions.owned
    for (const region of names) {
      await engine.regions.change(region, { isIsolated: undefined, lagMs: undefined })
    }
    // A lease of a process that was killed must run out first.
    await expect
      .poll(async () => {
        await this.regions.replicate()
        return (await engine.replicationReport()).links.filter(({ pending }) => pending > 0)
      })
      .toEqual([])
  }

  contents(region: string, index?: string): Promise<Record<string, Plain>> {
    return this.regions.items(region, 'things', index)
  }
}

test.each([
  ['that servers share', openSharedTestStore],
  ['of one server, which follows what is written', openTestStoreAgain],
])('in a store %s, replicas converge to what the timestamps say, whatever happens', async (_, prepare) => {
  const ordeal = await Ordeal.begin(seed, await prepare())
  await ordeal.run(steps)
  await ordeal.heal()
  const expected = ordeal.reference.items()
  const inTeams = Object.fromEntries(Object.entries(expected).filter(([, { team }]) => team !== undefined))
  for (const region of names) {
    expect(await ordeal.contents(region), region).toEqual(expected)
    expect(await ordeal.contents(region, 'teams'), region).toEqual(inTeams)
  }
  ordeal.regions.advance(8_000_000)
  await forgetTombstones(ordeal.regions.owned.engine, { aborted: false })
  let tombstones = 0
  await ordeal.regions.store.view((snapshot) =>
    snapshot.range({ from: Buffer.of(keySpace.tombstone), to: Buffer.of(keySpace.tombstone + 1) }, () => {
      tombstones++
      return true
    }),
  )
  expect(tombstones).toBe(0)
  await ordeal.regions.close()
})
