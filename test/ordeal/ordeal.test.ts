import { expect, test } from 'vitest'
import { Randomness, seedOfTests } from '../support/randomness.ts'
import { ordeal } from './ordeal.ts'

/** A million are `npm run ordeal -- --changes 1000000 --kills 60`. */
test('what functions get and derive is right, however often they and their server are killed', async () => {
  const random = new Randomness(seedOfTests())
  const result = await ordeal({ changes: 500, derivedChanges: 40, kills: 2, killMs: 1_500, random })
  expect(result.problems).toEqual([])
  expect(result.deliveries).toBeGreaterThanOrEqual(result.changes)
  expect(result.verified).toMatch(/^[1-9]\d* items compared, 0 differences/)
})
