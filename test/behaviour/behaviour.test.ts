import { describe, expect, test } from 'vitest'
import { describeOnTargets } from '../support/targets.ts'
import { ask } from './ask.ts'
import { differencesOf, readRecordings } from './recording.ts'

/** Recordings of AWS are made with `HASHRANGE_ASK=aws npm run ask`. */
describeOnTargets('what is asked', (target) => {
  test.each(readRecordings())(
    'is answered as in $file, but for differences that have a reason',
    { timeout: 120_000 },
    async ({ recording }) => {
      const answers = await ask(target.client(), 'behaviour')
      const known = Object.keys(recording.differences)
      expect(differencesOf(recording.answers, answers).toSorted()).toEqual(known.toSorted())
    },
  )
})

describe('a difference', () => {
  test.each(readRecordings())('has a reason: $file', ({ recording }) => {
    for (const [question, reason] of Object.entries(recording.differences)) {
      expect(reason, `why hashrange answers "${question}" otherwise`).not.toBe('')
    }
  })

  test('is one of content, not of order', () => {
    const one = { answer: { a: 1, b: [1, 2] } }
    expect(differencesOf({ q: one }, { q: { answer: { b: [1, 2], a: 1 } } })).toEqual([])
    expect(differencesOf({ q: one }, { q: { answer: { a: 1, b: [2, 1] } } })).toEqual(['q'])
    expect(differencesOf({ q: one }, {})).toEqual(['q'])
  })
})
