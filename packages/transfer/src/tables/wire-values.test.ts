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
