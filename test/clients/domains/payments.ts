import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'

/** Orders that are paid from accounts, in two tables. */
export const paymentTables = {
  orders: {
    TableName: 'orders',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'customerId', KeyType: 'HASH' },
      { AttributeName: 'orderId', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'customerId', AttributeType: 'S' },
      { AttributeName: 'orderId', AttributeType: 'S' },
    ],
  },
  accounts: {
    TableName: 'accounts',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'customerId', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'customerId', AttributeType: 'S' }],
  },
} satisfies Record<string, CreateTableCommandInput>

export interface Account {
  readonly customerId: string
  readonly balance: number
}

export const accounts: readonly [Account, Account] = [
  { customerId: 'cust-123', balance: 250 },
  { customerId: 'cust-456', balance: 10 },
]

export const paidOrder = { customerId: 'cust-123', orderId: 'ord-789', status: 'pending', amount: 99.99 }

/** How hard the clients contend for one item. */
export const contention = { workers: 6, incrementsEach: 5 }
