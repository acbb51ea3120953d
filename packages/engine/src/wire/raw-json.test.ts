import { describe, expect, test } from 'vitest'
import { RawJson, toJsonBytes, toPlain } from './raw-json.ts'

const stored = { name: { S: 'Zoë ☕ 𝄞' }, n: { N: '1' } }

function raw(value: unknown, before = ''): RawJson {
  return new RawJson(Buffer.from(before + JSON.stringify(value)), before.length)
}

describe('an answer as JSON', () => {
  const answers: readonly [string, object][] = [
    ['an item', { Item: raw(stored, 'head.') }],
    ['no item', { ConsumedCapacity: undefined }],
    [
      'many items',
      { Items: Array.from({ length: 20 }, () => raw(stored)), Count: 20, LastEvaluatedKey: { pk: { S: 'é' } } },
    ],
    ['items by table names', { Responses: { tablé: [raw(stored), raw({})], '': [] }, UnprocessedKeys: {} }],
    [
      'long text between items',
      { a: 'x'.repeat(1000), Item: raw(stored), b: 'ü'.repeat(1000), Item2: raw(stored), c: '\u{10ffff}' },
    ],
    ['half a surrogate pair', { a: '\ud800', Item: raw(stored), b: '\udc00' }],
    ['text without items', { message: 'Ünlü "quoted" \n' }],
  ]

  for (const [name, answer] of answers) {
    test(`has ${name} as its plain form would`, () => {
      expect(toJsonBytes(answer).toString('utf8')).toBe(
        Buffer.from(JSON.stringify(toPlain(answer))).toString('utf8'),
      )
    })
  }

  test('is no bytes where there is no answer', () => {
    expect(toJsonBytes(undefined)).toHaveLength(0)
  })
})

test('a plain answer keeps an attribute of any name', () => {
  const plain = toPlain({ Item: JSON.parse('{"__proto__":{"S":"a"}}') as object }) as { readonly Item: object }
  expect(JSON.stringify(plain)).toBe('{"Item":{"__proto__":{"S":"a"}}}')
})
