import { describe, expect, test } from 'vitest'
import { scanAttributes, wantedAttributes } from './scan-attributes.ts'

function scan(json: string, ...names: readonly string[]): unknown {
  return scanAttributes(Buffer.from(`.....${json}`), 5, wantedAttributes(names))?.item
}

describe('reading a few attributes from the JSON of an item', () => {
  test('finds what JSON.parse finds, in the order of the item', () => {
    const item = {
      map: { M: { pk: { S: 'not this one' }, list: { L: [{ S: '}]"' }, { M: {} }] } } },
      pk: { S: 'é "quoted" \\ \u0001 🦑 \u2028' },
      set: { SS: ['a', '{"pk":{"S":"nor this"}}'] },
      sk: { N: '-12.5' },
      '"odd\\ näme"': { B: 'AAA=' },
      empty: { S: '' },
      yes: { BOOL: true },
      __proto__x: { NULL: true },
    }
    const json = JSON.stringify(item)
    const names = Object.keys(item)
    expect(scan(json, ...names)).toEqual(item)
    expect(Object.keys(scan(json, 'sk', 'pk') as object)).toEqual(['pk', 'sk'])
    for (const name of names) expect(scan(json, name)).toEqual({ [name]: item[name as keyof typeof item] })
  })

  test('leaves out what the item does not have', () => {
    expect(scan('{"a":{"S":"b"}}', 'b', 'S', 'toString')).toEqual({})
    expect(scan('{}', 'a')).toEqual({})
    expect(scan('{"a":{"S":"b"}}')).toEqual({})
  })

  test('an attribute may have any name', () => {
    const found = scan('{"__proto__":{"S":"x"},"constructor":{"N":"1"}}', '__proto__', 'constructor') as object
    expect(Object.entries(found)).toEqual([
      ['__proto__', { S: 'x' }],
      ['constructor', { N: '1' }],
    ])
  })

  test('does not guess at what is not as we write it', () => {
    for (const json of [
      '',
      '[]',
      '{ "a":{"S":"b"}}',
      '{"a": {"S":"b"}}',
      '{"a":{"S":"b"} }',
      '{"a":1}',
      '{"a":{"S":"b',
    ]) {
      expect(scan(json, 'a', 'z')).toBeUndefined()
    }
  })
})
