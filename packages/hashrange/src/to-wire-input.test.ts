import { describe, expect, test } from 'vitest'
import { toWireInput, toWireInputOfRead } from './to-wire-input.ts'

test('keeps what JSON can say and drops what it cannot', () => {
  const input = { a: [1, 'x', true, null, undefined], b: undefined, c: () => 1, d: Number.NaN, e: { f: {} } }
  expect(toWireInput(input)).toEqual({ a: [1, 'x', true, null, null], d: null, e: { f: {} } })
  expect(JSON.stringify(toWireInput(input))).toBe('{"a":[1,"x",true,null,null],"d":null,"e":{"f":{}}}')
})

test('writes bytes in base64 and times in seconds', () => {
  expect(toWireInput({ B: Uint8Array.of(1, 2, 3), T: new Date(1500) })).toEqual({ B: 'AQID', T: 1.5 })
  expect(toWireInput(Buffer.from('abc').subarray(1))).toBe('YmM=')
})

test('is a copy', () => {
  const input = { Item: { pk: { S: 'a' } } }
  const wire = toWireInput(input)
  input.Item.pk.S = 'b'
  expect(wire).toEqual({ Item: { pk: { S: 'a' } } })
})

test('leaves prototypes alone', () => {
  const wire = toWireInput(JSON.parse('{"__proto__":{"S":"x"}}'))
  expect(Object.getPrototypeOf(wire)).toBe(Object.prototype)
  expect(JSON.stringify(wire)).toBe('{"__proto__":{"S":"x"}}')
})

test('refuses an input without end', () => {
  const input: Record<string, unknown> = {}
  input['self'] = input
  expect(() => toWireInput(input)).toThrow('nested too deeply')
})

describe('the input of a read', () => {
  test('is used as it is when it is in wire form already', () => {
    const input = { TableName: 't', Key: { pk: { S: 'a' } }, Limit: 3, List: [null, true] }
    expect(toWireInputOfRead(input)).toBe(input)
  })

  test.each<object>([
    { Key: { pk: { B: new Uint8Array([1]) } } },
    { Limit: undefined },
    { Limit: Number.NaN },
    { Keys: [{ pk: new Date(0) }] },
    { toString: () => 'x' },
  ])('is brought into wire form otherwise: %o', (input) => {
    expect(toWireInputOfRead(input)).toEqual(toWireInput(input))
    expect(toWireInputOfRead(input)).not.toBe(input)
  })
})
