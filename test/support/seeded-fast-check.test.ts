import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { seedOfRun } from './randomness.ts'

test('properties are checked with the seed of the run', () => {
  expect(fc.check(fc.property(fc.nat(), () => true)).seed).toBe(seedOfRun())
})
