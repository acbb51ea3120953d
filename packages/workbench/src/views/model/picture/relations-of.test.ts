import type { ModelDescription } from '@hashrange/model'
import { expect, test } from 'vitest'
import { relationsOf } from './relations-of.ts'

const entity = (name: string, attributes: readonly string[], pk: string, sk: string) => ({
  name,
  attributes: attributes.map((each) => ({ name: each })),
  key: { partition: { text: pk }, sort: { text: sk } },
})

test('entities belong together by the keys that they contain, and to the nearest one only', () => {
  const model = {
    entities: [
      entity('Customer', ['customerId', 'email'], 'CUSTOMER#{customerId}', 'PROFILE'),
      entity('Order', ['customerId', 'orderId'], 'CUSTOMER#{customerId}', 'ORDER#{orderId}'),
      entity('Line', ['customerId', 'orderId', 'n'], 'CUSTOMER#{customerId}', 'ORDER#{orderId}#{n:04}'),
      entity('Settings', ['theme'], 'SETTINGS', 'SETTINGS'),
    ],
  } as unknown as ModelDescription
  expect(relationsOf(model)).toEqual([
    { from: 'Order', to: 'Customer', by: ['customerId'] },
    { from: 'Line', to: 'Order', by: ['customerId', 'orderId'] },
  ])
})
