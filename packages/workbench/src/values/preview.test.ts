import { describe, expect, test } from 'vitest'
import { formatAgo, formatBytes, plural } from './format.ts'
import { previewOf } from './preview.ts'
import { readUnits, writeUnits } from './units.ts'

describe('a preview', () => {
  test('shows every type in a line', () => {
    expect(previewOf({ S: 'two\nlines' })).toBe('two↵lines')
    expect(previewOf({ N: '12345678901234567890123456789012345678' })).toBe(
      '12345678901234567890123456789012345678',
    )
    expect(previewOf({ BOOL: false })).toBe('false')
    expect(previewOf({ NULL: true })).toBe('null')
    expect(previewOf({ B: 'AAEC' })).toBe('AAEC (3 B)')
    expect(previewOf({ SS: ['a', 'b'] })).toBe('{"a", "b"}')
    expect(previewOf({ L: [{ N: '1' }, { M: { a: { S: 'x' } } }] })).toBe('[1, {a: "x"}]')
  })

  test('shows what has no shape of its own, so that keys that differ look different', () => {
    expect(previewOf({ S: ' a  b' })).toBe(' a  b')
    expect(previewOf({ S: 'a\r\n\tb\0\u007f' })).toBe('a␍↵⇥b␀␡')
    expect(previewOf({ S: '\u202ecod.exe\u200b\ufeff' })).toBe('⟨U+202E⟩cod.exe⟨U+200B⟩⟨U+FEFF⟩')
    expect(previewOf({ L: [{ S: 'a\n\u202eb' }] })).toBe('["a\\n⟨U+202E⟩b"]')
    expect(previewOf({ M: { 'a\u200b': { SS: ['\u2066x'] } } })).toBe('{a⟨U+200B⟩: {"⟨U+2066⟩x"}}')
    // Letters of other scripts, and the joiners that emoji are made with, are what they are.
    expect(previewOf({ S: 'مرحبا 👩‍👩‍👧' })).toBe('مرحبا 👩‍👩‍👧')
  })

  test('is as short for 400 KB as for a word, and cuts no character in half', () => {
    expect(previewOf({ S: 'x'.repeat(400_000) }, 20)).toBe(`${'x'.repeat(20)}…`)
    expect(previewOf({ S: '😀'.repeat(50) }, 5).isWellFormed()).toBe(true)
  })

  test('of a long list looks at no more elements than it shows', () => {
    let seen = 0
    const list = Array.from({ length: 1000 }, () => ({
      get S() {
        seen++
        return 'y'
      },
    }))
    expect(previewOf({ L: list }, 20)).toBe('["y", "y", "y", "y",…')
    expect(seen).toBeLessThan(10)
  })
})

describe('figures', () => {
  test('of sizes count in 1024', () => {
    expect([0, 1023, 1024, 1536, 409_600, 3 * 1024 ** 3].map(formatBytes)).toEqual([
      '0 B',
      '1,023 B',
      '1 KB',
      '1.5 KB',
      '400 KB',
      '3 GB',
    ])
  })

  test('of units are rounded up by the item', () => {
    expect([readUnits(1), readUnits(4096, true), readUnits(4097, true)]).toEqual([0.5, 1, 2])
    expect([writeUnits(1), writeUnits(1024), writeUnits(1025)]).toEqual([1, 1, 2])
  })

  test('of times and counts are words', () => {
    expect([plural(1, 'item'), plural(1200, 'item'), plural(0, 'entry', 'entries')]).toEqual([
      '1 item',
      '1,200 items',
      '0 entries',
    ])
    expect(formatAgo(0, 59)).toBe('just now')
    expect(formatAgo(0, 7300)).toBe('2 hours ago')
  })
})
