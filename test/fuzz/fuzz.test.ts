import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedOfRun } from '../support/randomness.ts'
import { rounds } from '../support/rounds.ts'
import { FuzzRun, readCorpus } from './fuzz-run.ts'

const seed = seedOfRun()
const run = new FuzzRun()

beforeAll(() => run.start())
afterAll(() => run.stop())

test.each(readCorpus())('what once broke something is answered: $name', async ({ request }) => {
  expect(await run.send(request)).toBeUndefined()
})

test(`whatever is asked for, there is an answer, and no 500 (HASHRANGE_SEED=${seed})`, async () => {
  expect(await run.ask(seed, rounds(1_000, 3_000))).toEqual([])
  // Not everything may be refused: what is right is carried out, too.
  expect(run.counts.answers['200']).toBeGreaterThan(30)
}, 180_000)

test(`whatever stands in a model file, the server goes on (HASHRANGE_SEED=${seed})`, async () => {
  expect(await run.askAboutModels(seed, rounds(2, 6))).toEqual([])
}, 300_000)
