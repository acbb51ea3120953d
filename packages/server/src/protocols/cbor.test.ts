import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeCbor, encodeCbor } from './cbor.ts'

function decode(hex: string): unknown {
  return decodeCbor(Buffer.from(hex, 'hex'))
}

describe('the examples of RFC 8949', () => {
  test.each([
    ['00', 0],
    ['17', 23],
    ['1818', 24],
    ['1903e8', 1000],
    ['1a000f4240', 1_000_000],
    ['1b000000e8d4a51000', 1_000_000_000_000],
    ['20', -1],
    ['3903e7', -1000],
    ['f90000', 0],
    ['f93c00', 1],
    ['f93e00', 1.5],
    ['f97bff', 65_504],
    ['f90001', 5.960464477539063e-8],
    ['f9c400', -4],
    ['fa47c35000', 100_000],
    ['fb3ff199999999999a', 1.1],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['c11a514b67b0', 1_363_896_240],
    ['c1fb41d452d9ec200000', 1_363_896_240.5],
    ['4401020304', 'AQIDBA=='],
    ['62c3bc', 'ü'],
    ['83010203', [1, 2, 3]],
    ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
    ['7f657374726561646d696e67ff', 'streaming'],
  ])('%s is %j', (hex, expected) => {
    expect(decode(hex)).toEqual(expected)
  })

  test('maps, of a length that is given or not', () => {
    expect({ ...(decode('a26161016162820203') as object) }).toEqual({ a: 1, b: [2, 3] })
    expect({ ...(decode('bf6161016162820203ff') as object) }).toEqual({ a: 1, b: [2, 3] })
  })
})

test('what is encoded is decoded again', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.array(tie('any'), { maxLength: 5 }),
      fc.dictionary(fc.string({ maxLength: 5 }), tie('any'), { maxKeys: 5, noNullPrototype: true }),
    ),
  })).any
  fc.assert(
    fc.property(value, (one) => {
      expect(JSON.stringify(decodeCbor(encodeCbor(one)))).toBe(JSON.stringify(one))
    }),
    { numRuns: 300 },
  )
})

test('times, maps and what is left out have their own forms', () => {
  const bytes = encodeCbor({ at: new Date(1_363_896_240_500), more: new Map([['p99', 1.5]]), none: undefined })
  expect(JSON.parse(JSON.stringify(decodeCbor(bytes)))).toEqual({ at: 1_363_896_240.5, more: { p99: 1.5 } })
  expect(bytes.includes(Buffer.from('c1fb41d452d9ec200000', 'hex'))).toBe(true)
})

describe('what is not CBOR', () => {
  test.each([
    ['nothing', ''],
    ['a list that promises more than there is', '9bffffffffffffffff01'],
    ['a text that promises more than there is', '7bffffffffffffffff61'],
    ['a text of bytes that are no UTF-8', '62c328'],
    ['a break by itself', 'ff'],
    ['two values', '0000'],
    ['a key that is no text', 'a10101'],
    ['a key without a value', 'bf6161ff'],
    ['an unknown simple value', 'f8ff'],
    ['a number that is not finite', 'f97e00'],
    ['a string in pieces of another kind', '7f4161ff'],
  ])('%s is refused', (_name, hex) => {
    expect(() => decode(hex)).toThrow('The request body is not valid CBOR')
  })

  test('nesting without end is refused', () => {
    expect(() => decodeCbor(Buffer.alloc(1_000_000, 0x81))).toThrow('it nests too deeply')
    expect(() => decodeCbor(Buffer.alloc(1_000_000, 0xc1))).toThrow('it nests too deeply')
  })

  test('whatever bytes arrive, they are decoded or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeCbor(bytes)
        } catch (error) {
          expect(error).toMatchObject({ code: 'SerializationException' })
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('a key called __proto__ is a key', () => {
    const map = decodeCbor(encodeCbor(new Map([['__proto__', { polluted: true }]]))) as object
    expect(Object.keys(map)).toEqual(['__proto__'])
    expect('polluted' in {}).toBe(false)
  })
})
