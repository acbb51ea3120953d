import { expect, test } from 'vitest'
import { isReservedWord, reservedWords } from './reserved-words.ts'

test('the service reserves 573 words', () => {
  expect(reservedWords.size).toBe(573)
})

test.each(['name', 'STATUS', 'Data', 'items', 'ttl', 'localtimestamp'])('%s is reserved', (word) => {
  expect(isReservedWord(word)).toBe(true)
})

test.each(['pk', 'names_', 'hasOwnProperty', '__proto__', ''])('%s is not', (word) => {
  expect(isReservedWord(word)).toBe(false)
})
