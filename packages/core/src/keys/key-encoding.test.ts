import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AttributeValue, KeyAttributeType } from '../values/attribute-value.ts'
import { encodeBase64 } from '../values/base64.ts'
import { compareBytes, encodeUtf8 } from '../values/utf8.ts'
import { ByteWriter } from './byte-writer.ts'
import { appendKeyValue, beginsWithBounds } from './key-encoding.ts'

function encoded(...values: [KeyAttributeType, AttributeValue][]): Uint8Array {
  const out = new ByteWriter()
  for (const [type, value] of values) appendKeyValue(out, type, value)
  return out.bytes()
}

describe('appendKeyValue', () => {
  test('a binary is encoded as its bytes, as a string is', () => {
    expect(encoded(['B', { B: encodeBase64(encodeUtf8('ORDER#1')) }])).toEqual(encoded(['S', { S: 'ORDER#1' }]))
  })

  test('a tuple is ordered by its parts from left to right', () => {
    const tuples = [
      encoded(['S', { S: 'a' }], ['N', { N: '-5' }], ['S', { S: 'z' }]),
      encoded(['S', { S: 'a' }], ['N', { N: '3' }], ['S', { S: 'b' }]),
      encoded(['S', { S: 'a' }], ['N', { N: '20' }], ['S', { S: '' }]),
      encoded(['S', { S: 'a\0' }], ['N', { N: '-9' }], ['S', { S: '' }]),
      encoded(['S', { S: 'b' }], ['N', { N: '0' }], ['S', { S: '' }]),
    ]
    expect(tuples.toSorted(compareBytes)).toEqual(tuples)
  })

  test('a value of another type than declared is a bug of the caller', () => {
    expect(() => encoded(['N', { S: '1' }])).toThrow('declared type N')
  })
})

describe('beginsWithBounds', () => {
  const bytes = fc.uint8Array({ maxLength: 12 }).map((any) => any.map((byte) => [0x00, 0x61, 0xff][byte % 3] ?? 0))

  test('holds the values that begin with the prefix, and no others', () => {
    fc.assert(
      fc.property(bytes, bytes, bytes, fc.boolean(), (prefix, rest, other, matching) => {
        const value = matching ? new Uint8Array([...prefix, ...rest]) : other
        const { from, to } = beginsWithBounds({ B: encodeBase64(prefix) })
        const key = encoded(['B', { B: encodeBase64(value) }], ['N', { N: '1' }])
        const within = compareBytes(key, from) >= 0 && (to === undefined || compareBytes(key, to) < 0)
        const begins = compareBytes(prefix, value.subarray(0, prefix.length)) === 0
        expect(within).toBe(begins)
      }),
      { numRuns: 3_000 },
    )
  })

  test('works for strings, across characters of different lengths', () => {
    const { from, to } = beginsWithBounds({ S: 'é' })
    const within = (text: string): boolean => {
      const key = encoded(['S', { S: text }])
      return compareBytes(key, from) >= 0 && (to === undefined || compareBytes(key, to) < 0)
    }
    expect(['é', 'é\0', 'é😀', 'émile'].every(within)).toBe(true)
    expect(['e', 'è', 'ê', '', '😀'].some(within)).toBe(false)
  })

  test('has no upper bound for the empty prefix, nor for one of 0xFF alone', () => {
    expect(beginsWithBounds({ S: '' }).to).toBeUndefined()
    expect(beginsWithBounds({ B: '//8=' }).to).toBeUndefined()
  })

  test('is for strings and binaries only', () => {
    expect(() => beginsWithBounds({ N: '1' })).toThrow('only strings and binaries')
  })
})
