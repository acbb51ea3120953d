import { entity, model, now, s, secondsFromNow, ulid, type StandardSchema } from '@hashrange/model'

/** Of the customer service, which numbers orders by year: 'ord-2026-000042'. */
const orderNumber: StandardSchema<string> = {
  '~standard': {
    version: 1,
    vendor: 'payments',
    validate: (value) =>
      typeof value === 'string' && /^[\w-]+$/.test(value)
        ? { value }
        : { issues: [{ message: "is a number such as 'ord-2026-000042'" }] },
  },
}

const cents = () => s.int().range(0, 100_000_000_000)
const daySeconds = 86_400

// ---- accounts: one item each, no sort key ------------------------------------------------------------------------------

export const Account = entity('Account', {
  accountId: s.uuid(),
  holder: s.string().size(16),
  currency: s.enum('EUR', 'USD', 'NZD'),
  balance: cents().default(0),
  version: s.version(),
})
  .in('accounts')
  .key({ pk: '{accountId}' })
  .volume({ items: 500_000 })
  .owner('ledger')

// ---- ledger: what happened to an account, a partition for each month ---------------------------------------------------------

export const LedgerEntry = entity('LedgerEntry', {
  accountId: s.uuid(),
  bookedAt: s.iso(),
  transferId: s.ulid(),
  amount: s.int(),
  /** A copy: what the statement says stays as it was. */
  counterparty: s.string().size(16),
  text: s.string().size(30),
})
  .in('ledger')
  .key({ pk: 'ACCOUNT#{accountId}#{bookedAt:month}', sk: '{bookedAt}#{transferId}' })
  .index('byTransfer', { pk: 'TRANSFER#{transferId}', sk: '{accountId}' })
  .volume({ items: 600_000_000, perPartition: 40 })
  .owner('ledger')

// ---- orders: the keys are the attributes themselves -----------------------------------------------------------------------------

export const Order = entity('Order', {
  customerId: s.uuid(),
  orderId: s.string().check(orderNumber).size(15),
  merchantId: s.uuid(),
  status: s.enum('pending', 'paid', 'refunded').default('pending'),
  amount: cents(),
  createdAt: s.iso('second').default(now).readOnly(),
  updatedAt: s.iso('second').default(now),
  lines: s.list(s.map({ sku: s.string().size(8), quantity: s.int() })).count(2, 100),
})
  .in('orders')
  .key({ pk: '{customerId}', sk: '{orderId}' })
  .index('byMerchant', { pk: ['merchantId', 'status'], sk: ['createdAt', 'orderId'] })
  .volume({ items: 20_000_000, perPartition: 10, maxPerPartition: 2000 })
  .owner('orders')

// ---- payments: the caller's key makes a repetition harmless ------------------------------------------------------------------------

export const Payment = entity('Payment', {
  /** Chosen by the caller, once for each attempt of a person to pay. */
  idempotencyKey: s.uuid(),
  paymentId: s.ulid().default(ulid).readOnly(),
  orderId: s.string().size(15),
  accountId: s.uuid(),
  amount: cents(),
  status: s.enum('pending', 'succeeded', 'failed').default('pending'),
  attempts: s.int().default(1),
  failure: s.string().size(20).optional(),
  expiresAt: s.ttl().default(secondsFromNow(400 * daySeconds)),
})
  .in('payments')
  .key({ pk: '{idempotencyKey}' })
  .volume({ items: 20_000_000 })
  .owner('payments')

// ---- access: many people for many merchants, read from both sides by turning the key around ------------------------------------------

export const Grant = entity('Grant', {
  userId: s.uuid(),
  merchantId: s.uuid(),
  role: s.enum('admin', 'clerk', 'auditor'),
})
  .in('access')
  .key({ pk: 'USER#{userId}', sk: 'MERCHANT#{merchantId}' })
  .index('inverted', { pk: 'MERCHANT#{merchantId}', sk: 'USER#{userId}' })
  .volume({ items: 100_000, perPartition: 2, maxPerPartition: 200 })
  .owner('accounts')

