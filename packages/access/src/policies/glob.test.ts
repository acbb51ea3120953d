import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileText } from './compile-text.ts'
import { contextOf } from './context-values.ts'

const nothing = contextOf({})

test('patterns match what a regular expression would', () => {
  const letter = fc.constantFrom('a', 'b', '*', '?')
  const pattern = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''))
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 10 }).map((letters) => letters.join(''))
  fc.assert(
    fc.property(pattern, text, (source, sent) => {
      const expression = new RegExp(`^${source.replaceAll('*', '.*').replaceAll('?', '.')}$`)
      expect(matches(source, sent)).toBe(expression.test(sent))
    }),
    { numRuns: 5000 },
  )
})

test('long pieces with single wildcards match as short ones do', () => {
  const piece = fc
    .array(fc.constantFrom('a', 'b', '?'), { minLength: 33, maxLength: 80 })
    .map((all) => all.join(''))
  const around = fc.array(fc.constantFrom('a', 'b'), { minLength: 200, maxLength: 300 }).map((all) => all.join(''))
  fc.assert(
    fc.property(piece, around, fc.boolean(), (source, text, planted) => {
      const sent = planted ? `${text}${source.replaceAll('?', 'c')}${text}` : text
      const expression = new RegExp(source.replaceAll('?', '.'))
      expect(matches(`*${source}*`, sent)).toBe(expression.test(sent))
    }),
    { numRuns: 300 },
  )
})

describe('patterns that would take other matchers for ever', () => {
  const long = 'a'.repeat(60_000)

  test.each([
    ['many stars', `${'*a'.repeat(2000)}*b`, false],
    ['stars alone', '*'.repeat(10_000), true],
    ['stars and single characters', `${'*?'.repeat(5000)}b`, false],
    ['a long piece that nearly fits', `*${'a'.repeat(5000)}b*`, false],
    ['a long piece with holes that nearly fits', `*${'a?'.repeat(2500)}b*`, false],
    ['beginnings of variables', '${'.repeat(200_000), false],
    ['many pieces with holes', `${`*${'a?'.repeat(20)}`.repeat(100)}*b`, false],
  ])('%s', (_, source, expected) => {
    expect(matches(source, long)).toBe(expected)
  })
})

function matches(source: string, text: string): boolean {
  return compileText(source, { variables: true, wildcards: true })(text, nothing)
}
