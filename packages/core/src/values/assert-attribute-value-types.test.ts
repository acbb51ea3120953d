import { describe, expect, test } from 'vitest'
import { assertAttributeValueTypes, assertItemTypes } from './assert-attribute-value-types.ts'

const structure = 'Start of structure or map found where not expected'
const attributeValueClass = 'com.amazonaws.dynamodb.v20120810.AttributeValue'

describe('the JSON types of an attribute value', () => {
  test.each([
    { S: 'a' },
    { S: null },
    { N: 'not checked here' },
    { B: 'YQ==' },
    { BOOL: true },
    { BOOL: 'Yes' },
    { NULL: 'false' },
    { SS: ['a'] },
    { BS: [] },
    { L: [{ S: 'a' }, null] },
    { M: { a: { S: 'a' }, b: { L: [] } } },
    { Unknown: 7 },
    {},
    null,
  ])('%j passes', (raw) => {
    expect(() => assertAttributeValueTypes(raw)).not.toThrow()
  })

  test.each<[unknown, string]>([
    ['a', 'Unexpected value type in payload'],
    [23, 'Unexpected value type in payload'],
    [true, 'Unexpected value type in payload'],
    [[], `Unrecognized collection type class ${attributeValueClass}`],
    [{ S: true }, 'TRUE_VALUE cannot be converted to String'],
    [{ S: false }, 'FALSE_VALUE cannot be converted to String'],
    [{ N: 23 }, 'NUMBER_VALUE cannot be converted to String'],
    [{ N: 34.56 }, 'DECIMAL_VALUE cannot be converted to String'],
    [{ S: [] }, 'Unrecognized collection type class java.lang.String'],
    [{ S: {} }, structure],
    [{ BOOL: '23' }, 'Unexpected token received from parser'],
    [{ BOOL: 23 }, 'NUMBER_VALUE cannot be converted to Boolean'],
    [{ NULL: 34.56 }, 'DECIMAL_VALUE cannot be converted to Boolean'],
    [{ BOOL: [] }, 'Unrecognized collection type class java.lang.Boolean'],
    [{ NULL: {} }, structure],
    [{ B: true }, 'only base-64-encoded strings are convertible to bytes'],
    [{ B: 23 }, 'only base-64-encoded strings are convertible to bytes'],
    [{ B: [] }, 'Unrecognized collection type class java.nio.ByteBuffer'],
    [{ B: {} }, structure],
    [{ B: '23456' }, 'Base64 encoded length is expected a multiple of 4 bytes but found: 5'],
    [{ BS: ['+/+='] }, 'Invalid last non-pad Base64 character dectected'],
    [{ SS: '23' }, 'Unexpected field type'],
    [{ NS: {} }, structure],
    [{ SS: [1] }, 'NUMBER_VALUE cannot be converted to String'],
    [{ L: true }, 'Unexpected field type'],
    [{ L: {} }, structure],
    [{ L: ['a'] }, 'Unexpected value type in payload'],
    [{ M: 'a' }, 'Unexpected field type'],
    [{ M: [] }, `Unrecognized collection type java.util.Map<java.lang.String, ${attributeValueClass}>`],
    [{ M: { a: 7 } }, 'Unexpected value type in payload'],
    [{ M: { a: { L: [{ S: 7 }] } } }, 'NUMBER_VALUE cannot be converted to String'],
  ])('%j is refused', (raw, message) => {
    expect(() => assertAttributeValueTypes(raw)).toThrow(message)
    expect(() => assertItemTypes({ name: raw })).toThrow(message)
  })

  test('a value that is a field of a structure is refused as a field', () => {
    expect(() => assertAttributeValueTypes('a', 'field')).toThrow('Unexpected field type')
  })

  test('the error is a SerializationException', () => {
    expect(() => assertAttributeValueTypes({ S: 1 })).toThrow(
      expect.objectContaining({ code: 'SerializationException' }),
    )
  })

  test('an entry called __proto__ is checked like any other', () => {
    expect(() => assertItemTypes(JSON.parse('{"__proto__":{"S":1}}'))).toThrow('NUMBER_VALUE')
  })

  test('a hundred thousand levels do not exhaust the stack', () => {
    const deep = JSON.parse('{"L":['.repeat(100_000) + ']}'.repeat(100_000))
    expect(() => assertAttributeValueTypes(deep)).not.toThrow()
  })
})
