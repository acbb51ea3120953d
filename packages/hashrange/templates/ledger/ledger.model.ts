import { entity, model, now, s, ulid } from '@hashrange/model'

/** Amounts are cents: whole numbers, which add up exactly. */
const cents = () => s.int().range(-99_999_999_999, 99_999_999_999)

const Account = entity('Account', {
  accountId: s.ulid().default(ulid),
  owner: s.ulid(),
  currency: s.enum('EUR', 'USD', 'GBP'),
  balance: cents().default(0),
  openedAt: s.iso('second').default(now).readOnly(),
})
  .key({ pk: 'ACCOUNT#{accountId}', sk: 'ACCOUNT' })
  .index('byOwner', { pk: 'OWNER#{owner}', sk: '{openedAt}#{accountId}' })
  .volume({ items: 300_000 })

/** One side of a transfer. Entries are only ever added. */
const Entry = entity('Entry', {
  accountId: s.ulid(),
  at: s.iso().default(now),
  transferId: s.ulid(),
  amount: cents(),
  text: s.string().size(30, 140),
})
  .key({ pk: 'ACCOUNT#{accountId}', sk: 'ENTRY#{at}#{transferId}' })
  .volume({ items: 60_000_000, perPartition: 200, maxPerPartition: 100_000 })

/** Exists once for each transfer, so that a transfer that is sent twice is made once. */
const Transfer = entity('Transfer', {
  transferId: s.ulid(),
  from: s.ulid(),
  to: s.ulid(),
  amount: s.int().range(1, 99_999_999_999),
  at: s.iso().default(now),
})
  .key({ pk: 'TRANSFER#{transferId}', sk: 'TRANSFER' })
  .volume({ items: 30_000_000 })

export const ledger = model({
  name: 'ledger',
  owner: 'payments team',
  table: { pointInTimeRecovery: true, deletionProtection: true },
  entities: { Account, Entry, Transfer },
  patterns: (p) => ({
    getAccount: p.get('Account', { consistent: true, traffic: { rate: 200 }, budget: { readUnits: 1 } }),
    accountsOfOwner: p.query({ on: 'byOwner', pk: 'OWNER#{owner}', limit: 50, traffic: { rate: 30 } }),
    statement: p.query({
      description: 'The entries of any period, newest first',
      pk: 'ACCOUNT#{accountId}',
      sk: 'ENTRY#*',
      range: 'at',
      order: 'desc',
      limit: 50,
      traffic: { rate: 100 },
    }),
    getTransfer: p.get('Transfer', { traffic: { rate: 5 } }),
    openAccount: p.create('Account', { traffic: { rate: 0.5 } }),
    transfer: p.transact(
      { 'Transfer.create': 1, 'Account.update': 2, 'Entry.create': 2 },
      {
        description: 'Both balances and both entries, once: the amount must be there',
        traffic: { rate: 40, peakRate: 200 },
        budget: { requests: 1 },
      },
    ),
  }),
})
