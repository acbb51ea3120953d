import { expect, test } from 'vitest'
import { takeTurns } from './take-turns.ts'

test('few pieces of work are under way at once, in their order, and none is lost', async () => {
  const turn = takeTurns(2)
  let underWay = 0
  let most = 0
  const begun: number[] = []
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      turn(async () => {
        begun.push(index)
        most = Math.max(most, ++underWay)
        await new Promise((resolve) => setTimeout(resolve, 1))
        underWay--
        if (index % 3 === 0) throw new Error('no')
        return index
      }),
    ),
  )
  expect(most).toBe(2)
  expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(7)
})
