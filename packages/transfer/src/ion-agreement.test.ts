import { readItem, type Item } from '@hashrange/core'
import { IonDecoder, ionItemLine, type Row } from '@hashrange/engine/formats'
import * as fc from 'fast-check'
import * as ion from 'ion-js'
import { describe, expect, test } from 'vitest'

/** Items with every type, and names that Ion could take for something else. */
const text = fc.string({ unit: 'grapheme' })
const number = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom('600', '1E125', '1E-130', '-0.5', '12345678901234567890123456789012345678'),
)
const binary = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64'))
const scalar = fc.oneof(
  text.map((S) => ({ S })),
  number.map((N) => ({ N })),
  binary.map((B) => ({ B })),
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true }),
  fc.uniqueArray(text, { minLength: 1 }).map((SS) => ({ SS })),
  fc.uniqueArray(fc.integer().map(String), { minLength: 1 }).map((NS) => ({ NS })),
  fc.uniqueArray(binary, { minLength: 1 }).map((BS) => ({ BS })),
)
const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('$10', 'null', '$ion_1_0', "it's", '__proto__'))
const entries = fc.array(fc.tuple(name, scalar), { maxLength: 5 }).map((list) => Object.fromEntries(list))
const item: fc.Arbitrary<Item> = fc
  .tuple(entries, entries, fc.array(scalar))
  .map(([top, nested, list]) => readItem({ ...top, nested: { M: nested }, list: { L: list } }))

describe('Ion text', () => {
  test('is read by AWS’s own library as what it means', () => {
    fc.assert(
      fc.property(item, (written) => {
        const value = ion.load(ionItemLine(written))?.get('Item')
        expect(value?.fieldNames().toSorted()).toEqual(Object.keys(written).toSorted())
        for (const [field, attribute] of Object.entries(written)) {
          const read = value?.get(field)
          if ('S' in attribute) expect(read?.stringValue()).toBe(attribute.S)
          if ('N' in attribute) expect(read?.decimalValue()?.compareTo(new ion.Decimal(attribute.N))).toBe(0)
          if ('B' in attribute)
            expect(Buffer.from(read?.uInt8ArrayValue() ?? []).toString('base64')).toBe(attribute.B)
          if ('SS' in attribute) expect(read?.getAnnotations()).toEqual(['$dynamodb_SS'])
        }
      }),
    )
  })
})

describe('binary Ion', () => {
  test('is read as AWS’s own library writes it', () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 4 }), (items) => {
        const values = ion.loadAll(items.map((one) => ionItemLine(one)).join(''))
        const rows = decode(ion.dumpBinary(...values))
        expect(rows.map((row) => readItem('item' in row ? row.item : {}))).toEqual(items)
      }),
    )
  })

  test('never does more than refuse what is damaged', () => {
    const bytes = Buffer.from(ion.dumpBinary(...ion.loadAll('{Item:{a:"text",b:[1.5,2],c:{{aGk=}}}}')))
    fc.assert(
      fc.property(fc.nat(bytes.length - 5), fc.nat(255), (position, byte) => {
        const damaged = Buffer.from(bytes)
        damaged[position + 4] = byte
        for (const row of decode(damaged)) expect(row.line).toBeGreaterThan(0)
      }),
      { numRuns: 2_000 },
    )
  })
})

function decode(bytes: Uint8Array): readonly Row[] {
  const decoder = new IonDecoder()
  const rows: Row[] = []
  for (let start = 0; start < bytes.length; start += 7) rows.push(...decoder.push(bytes.subarray(start, start + 7)))
  return [...rows, ...decoder.end()]
}
