import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Entity, Service } from 'electrodb'

/** The shop as ElectroDB would have it: entities with indexes of their own making, joined by collections. */
export function shopService(client: DynamoDBClient, table: string) {
  const user = new Entity(
    {
      model: { entity: 'user', version: '1', service: 'shop' },
      attributes: {
        userId: { type: 'string', required: true },
        email: { type: 'string', required: true },
        name: { type: 'string', required: true },
        createdAt: { type: 'string', required: true, readOnly: true },
      },
      indexes: {
        profile: {
          collection: 'account',
          pk: { field: 'PK', composite: ['userId'] },
          sk: { field: 'SK', composite: [] },
        },
        byEmail: {
          index: 'GSI1',
          pk: { field: 'GSI1PK', composite: ['email'] },
          sk: { field: 'GSI1SK', composite: ['userId'] },
        },
      },
    },
    { client, table },
  )

  const order = new Entity(
    {
      model: { entity: 'order', version: '1', service: 'shop' },
      attributes: {
        orderId: { type: 'string', required: true },
        userId: { type: 'string', required: true },
        status: { type: ['open', 'shipped', 'delivered'] as const, required: true },
        total: { type: 'number', required: true },
        createdAt: { type: 'string', required: true, readOnly: true },
        /** Only an order that somebody works on is in GSI4. */
        activity: { type: ['none', 'packing'] as const, default: 'none', required: true },
        version: { type: 'number', default: 0 },
      },
      indexes: {
        byUser: {
          collection: 'account',
          pk: { field: 'PK', composite: ['userId'] },
          sk: { field: 'SK', composite: ['createdAt', 'orderId'] },
        },
        byId: {
          index: 'GSI1',
          collection: 'wholeOrder',
          pk: { field: 'GSI1PK', composite: ['orderId'] },
          sk: { field: 'GSI1SK', composite: [] },
        },
        byStatus: {
          index: 'GSI2',
          projection: ['status', 'userId', 'total', 'createdAt'],
          pk: { field: 'GSI2PK', composite: ['status'] },
          sk: { field: 'GSI2SK', composite: ['createdAt', 'orderId'] },
        },
        active: {
          index: 'GSI4',
          projection: 'keys_only',
          condition: (attributes) => attributes['activity'] !== 'none',
          pk: { field: 'GSI4PK', composite: ['activity'] },
          sk: { field: 'GSI4SK', composite: ['createdAt'] },
        },
      },
    },
    { client, table },
  )

  const line = new Entity(
    {
      model: { entity: 'line', version: '1', service: 'shop' },
      attributes: {
        orderId: { type: 'string', required: true },
        productId: { type: 'string', required: true },
        quantity: { type: 'number', required: true },
        unitPrice: { type: 'number', required: true },
      },
      indexes: {
        byOrder: {
          pk: { field: 'PK', composite: ['orderId'] },
          sk: { field: 'SK', composite: ['productId'] },
        },
        withOrder: {
          index: 'GSI1',
          collection: 'wholeOrder',
          pk: { field: 'GSI1PK', composite: ['orderId'] },
          sk: { field: 'GSI1SK', composite: ['productId'] },
        },
      },
    },
    { client, table },
  )

  const product = new Entity(
    {
      model: { entity: 'product', version: '1', service: 'shop' },
      attributes: {
        productId: { type: 'string', required: true },
        name: { type: 'string', required: true },
        category: { type: 'string', required: true },
        price: { type: 'number', required: true },
        stock: { type: 'number', required: true },
        imageUrl: { type: 'string', required: true },
        /** The price as whole cents, padded in keys so that their order is the order of the prices. */
        priceCents: {
          type: 'number',
          hidden: true,
          padding: { length: 9, char: '0' },
          watch: ['price'],
          set: (_, { price }) => (price === undefined ? undefined : Math.round(price * 100)),
        },
      },
      indexes: {
        byId: {
          pk: { field: 'PK', composite: ['productId'] },
          sk: { field: 'SK', composite: [] },
        },
        byCategory: {
          index: 'GSI3',
          projection: ['name', 'price', 'imageUrl'],
          pk: { field: 'GSI3PK', composite: ['category'] },
          sk: { field: 'GSI3SK', composite: ['priceCents', 'productId'] },
        },
      },
    },
    { client, table },
  )

  const session = new Entity(
    {
      model: { entity: 'session', version: '1', service: 'shop' },
      attributes: {
        sessionId: { type: 'string', required: true },
        userId: { type: 'string', required: true },
        expiresAt: { type: 'number', required: true },
      },
      indexes: {
        byId: {
          pk: { field: 'PK', composite: ['sessionId'] },
          sk: { field: 'SK', composite: ['userId'] },
        },
      },
    },
    { client, table },
  )

  return new Service({ user, order, line, product, session }, { client, table })
}
