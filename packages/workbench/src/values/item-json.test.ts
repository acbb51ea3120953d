import type { AttributeValue, Item } from '@hashrange/core'
import { describe, expect, test } from 'vitest'
import { fromDynamoDbJson, fromPlainJson, toDynamoDbJson, toPlainJson } from './item-json.ts'
import { TextMistake } from './json-text.ts'

const attributes: readonly (readonly [string, AttributeValue])[] = [
  ['digits', { N: '12345678901234567890123456789012345678' }],
  ['fraction', { N: '0.00000000000000000000000000000000000001' }],
  ['__proto__', { S: '<script>alert(1)</script>' }],
  ['constructor', { M: { inner: { NULL: true } } }],
  ['binary', { B: 'AAECAwQ=' }],
  ['binaries', { BS: ['AA==', 'AQ=='] }],
  ['numbers', { NS: ['1', '99999999999999999999'] }],
  ['strings', { SS: ['a', 'שלום'] }],
  ['list', { L: [{ S: '\u0000\n"\\\u2028' }, { BOOL: false }, { L: [] }, { M: {} }] }],
  ['long', { S: 'x'.repeat(400_000) }],
  ['deep', Array.from({ length: 30 }).reduce<AttributeValue>((inner) => ({ L: [inner] }), { B: 'AA==' })],
]
const hostile: Item = Object.fromEntries(attributes)

describe('an item', () => {
  test('survives DynamoDB JSON', () => expect(fromDynamoDbJson(toDynamoDbJson(hostile))).toEqual(hostile))

  test('survives plain JSON, with the item it came from as guide', () => {
    const read = fromPlainJson(toPlainJson(hostile), hostile)
    expect(read).toEqual(hostile)
    expect(Object.keys(read)).toEqual(Object.keys(hostile))
  })

  test('without a guide has lists and strings where there were sets and binary', () => {
    expect(fromPlainJson('{"a": ["x"], "b": "AA=="}')).toEqual({ a: { L: [{ S: 'x' }] }, b: { S: 'AA==' } })
  })

  test('keeps a list that is no longer a set as a list', () => {
    expect(fromPlainJson('{"a": ["x", 1]}', { a: { SS: ['x'] } })).toEqual({ a: { L: [{ S: 'x' }, { N: '1' }] } })
  })
})

describe('a mistake is told with its place', () => {
  const mistakes: Record<string, readonly [() => Item, RegExp, string]> = {
    'a comma too many': [() => fromPlainJson('{"a": 1,}'), /name in double quotes/, '}'],
    'a value that is missing': [() => fromPlainJson('{"a": }'), /Expected a value/, '}'],
    'a string that does not end': [() => fromPlainJson('{"a": "x}'), /does not end/, '"x}'],
    'an escape that is none': [() => fromPlainJson(String.raw`{"a": "\x"}`), /escape/, String.raw`"\x"`],
    'a name twice': [() => fromPlainJson('{"a": 1, "a": 2}'), /twice/, '"a"'],
    'a number with too many digits': [
      () => fromPlainJson(`{"a": ${'1'.repeat(39)}}`),
      /38 significant digits/,
      '1'.repeat(39),
    ],
    'a type that is none': [() => fromDynamoDbJson('{"a": {"X": "1"}}'), /AttributeValue is empty/, '{"X": "1"}'],
    'a number that is none': [() => fromDynamoDbJson('{"a": {"N": "x"}}'), /numeric value/, '{"N": "x"}'],
    'an item that is a list': [() => fromPlainJson('[1]'), /An item must be an object/, '[1]'],
  }
  for (const [name, [read, words, place]] of Object.entries(mistakes)) {
    test(name, () => {
      let mistake: unknown
      try {
        read()
      } catch (error) {
        mistake = error
      }
      expect(mistake).toBeInstanceOf(TextMistake)
      const { message, start, end } = mistake as TextMistake
      expect(message).toMatch(words)
      expect(end - start).toBe(place.length)
    })
  }
})
