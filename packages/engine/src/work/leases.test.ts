import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StoreAbove } from '../store/store-above.ts'
import type { Store } from '../store/store.ts'
import { openSharedTestStore } from '../testing/open-test-store.ts'
import { LeaseLost, Leases, type Lease } from './leases.ts'

const running = { aborted: false }
const leaseMs = 200
let stores: Store[]
let one: Leases
let other: Leases

beforeEach(async () => {
  const open = await openSharedTestStore()
  stores = [await open(), await open()]
  let count = 0
  const [first, second] = stores.map((store) => new Leases(store, leaseMs, () => `holder-${++count}`))
  if (first === undefined || second === undefined) throw new Error('there are two stores')
  one = first
  other = second
})

afterEach(async () => {
  for (const store of stores) await store.close()
})

describe('a lease', () => {
  test('is held by one server at a time, and free afterwards', async () => {
    let refused: boolean | undefined
    const isBegun = await one.hold('work', running, async () => {
      refused = !(await other.hold('work', running, () => Promise.resolve()))
    })
    expect([isBegun, refused]).toEqual([true, true])
    expect(await other.hold('work', running, () => Promise.resolve())).toBe(true)
  })

  test('is kept for as long as its holder is alive', async () => {
    await one.hold('work', running, async (lease) => {
      const start = performance.now()
      while (performance.now() - start < 3 * leaseMs) {
        expect(await other.hold('work', running, () => Promise.resolve())).toBe(false)
        await pause(leaseMs / 8)
      }
      expect(lease.aborted).toBe(false)
    })
  })

  test('goes to another when its holder falls silent, who can then do nothing more', async () => {
    const frozen = new Frozen(firstOf(stores))
    const dead = new Leases(frozen, leaseMs, () => 'dead')
    let lost: unknown
    await dead.hold('work', running, async (lease) => {
      frozen.isFrozen = true
      await expect.poll(() => other.hold('work', running, (taken) => checkAlone(taken, lease))).toBe(true)
      lost = await lease.transact([], () => ({ writes: [], answer: undefined })).catch((error: unknown) => error)
      expect(lease.aborted).toBe(true)
    })
    expect(lost).toBeInstanceOf(LeaseLost)
  })

  test('is given back when the work fails', async () => {
    await expect(one.hold('work', running, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await other.hold('work', running, () => Promise.resolve())).toBe(true)
  })

  test('lets the work of one server wait for its own', async () => {
    const order: string[] = []
    const work = (name: string) => async (): Promise<void> => {
      order.push(`${name} begins`)
      await pause(5)
      order.push(`${name} ends`)
    }
    await Promise.all([one.hold('work', running, work('a')), one.hold('work', running, work('b'))])
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })
})

test('in a store of one process everything is its own, and nothing is written', async () => {
  const store = firstOf(stores)
  const alone: Store = {
    view: (read) => store.view(read),
    openSnapshot: () => store.openSnapshot(),
    transact: () => Promise.reject(new Error('nothing is to be written')),
    close: () => Promise.resolve(),
  }
  const leases = new Leases(alone, leaseMs, () => 'holder')
  expect(await leases.hold('work', running, () => Promise.resolve())).toBe(true)
})

async function checkAlone(taken: Lease, dead: Lease): Promise<void> {
  await taken.transact([], () => ({ writes: [], answer: undefined }))
  await expect(dead.transact([], () => ({ writes: [], answer: undefined }))).rejects.toThrow(LeaseLost)
}

/** A store whose writes of leases do not arrive, as those of a server that is stopped. */
class Frozen extends StoreAbove {
  override readonly shared = true
  isFrozen = false

  override transact: Store['transact'] = (keys, decide) =>
    this.underneath.transact(keys, (values) => {
      const decision = decide(values)
      return this.isFrozen ? { ...decision, writes: [] } : decision
    })
}

function firstOf(all: readonly Store[]): Store {
  const [first] = all
  if (first === undefined) throw new Error('there is a store')
  return first
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
