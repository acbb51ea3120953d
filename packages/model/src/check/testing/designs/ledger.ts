import { entity, model, now, s, ulid } from '../../../index.ts'

/** A ledger in two tables: accounts with balances that two updates of one transaction change, and entries that are never changed. */
export const ledger = () => {
  const Account = entity('Account', { accountId: s.ulid(), cents: s.bigint().default(0n), version: s.version() })
    .in('accounts')
    .key({ pk: 'ACCOUNT#{accountId}', sk: 'BALANCE' })
    .volume({ items: 1_000_000 })
  const Entry = entity('Entry', {
    accountId: s.ulid(),
    entryId: s.ulid().default(ulid),
    cents: s.bigint(),
    other: s.ulid(),
    at: s.date().default(now),
  })
    .in('entries')
    .key({ pk: 'ENTRIES#{accountId}', sk: '{entryId}' })
    .volume({ items: 500_000_000, perPartition: 500, maxPerPartition: 100_000 })
  const Transfer = entity('Transfer', {
    transferId: s.uuid(),
    from: s.ulid(),
    to: s.ulid(),
    cents: s.bigint(),
    at: s.date().default(now),
  })
    .in('entries')
    .key({ pk: 'TRANSFER#{transferId}', sk: 'TRANSFER' })
    .volume({ items: 250_000_000 })
  return model({
    name: 'ledger',
    owner: 'team',
    tables: { accounts: {}, entries: { tableClass: 'STANDARD_INFREQUENT_ACCESS' } },
    entities: { Account, Entry, Transfer },
    patterns: (p) => ({
      balance: p.get('Account', { consistent: true, traffic: { rate: 200 } }),
      open: p.create('Account', { traffic: { rate: 1 } }),
      transfer: p.transact(
        { 'Account.update': 2, 'Entry.create': 2, 'Transfer.create': 1 },
        { traffic: { rate: 100, hotKeyShare: 0.1 } },
      ),
      entries: p.query({
        on: 'entries',
        pk: 'ENTRIES#{accountId}',
        range: 'entryId',
        order: 'desc',
        limit: 50,
        traffic: { rate: 50 },
      }),
      transferOf: p.get('Transfer', { traffic: { rate: 10 } }),
      statement: p.transactGet('Account', { traffic: { rate: 5, items: 2 } }),
    }),
  })
}
