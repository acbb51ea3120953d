import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { Entity, item, number, string, Table } from 'dynamodb-toolbox'
import { priceKey } from '../domains/shop.ts'

/** The shop as entities of DynamoDB-Toolbox: keys are computed, and index keys are linked to the attributes they follow. */
export function shopEntities(client: DynamoDBClient, name: string) {
  const table = new Table({
    documentClient: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    name,
    partitionKey: { name: 'PK', type: 'string' },
    sortKey: { name: 'SK', type: 'string' },
    indexes: {
      GSI1: index('GSI1PK', 'GSI1SK'),
      GSI2: index('GSI2PK', 'GSI2SK'),
      GSI3: index('GSI3PK', 'GSI3SK'),
      GSI4: index('GSI4PK', 'GSI4SK'),
    },
  })

  const user = new Entity({
    name: 'User',
    table,
    timestamps: false,
    schema: item({
      userId: string().key(),
      email: string(),
      name: string(),
      createdAt: string(),
    }).and((user) => ({
      GSI1PK: string()
        .hidden()
        .link<typeof user>(({ email }) => `EMAIL#${email}`),
      GSI1SK: string()
        .hidden()
        .link<typeof user>(({ userId }) => `USER#${userId}`),
    })),
    computeKey: ({ userId }) => ({ PK: `USER#${userId}`, SK: 'PROFILE' }),
  })

  const order = new Entity({
    name: 'Order',
    table,
    timestamps: false,
    schema: item({
      userId: string().key(),
      createdAt: string().key(),
      orderId: string().key(),
      status: string(),
      total: number(),
      version: number().default(0),
      // Present while somebody works on the order, and so is its entry in the sparse index.
      GSI4PK: string().hidden().optional(),
      GSI4SK: string().hidden().optional(),
    }).and((order) => ({
      GSI1PK: string()
        .hidden()
        .link<typeof order>(({ orderId }) => `ORDER#${orderId}`),
      GSI1SK: string().hidden().default('ORDER'),
      // An update that leaves the status alone leaves its index key alone.
      GSI2PK: string()
        .hidden()
        .putLink<typeof order>(({ status }) => `STATUS#${status}`)
        .updateLink<typeof order>(({ status }) => (typeof status === 'string' ? `STATUS#${status}` : undefined)),
      GSI2SK: string()
        .hidden()
        .link<typeof order>(({ createdAt, orderId }) => `${createdAt}#${orderId}`),
    })),
    computeKey: ({ userId, createdAt, orderId }) => ({ PK: `USER#${userId}`, SK: `ORDER#${createdAt}#${orderId}` }),
  })

  const line = new Entity({
    name: 'OrderItem',
    table,
    timestamps: false,
    schema: item({
      orderId: string().key(),
      productId: string().key(),
      quantity: number(),
      unitPrice: number(),
    }).and((line) => ({
      GSI1PK: string()
        .hidden()
        .link<typeof line>(({ orderId }) => `ORDER#${orderId}`),
      GSI1SK: string()
        .hidden()
        .link<typeof line>(({ productId }) => `ITEM#${productId}`),
    })),
    computeKey: ({ orderId, productId }) => ({ PK: `ORDER#${orderId}`, SK: `ITEM#${productId}` }),
  })

  const product = new Entity({
    name: 'Product',
    table,
    timestamps: false,
    schema: item({
      productId: string().key(),
      name: string(),
      category: string(),
      price: number(),
      stock: number(),
      imageUrl: string(),
    }).and((product) => ({
      GSI3PK: string()
        .hidden()
        .putLink<typeof product>(({ category }) => `CATEGORY#${category}`),
      GSI3SK: string()
        .hidden()
        .putLink<typeof product>(({ price, productId }) => `${priceKey(price)}#PRODUCT#${productId}`),
    })),
    computeKey: ({ productId }) => ({ PK: `PRODUCT#${productId}`, SK: 'METADATA' }),
  })

  const session = new Entity({
    name: 'Session',
    table,
    timestamps: false,
    schema: item({ sessionId: string().key(), userId: string().key(), expiresAt: number() }),
    computeKey: ({ sessionId, userId }) => ({ PK: `SESSION#${sessionId}`, SK: userId }),
  })

  return { table, user, order, line, product, session }
}

function index<Hash extends string, Range extends string>(hash: Hash, range: Range) {
  return {
    type: 'global' as const,
    partitionKey: { name: hash, type: 'string' as const },
    sortKey: { name: range, type: 'string' as const },
  }
}
