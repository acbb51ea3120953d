import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertWithinBudget, type JsonBudget } from './json-budget.ts'

const small: JsonBudget = { depth: 10, elements: 20, members: 15, collections: 25 }
/** Less is not looked at. */
const padding = `"${'p'.repeat(70_000)}"`

function refusalOf(json: string, budget = small): string {
  try {
    assertWithinBudget(Buffer.from(json), budget)
    return ''
  } catch (error) {
    return String(error)
  }
}

/** Without the padding's own collection and comma. */
const padded = (json: string): string => `[${json}] ${padding}`

describe('a body', () => {
  test('of few values is within the budget, whatever its texts hold', () => {
    const tricky = [
      '[[[[[[[[[[[[',
      '{{{{{{{{{{{{{',
      ',,,,,,,,,,,,,,,,,,,,,,,,,,',
      '\\',
      '\\"[',
      '"',
      '\\\\"',
      '\u0000[',
    ]
    for (const text of tricky) {
      const long = text + 'x'.repeat(100) + text
      expect(
        refusalOf(padded(`${JSON.stringify(text)},${JSON.stringify(long)},{"a":${JSON.stringify(long)}}`)),
      ).toBe('')
    }
  })

  test('that nests too deeply is refused', () => {
    expect(refusalOf(padded('['.repeat(9) + ']'.repeat(9)))).toBe('')
    expect(refusalOf(padded('['.repeat(10) + ']'.repeat(10)))).toContain('nests too deeply')
    expect(refusalOf(padding + '{"a":'.repeat(100_000))).toContain('SerializationException')
  })

  test('of too many elements, members, lists or maps is refused', () => {
    expect(refusalOf(padded(Array(21).fill('1').join(',')))).toBe('')
    expect(refusalOf(padded(Array(22).fill('1').join(',')))).toContain('more than 20 elements')
    const members = (count: number): string => Array.from({ length: count }, (_, i) => `"${i}":1`).join(',')
    expect(refusalOf(padded(`{${members(16)}}`))).toBe('')
    expect(refusalOf(padded(`{${members(17)}}`))).toContain('more than 15 members')
    expect(refusalOf(padded('[[[[[[]]]]]]'.repeat(5)))).toContain('more than 25 lists and maps')
    // One member each, as attribute values have.
    expect(refusalOf(padded(Array(20).fill('{"N":"1"}').join(',')))).toBe('')
  })

  test('that is small is never refused', () => {
    expect(refusalOf('[1,'.repeat(10_000))).toBe('')
  })

  test('of an item of the largest size is within the usual budget', () => {
    const bytes = 409_600
    const list = Array.from({ length: bytes - 10 }, () => '{"S":""}').join(',')
    const map = Array.from({ length: bytes / 3 }, (_, i) => `"${i.toString(36)}":{"S":""}`).join(',')
    for (const item of [`{"L":[${list}]}`, `{"M":{${map}}}`]) {
      expect(() => assertWithinBudget(Buffer.from(`{"TableName":"t","Item":{"a":${item}}}`))).not.toThrow()
    }
  })
})

test('counts what a parser finds, whatever the JSON', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (json) => {
      const counted = countOf(JSON.parse(json))
      const exact: JsonBudget = { ...counted, depth: counted.depth + 1, collections: counted.collections + 1 }
      expect(refusalOf(padded(json), exact)).toBe('')
      if (counted.depth > 0) expect(refusalOf(padded(json), { ...exact, depth: counted.depth })).not.toBe('')
      if (counted.elements > 0)
        expect(refusalOf(padded(json), { ...exact, elements: counted.elements - 1 })).not.toBe('')
      if (counted.members > 0)
        expect(refusalOf(padded(json), { ...exact, members: counted.members - 1 })).not.toBe('')
    }),
  )
})

function countOf(value: unknown): JsonBudget {
  if (typeof value !== 'object' || value === null) return { depth: 0, elements: 0, members: 0, collections: 0 }
  const inner = Object.values(value).map(countOf)
  const sum = (name: keyof JsonBudget): number => inner.reduce((total, counted) => total + counted[name], 0)
  const more = Math.max(0, inner.length - 1)
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    elements: sum('elements') + (Array.isArray(value) ? more : 0),
    members: sum('members') + (Array.isArray(value) ? 0 : more),
    collections: 1 + sum('collections'),
  }
}
