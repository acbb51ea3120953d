import { expect, test } from 'vitest'
import { fromSdk, toSdk } from './wire-values.ts'

test('binary values are bytes for the SDK and base64 on the wire, wherever they stand', () => {
  const wire = {
    Item: {
      B: { B: 'AQI=' },
      BS: { BS: ['AQ==', 'Ag=='] },
      nested: { M: { B: { S: 'B' }, list: { L: [{ B: '' }] } } },
    },
  }
  const sdk = toSdk(wire)
  expect(sdk).toEqual({
    Item: {
      B: { B: Buffer.of(1, 2) },
      BS: { BS: [Buffer.of(1), Buffer.of(2)] },
      nested: { M: { B: { S: 'B' }, list: { L: [{ B: Buffer.alloc(0) }] } } },
    },
  })
  expect(fromSdk(sdk)).toEqual(wire)
})

test('an attribute named __proto__ is sent, and refused if the SDK has lost its value', () => {
  const item = (text: string): unknown => JSON.parse(`{"map":{"M":{"__proto__":${text}}}}`)
  const sent = item('{"S":"x"}')
  expect(JSON.stringify(toSdk(sent))).toBe(JSON.stringify(sent))
  expect(JSON.stringify(fromSdk(sent))).toBe(JSON.stringify(sent))
  const own = { value: undefined, enumerable: true, configurable: true, writable: true }
  const read = { Items: [Object.defineProperty({ id: { S: '1' } }, '__proto__', own)] }
  expect(() => fromSdk(read)).toThrow(
    /^An item has an attribute named __proto__, which the AWS SDK for JavaScript cannot read\./,
  )
})
