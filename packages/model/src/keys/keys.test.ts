import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AttributeDescription, KeyTemplateDescription } from '../description.ts'
import { compareText } from './compare-stored.ts'
import { keyText } from './key-text.ts'
import { matchKey } from './match-key.ts'
import { checkTemplateText } from './check-template-text.ts'
import { parseTemplate } from './parse-template.ts'
import { shardOf } from './shard-of.ts'

function fill(text: string, values: Readonly<Record<string, string | number>>): string | undefined {
  return keyText(parseTemplate(text), (name) => {
    const value = values[name]
    if (value === undefined) return undefined
    return typeof value === 'number' ? { N: String(value) } : { S: value }
  })
}

describe('a template', () => {
  test('is its literals and holes', () => {
    expect(parseTemplate('ORDER#{placedAt}#{n:04}')).toEqual([
      { kind: 'literal', text: 'ORDER#' },
      { kind: 'hole', attribute: 'placedAt', format: { kind: 'plain' } },
      { kind: 'literal', text: '#' },
      { kind: 'hole', attribute: 'n', format: { kind: 'padded', width: 4, decimals: 0, isDescending: false } },
    ])
  })

  test.each([
    ['A#{b', 'without a }'],
    ['A#b}', 'without a {'],
    ['A#{}', 'without a name'],
    ['{a:5}', 'unknown format'],
    ['{a:05:down}', 'unknown format'],
    ['{a:fortnight}', 'unknown format'],
    ['{a:020}', 'At most 15 digits'],
    ['', 'is empty'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => checkTemplateText(text)).toThrow(message)
  })

  test('pads numbers, with decimals and downwards', () => {
    expect(fill('RATING#{r:05}', { r: 1842 })).toBe('RATING#01842')
    expect(fill('PRICE#{p:09.2}', { p: 149.99 })).toBe('PRICE#000149.99')
    expect(fill('{r:05:desc}', { r: 1842 })).toBe('98157')
    expect(fill('{p:06.2:desc}', { p: 1.5 })).toBe('998.49')
    expect(() => fill('{r:02}', { r: 100 })).toThrow('Widen the padding')
    expect(() => fill('{r:02}', { r: -1 })).toThrow('does not fit')
    expect(() => fill('{p:09.2}', { p: 1.234 })).toThrow('Round it first')
  })

  test('takes the beginning of a date', () => {
    expect(fill('USER#{u}#{at:month}', { u: 'x', at: '2026-06-10T14:32:00.000Z' })).toBe('USER#x#2026-06')
    expect(fill('{at:hour}', { at: '2026-06-10T14:32:00.000Z' })).toBe('2026-06-10T14')
  })

  test('refuses a value that contains the separator after it, and an empty one', () => {
    expect(() => fill('{a}#{b}', { a: 'x#y', b: 'z' })).toThrow("contains '#', the separator that follows it")
    expect(() => fill('{a}##{b}', { a: 'x#', b: 'z' })).toThrow('would be read back as a different value')
    expect(fill('{a}#{b}', { a: 'x', b: 'y#z' })).toBe('x#y#z')
    expect(() => fill('A#{a}', { a: '' })).toThrow('is empty')
  })

  test('has no value while a hole has none', () => {
    expect(fill('A#{a}#{b}', { a: 'x' })).toBeUndefined()
  })
})

describe('a stored key', () => {
  const strings: AttributeDescription = {
    name: '',
    type: 'string',
    storedAs: 'S',
    isOptional: false,
    isReadOnly: false,
    isStored: true,
    hasDefault: false,
  }

  test('reads back as what it was made of, or is refused', () => {
    const texts = ['{a}#{b}', 'A#{a}', '{a}##{b}', 'X{a}Y{b}Z', '{a}#{b}#{a}']
    const value = fc.string({ unit: fc.constantFrom('#', 'a', 'Y', 'Z', 'é', '😀'), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.constantFrom(...texts), value, value, (text, a, b) => {
        let stored: string | undefined
        try {
          stored = fill(text, { a, b })
        } catch {
          return
        }
        const template: KeyTemplateDescription = {
          attribute: 'sk',
          storedAs: 'S',
          text,
          parts: parseTemplate(text),
          isNative: false,
        }
        const read = matchKey(template, { S: stored ?? '' }, () => strings)
        expect(read?.get('a')).toEqual({ S: a })
        if (text.includes('{b}')) expect(read?.get('b')).toEqual({ S: b })
      }),
    )
  })

  test('padded numbers sort as numbers do, and read back', () => {
    const amount = fc.integer({ min: 0, max: 99_999_99 }).map((cents) => cents / 100)
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const up = [fill('{n:09.2}', { n: a }) ?? '', fill('{n:09.2}', { n: b }) ?? ''] as const
        const down = [fill('{n:09.2:desc}', { n: a }) ?? '', fill('{n:09.2:desc}', { n: b }) ?? ''] as const
        expect(Math.sign(compareText(...up))).toBe(Math.sign(a - b))
        expect(Math.sign(compareText(...down))).toBe(Math.sign(b - a))
        const template: KeyTemplateDescription = {
          attribute: 'sk',
          storedAs: 'S',
          text: '',
          parts: parseTemplate('{n:09.2:desc}'),
          isNative: false,
        }
        expect(Number(matchKey(template, { S: down[0] }, () => undefined)?.get('n')?.N)).toBe(a)
      }),
    )
  })
})

test('text sorts by its UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))))
    }),
  )
})

test('a shard is FNV-1a modulo the count, forever', () => {
  expect(['a', 'b', 'foobar', 'é', ''].map((text) => shardOf(text, 1000))).toEqual([
    0xe40c292c % 1000,
    0xe70c2de5 % 1000,
    0xbf9cf968 % 1000,
    shardOf('é', 1000),
    0x811c9dc5 % 1000,
  ])
  const counts = Array.from({ length: 10 }, () => 0)
  for (let n = 0; n < 10_000; n++) {
    const shard = shardOf(`order-${n}`, 10)
    counts[shard] = (counts[shard] ?? 0) + 1
  }
  expect(Math.min(...counts)).toBeGreaterThan(850)
  expect(Math.max(...counts)).toBeLessThan(1150)
})
