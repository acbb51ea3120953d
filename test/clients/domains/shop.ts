import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import type { PlainItem } from './plain-item.ts'

/** A shop in a single table: users with their orders, order lines, products by category and price, sessions. GSI4 is sparse
 *  and holds only the orders that somebody is working on. */
export const shopTable = {
  TableName: 'AppTable',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: keySchema('PK', 'SK'),
  AttributeDefinitions: ['', 'GSI1', 'GSI2', 'GSI3', 'GSI4'].flatMap((index) => [
    { AttributeName: `${index}PK`, AttributeType: 'S' as const },
    { AttributeName: `${index}SK`, AttributeType: 'S' as const },
  ]),
  GlobalSecondaryIndexes: [
    { IndexName: 'GSI1', KeySchema: keySchema('GSI1PK', 'GSI1SK'), Projection: { ProjectionType: 'ALL' } },
    {
      IndexName: 'GSI2',
      KeySchema: keySchema('GSI2PK', 'GSI2SK'),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['status', 'userId', 'total', 'createdAt'] },
    },
    {
      IndexName: 'GSI3',
      KeySchema: keySchema('GSI3PK', 'GSI3SK'),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name', 'price', 'imageUrl'] },
    },
    { IndexName: 'GSI4', KeySchema: keySchema('GSI4PK', 'GSI4SK'), Projection: { ProjectionType: 'KEYS_ONLY' } },
  ],
} satisfies CreateTableCommandInput

export interface User {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly createdAt: string
}

export interface Order {
  readonly orderId: string
  readonly userId: string
  readonly status: string
  readonly total: number
  readonly createdAt: string
}

export interface OrderLine {
  readonly orderId: string
  readonly productId: string
  readonly quantity: number
  readonly unitPrice: number
}

export interface Product {
  readonly productId: string
  readonly name: string
  readonly category: string
  readonly price: number
  readonly stock: number
  readonly imageUrl: string
}

export const users: readonly [User, User] = [
  { userId: 'u-001', email: 'alice@example.com', name: 'Alice', createdAt: '2026-01-15T08:00:00Z' },
  { userId: 'u-002', email: 'bob@example.com', name: 'Bob', createdAt: '2026-02-01T09:30:00Z' },
]

export const orders: readonly Order[] = [
  { orderId: 'o-101', userId: 'u-001', status: 'delivered', total: 24, createdAt: '2026-01-20T10:00:00Z' },
  { orderId: 'o-215', userId: 'u-001', status: 'delivered', total: 9.5, createdAt: '2026-03-05T17:45:00Z' },
  { orderId: 'o-456', userId: 'u-001', status: 'open', total: 1299, createdAt: '2026-05-02T07:12:00Z' },
  { orderId: 'o-789', userId: 'u-001', status: 'open', total: 159.48, createdAt: '2026-06-10T14:32:00Z' },
  { orderId: 'o-790', userId: 'u-001', status: 'shipped', total: 74.99, createdAt: '2026-06-12T19:00:00Z' },
  { orderId: 'o-300', userId: 'u-002', status: 'open', total: 149.99, createdAt: '2026-04-11T12:00:00Z' },
]

export const orderLines: readonly OrderLine[] = [
  { orderId: 'o-789', productId: 'p-555', quantity: 2, unitPrice: 74.99 },
  { orderId: 'o-789', productId: 'p-556', quantity: 1, unitPrice: 9.5 },
  { orderId: 'o-790', productId: 'p-555', quantity: 1, unitPrice: 74.99 },
]

export const products: readonly Product[] = [
  product('p-555', 'Mechanical keyboard', 'electronics', 74.99, 230),
  product('p-556', 'Braided cable', 'electronics', 9.5, 1200),
  product('p-557', 'Laptop', 'electronics', 1299, 8),
  product('p-558', 'Headphones', 'electronics', 149.99, 61),
  product('p-700', 'Data modelling', 'books', 24, 40),
]