export const payments = model({
  name: 'payments',
  description: 'Orders, the payments for them, and the accounts between which money moves',
  owner: 'payments',
  tables: {
    accounts: { pk: 'accountId', pointInTimeRecovery: true, deletionProtection: true },
    ledger: { pointInTimeRecovery: true, deletionProtection: true, tableClass: 'STANDARD_INFREQUENT_ACCESS' },
    orders: { pk: 'customerId', sk: 'orderId', indexes: { byMerchant: { projection: ['amount'] } } },
    payments: { pk: 'idempotencyKey', stream: 'NEW_AND_OLD_IMAGES' },
    access: { indexes: { inverted: { pk: 'sk', sk: 'pk' } } },
  },
  entities: { Account, LedgerEntry, Order, Payment, Grant },
  patterns: (p) => ({
    // Accounts.
    account: p.get('Account', { consistent: true, traffic: { rate: 300 }, budget: { requests: 1, readUnits: 1 } }),
    openAccount: p.create('Account', { traffic: { rate: 1 } }),
    bothAccounts: p.transactGet('Account', {
      description: 'Two balances of one moment: money that is under way is never counted twice',
      traffic: { rate: 5, items: 2 },
      budget: { requests: 1, readUnits: 4 },
    }),
    transfer: p.transact(
      { 'Account.update': 2, 'LedgerEntry.create': 2 },
      {
        description: 'Taken from one account, given to the other, noted for both',
        traffic: { rate: 50, peakRate: 200 },
        budget: { requests: 1 },
      },
    ),
    statement: p.query({
      description: 'An account in a month, newest first',
      on: 'ledger',
      pk: 'ACCOUNT#{accountId}#{bookedAt:month}',
      order: 'desc',
      limit: 50,
      traffic: { rate: 30 },
      budget: { requests: 1, readUnits: 2 },
    }),
    bookingsOfTransfer: p.query({ on: 'byTransfer', pk: 'TRANSFER#{transferId}', limit: 10, traffic: { rate: 1 } }),

    // Orders.
    order: p.get('Order', { traffic: { rate: 100 }, budget: { requests: 1, readUnits: 0.5 } }),
    ordersOfCustomer: p.query({
      description: 'Newest first, or those of a year: the number begins with it',
      on: 'orders',
      pk: '{customerId}',
      range: 'orderId',
      order: 'desc',
      limit: 20,
      traffic: { rate: 80 },
      budget: { requests: 1, readUnits: 1.5 },
    }),
    ordersOfMerchant: p.query({
      description: 'Of a status, since a day',
      on: 'byMerchant',
      pk: ['merchantId', 'status'],
      range: 'createdAt',
      order: 'desc',
      limit: 50,
      traffic: { rate: 20, items: 20 },
      budget: { requests: 1, readUnits: 1.5 },
    }),
    checkout: p.transact(
      { 'Order.create': 1, 'Account.update': 1 },
      {
        description: 'An order, and the money for it',
        traffic: { rate: 20, peakRate: 100 },
        budget: { requests: 1 },
      },
    ),
    settleOrder: p.update('Order', {
      description: 'Only from the status it is thought to have',
      changes: ['status', 'updatedAt'],
      traffic: { rate: 20 },
      budget: { requests: 1 },
    }),

    // Payments.
    payment: p.get('Payment', { consistent: true, traffic: { rate: 40 }, budget: { readUnits: 1 } }),
    beginPayment: p.create('Payment', {
      traffic: { rate: 20, peakRate: 100 },
      budget: { requests: 1, writeUnits: 1 },
    }),
    finishPayment: p.update('Payment', {
      changes: ['status', 'attempts'],
      traffic: { rate: 20 },
      budget: { writeUnits: 1 },
    }),

    // Access.
    merchantsOfUser: p.query({ on: 'access', pk: 'USER#{userId}', sk: 'MERCHANT#*', traffic: { rate: 50 } }),
    usersOfMerchant: p.query({ on: 'inverted', pk: 'MERCHANT#{merchantId}', limit: 100, traffic: { rate: 1 } }),
    grant: p.put('Grant', { traffic: { rate: 0.1 } }),
    revoke: p.delete('Grant', { traffic: { rate: 0.1 } }),
  }),
})
