import { expect, test } from 'vitest'
import { Randomness, seedOfTests } from '../support/randomness.ts'
import { ordeal } from './ordeal.ts'

/** A million takes minutes: HASHRANGE_ORDEAL_CHANGES=1000000 HASHRANGE_ORDEAL_KILLS=40. */
const changes = Number(process.env['HASHRANGE_ORDEAL_CHANGES'] ?? 3_000)
const kills = Number(process.env['HASHRANGE_ORDEAL_KILLS'] ?? 2)

test(
  `${changes} changes reach a function that fails and dies, on a server that is killed ${kills} times, in order for each item`,
  async () => {
    const result = await ordeal({ changes, kills, random: new Randomness(seedOfTests()) })
    if (changes > 100_000) console.log(JSON.stringify(result))
    expect(result.problems).toEqual([])
    expect(result.deliveries).toBeGreaterThanOrEqual(result.changes)
  },
  60 * 60_000,
)