export const session = { sessionId: 's-9f', userId: 'u-001', expiresAt: 1_800_000_000 }

/** What the access patterns answer on this data. */
export const shopAnswers = {
  ordersNewestFirst: ['o-790', 'o-789', 'o-456', 'o-215', 'o-101'],
  threeMostRecent: ['o-790', 'o-789', 'o-456'],
  ordersOfJune: ['o-789', 'o-790'],
  linesOfOrder: ['p-555', 'p-556'],
  openOrdersOldestFirst: ['o-300', 'o-456', 'o-789'],
  electronicsByPrice: ['p-556', 'p-555', 'p-558', 'p-557'],
  electronicsFrom50To150: ['p-555', 'p-558'],
} as const

/** The order that the tests follow through its life. */
export const followedOrder: Order = orderOf('o-789')

/** Every item of the shop with the keys that this table's readers know. */
export function shopItems(): PlainItem[] {
  return [
    ...users.map(userItem),
    ...orders.map(orderItem),
    ...orderLines.map(orderLineItem),
    ...products.map(productItem),
    ...products.map(categoryItem),
    { PK: `SESSION#${session.sessionId}`, SK: session.userId, EntityType: 'Session', ...session },
  ]
}

export function userItem(user: User): PlainItem {
  return {
    PK: `USER#${user.userId}`,
    SK: 'PROFILE',
    EntityType: 'User',
    ...user,
    GSI1PK: `EMAIL#${user.email}`,
    GSI1SK: `USER#${user.userId}`,
  }
}

/** An order is found with its lines in GSI1, and by its status in GSI2. */
export function orderItem(order: Order): PlainItem {
  return {
    ...orderKey(order),
    EntityType: 'Order',
    ...order,
    GSI1PK: `ORDER#${order.orderId}`,
    GSI1SK: 'ORDER',
    GSI2PK: `STATUS#${order.status}`,
    GSI2SK: `${order.createdAt}#${order.orderId}`,
  }
}

export function orderKey(order: Order): { PK: string; SK: string } {
  return { PK: `USER#${order.userId}`, SK: `ORDER#${order.createdAt}#${order.orderId}` }
}

export function orderLineItem(line: OrderLine): PlainItem {
  const PK = `ORDER#${line.orderId}`
  const SK = `ITEM#${line.productId}`
  return { PK, SK, EntityType: 'OrderItem', ...line, GSI1PK: PK, GSI1SK: SK }
}

export function productItem(product: Product): PlainItem {
  return {
    PK: `PRODUCT#${product.productId}`,
    SK: 'METADATA',
    EntityType: 'Product',
    ...product,
    GSI3PK: `CATEGORY#${product.category}`,
    GSI3SK: `${priceKey(product.price)}#PRODUCT#${product.productId}`,
  }
}

/** Padded so that the order of the text is the order of the prices. */
export function priceKey(price: number): string {
  return `PRICE#${price.toFixed(2).padStart(9, '0')}`
}

function orderOf(orderId: string): Order {
  const order = orders.find((candidate) => candidate.orderId === orderId)
  if (order === undefined) throw new Error(`The shop has no order ${orderId}.`)
  return order
}

export function productOf(productId: string): Product {
  const found = products.find((candidate) => candidate.productId === productId)
  if (found === undefined) throw new Error(`The shop has no product ${productId}.`)
  return found
}

function categoryItem({ category, productId, name }: Product): PlainItem {
  return {
    PK: `CATEGORY#${category}`,
    SK: `PRODUCT#${productId}`,
    EntityType: 'Category',
    category,
    productId,
    name,
  }
}

function product(productId: string, name: string, category: string, price: number, stock: number): Product {
  return { productId, name, category, price, stock, imageUrl: `https://shop.example/${productId}.jpg` }
}

function keySchema(
  hash: string,
  range: string,
): [{ AttributeName: string; KeyType: 'HASH' }, { AttributeName: string; KeyType: 'RANGE' }] {
  return [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ]
}
