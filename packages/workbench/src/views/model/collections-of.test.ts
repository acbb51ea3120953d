import { describe as describeModel, entity, model, s } from '@hashrange/model'
import { expect, test } from 'vitest'
import { placesOf } from './collections-of.ts'

const Customer = entity('Customer', { customerId: s.string(), email: s.string() })
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'PROFILE' })
  .unique('email', { pk: 'EMAIL#{email}', sk: 'EMAIL' })

const Order = entity('Order', { customerId: s.string(), orderId: s.string(), status: s.enum('open', 'done') })
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#{orderId}' })
  .index('open', { pk: 'OPEN', sk: '{orderId}', when: { status: ['open'] } })

const shop = model({
  name: 'shop',
  table: { pk: 'PK', sk: 'SK', indexes: { open: { pk: 'GSI1PK', sk: 'GSI1SK' } } },
  entities: { Customer, Order },
  patterns: (p) => ({
    customerWithOrders: p.query({ pk: 'CUSTOMER#{customerId}' }),
  }),
})

test('what shares a partition key is one collection, in the order of the sort keys; satellites have their own', () => {
  const [table, index] = placesOf(describeModel(shop))
  expect(table?.collections.map(({ partition, members }) => [partition, members.map(({ name }) => name)])).toEqual([
    ['CUSTOMER#{customerId}', ['Order', 'Customer']],
    ['EMAIL#{email}', ['Customer.email']],
  ])
  expect(table?.collections[0]?.patterns.map(({ name }) => name)).toEqual(['customerWithOrders'])
  expect(index?.collections).toMatchObject([
    { partition: 'OPEN', members: [{ name: 'Order', entity: 'Order', when: 'status is open' }], patterns: [] },
  ])
})
