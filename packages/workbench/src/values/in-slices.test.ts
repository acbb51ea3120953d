import { expect, test } from 'vitest'
import { inSlices } from './in-slices.ts'

test('a long list is worked on in several tasks, whole and in order', async () => {
  const list = Array.from({ length: 20_001 }, (_, place) => place)
  let others = 0
  const other = setInterval(() => others++)
  const found: number[] = []
  let slices = 0
  for await (const slice of inSlices(list)) {
    slices++
    found.push(...slice)
  }
  clearInterval(other)
  expect(slices).toBe(3)
  expect(others).toBeGreaterThan(0)
  expect(found).toEqual(list)
})

test('a short list is not divided, nor is one that is empty', async () => {
  for (const list of [[1, 2], []]) {
    const slices: (readonly number[])[] = []
    for await (const slice of inSlices(list)) slices.push(slice)
    expect(slices).toEqual([list])
  }
})
