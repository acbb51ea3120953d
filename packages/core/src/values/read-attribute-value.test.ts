import { describe, expect, test } from 'vitest'
import { attributeOf } from './attribute-value.ts'
import { readAttributeValue, readItem } from './read-attribute-value.ts'

const empty = 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes'
const several =
  'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes'
const invalid = 'One or more parameter values were invalid: '

describe('a canonical value', () => {
  test.each([
    { S: '' },
    { N: '-1.5' },
    { B: '' },
    { BOOL: false },
    { NULL: true },
    { SS: ['', 'a'] },
    { NS: ['1', '2'] },
    { BS: ['YQ=='] },
    { L: [{ S: 'a' }, { M: {} }] },
    { M: { a: { N: '1' }, '': { L: [] } } },
  ])('%j is returned, not copied', (raw) => {
    expect(readAttributeValue(raw)).toBe(raw)
    const item = { name: raw }
    expect(readItem(item)).toBe(item)
  })
})

describe('a value in another form is made canonical', () => {
  test.each<[unknown, unknown]>([
    [{ N: '1.0' }, { N: '1' }],
    [{ NS: ['1E2', '02'] }, { NS: ['2', '100'] }],
    [{ SS: ['a', ''] }, { SS: ['', 'a'] }],
    [{ L: [{ BS: ['/w==', 'AA=='] }] }, { L: [{ BS: ['AA==', '/w=='] }] }],
    [{ L: [{ S: 'a' }, { N: '+1' }, { S: 'b' }] }, { L: [{ S: 'a' }, { N: '1' }, { S: 'b' }] }],
    [
      { M: { a: { S: 'a' }, b: { N: '007' }, c: { S: 'c' } } },
      { M: { a: { S: 'a' }, b: { N: '7' }, c: { S: 'c' } } },
    ],
    [{ BOOL: 'no' }, { BOOL: false }],
    // Half of a surrogate pair is no character, and UTF-8 cannot hold it.
    [{ S: 'a\ud83d' }, { S: 'a\ufffd' }],
    [{ SS: ['\udfff', 'a'] }, { SS: ['a', '\ufffd'] }],
    [{ M: { a: { S: 'a' }, '\ud800': { S: 'b' } } }, { M: { a: { S: 'a' }, '\ufffd': { S: 'b' } } }],
    [{ NULL: 'true' }, { NULL: true }],
    [{ S: 'a', N: null }, { S: 'a' }],
    [{ S: 'a', Unknown: 1 }, { S: 'a' }],
  ])('%j as %j', (raw, value) => {
    const before = structuredClone(raw)
    expect(readAttributeValue(raw)).toEqual(value)
    expect(raw).toEqual(before)
  })
})

describe('refused are', () => {
  test.each<[unknown, string]>([
    [{}, empty],
    [{ S: null }, empty],
    [{ Unknown: 'a' }, empty],
    [null, empty],
    [{ L: [{}] }, empty],
    [{ L: [null] }, empty],
    [{ SS: [null] }, empty],
    [{ S: 'a', N: '1' }, several],
    [{ M: { a: { S: 'a', BOOL: true } } }, several],
    [{ S: 'a', N: '' }, 'The parameter cannot be converted to a numeric value'],
    [{ S: 'a', N: 'b' }, 'The parameter cannot be converted to a numeric value: b'],
    [{ NS: ['1', 'b'] }, 'The parameter cannot be converted to a numeric value: b'],
    [{ N: '1e126' }, 'Number overflow. Attempting to store a number with magnitude larger than supported range'],
    [{ NULL: false }, `${invalid}Null attribute value types must have the value of true`],
    [{ NULL: 'no' }, `${invalid}Null attribute value types must have the value of true`],
    [{ SS: [] }, `${invalid}An string set  may not be empty`],
    [{ NS: [] }, `${invalid}An number set  may not be empty`],
    [{ BS: [] }, `${invalid}Binary sets should not be empty`],
    [{ M: { a: { L: [{ SS: [] }] } } }, `${invalid}An string set  may not be empty`],
    [{ SS: ['a', 'a'] }, `${invalid}Input collection [a, a] contains duplicates.`],
    [{ BS: ['Yg==', 'Yg=='] }, `${invalid}Input collection [Yg==, Yg==]of type BS contains duplicates.`],
    [{ NS: ['1', '1.0'] }, 'Input collection contains duplicates'],
    [{ NS: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '9'] }, 'Input collection contains duplicates'],
  ])('%j', (raw, message) => {
    expect(() => readAttributeValue(raw)).toThrow(expect.objectContaining({ code: 'ValidationException', message }))
  })

  test('an empty attribute name', () => {
    expect(() => readItem({ '': { S: 'a' } })).toThrow('Empty attribute name')
  })

  test('an attribute name of more than 65,535 bytes', () => {
    const message = 'Attribute name is too large, must be less than 65536 bytes'
    expect(() => readItem({ ['a'.repeat(65_536)]: { S: '' } })).toThrow(message)
    expect(() => readItem({ ['€'.repeat(21_846)]: { S: '' } })).toThrow(message)
    expect(() => readItem({ ['a'.repeat(65_535)]: { S: '' } })).not.toThrow()
    expect(() => readItem({ ['€'.repeat(21_845)]: { S: '' } })).not.toThrow()
  })

  test('wrong JSON types, should they get this far', () => {
    expect(() => readAttributeValue({ S: 1 })).toThrow(expect.objectContaining({ code: 'SerializationException' }))
    expect(() => readAttributeValue({ M: { a: { L: 'a' } } })).toThrow('Unexpected field type')
  })
})

describe('nesting', () => {
  const message =
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit'

  test.each([
    ['maps', '{"M":{"n":', '}}'],
    ['lists', '{"L":[', ']}'],
  ])('goes to 32 levels of %s, the innermost value included', (_, open, close) => {
    const nested = (wraps: number): unknown =>
      JSON.parse(`{"data":${open.repeat(wraps)}{"S":"leaf"}${close.repeat(wraps)}}`)
    expect(() => readItem(nested(31))).not.toThrow()
    expect(() => readItem(nested(32))).toThrow(message)
    expect(() => readItem(nested(100_000))).toThrow(message)
  })
})

describe('attribute names that mean something to JavaScript', () => {
  test('are attributes like any other, copied or not', () => {
    const canonical: unknown = JSON.parse('{"__proto__":{"S":"a"},"constructor":{"N":"1"}}')
    expect(readItem(canonical)).toBe(canonical)
    const copied = readItem(JSON.parse('{"__proto__":{"N":"01"},"constructor":{"N":"1.0"},"toString":{"S":"a"}}'))
    expect(JSON.stringify(copied)).toBe('{"__proto__":{"N":"1"},"constructor":{"N":"1"},"toString":{"S":"a"}}')
    expect(attributeOf(copied, '__proto__')).toEqual({ N: '1' })
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype)
  })

  test('name no type', () => {
    expect(() => readAttributeValue(JSON.parse('{"__proto__":{"S":"a"}}'))).toThrow(empty)
    expect(() => readAttributeValue({ constructor: 'a' })).toThrow(empty)
  })
})
