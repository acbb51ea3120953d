import { expect, test } from 'vitest'
import { seedOfRun } from '../../support/randomness.ts'
import { rounds } from '../../support/rounds.ts'
import { fuzzDocuments } from './fuzz-documents.ts'

const seed = seedOfRun()

test(
  `whatever a model file holds, it is read or refused, and never run (HASHRANGE_SEED=${seed})`,
  { timeout: 120_000 },
  async () => {
    const counts = { refused: 0, 'refused as a model': 0, read: 0 }
    expect((await fuzzDocuments(seed, rounds(600, 1_500), counts)).slice(0, 3)).toEqual([])
    expect(counts.read).toBeGreaterThan(40)
  },
)
