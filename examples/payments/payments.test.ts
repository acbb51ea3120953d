import { add, atLeast, subtract, type Client } from '@hashrange/model'
import { expect, test } from 'vitest'
import { describeOnEach } from '../testing/describe-on-each.ts'
import { payments } from './payments.model.ts'

type Db = Client<typeof payments>

const [asha, ben, shop, other] = [1, 2, 3, 4].map(
  (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
) as [string, string, string, string]

async function openAccounts(db: Db): Promise<void> {
  await db.openAccount({ accountId: asha, holder: 'Asha', currency: 'EUR', balance: 10_000 })
  await db.openAccount({ accountId: ben, holder: 'Ben', currency: 'EUR' })
}

function transferId(n: number): string {
  return `01J${String(n).padStart(23, '0')}`
}

/** The same transfer again has the same token, and so happens once. */
async function send(db: Db, n: number, amount: number, bookedAt = '2026-06-15T12:00:00Z'): Promise<void> {
  const entry = { transferId: transferId(n), bookedAt, text: 'Dinner' }
  await db.transfer(
    (t) => [
      t.Account.update({ accountId: asha }, { balance: subtract(amount) }, { if: { balance: atLeast(amount) } }),
      t.Account.update({ accountId: ben }, { balance: add(amount) }),
      t.LedgerEntry.create({ ...entry, accountId: asha, amount: -amount, counterparty: 'Ben' }),
      t.LedgerEntry.create({ ...entry, accountId: ben, amount, counterparty: 'Asha' }),
    ],
    { token: transferId(n) },
  )
}

async function balances(db: Db): Promise<(number | undefined)[]> {
  const { items } = await db.bothAccounts({ Account: [{ accountId: asha }, { accountId: ben }] })
  return items.Account.map((account) => account?.balance)
}

describeOnEach(payments, (openModel) => {
  test('money is moved or not, and never twice', async () => {
    const { db } = await openModel()
    await openAccounts(db)
    await send(db, 1, 4000)
    await send(db, 1, 4000)
    expect(await balances(db)).toEqual([6000, 4000])
    await expect(send(db, 2, 6001)).rejects.toMatchObject({
      code: 'CONDITION_FAILED',
      entity: 'Account',
      item: { balance: 6000 },
    })
    expect(await balances(db)).toEqual([6000, 4000])
    expect((await db.account({ accountId: asha })).item).toMatchObject({ balance: 6000, version: 2 })

    const { items } = await db.bookingsOfTransfer({ transferId: transferId(1) })
    expect(items.LedgerEntry.map(({ accountId, amount }) => [accountId, amount])).toEqual([
      [asha, -4000],
      [ben, 4000],
    ])
    expect((await db.bookingsOfTransfer({ transferId: transferId(2) })).items.LedgerEntry).toEqual([])
  })

  test('transfers at the same time all count', async () => {
    const { db } = await openModel()
    await openAccounts(db)
    const sent = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => send(db, n, 3000)))
    const done = sent.filter(({ status }) => status === 'fulfilled').length
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThanOrEqual(3)
    expect(await balances(db)).toEqual([10_000 - 3000 * done, 3000 * done])
  })

  test('a statement is one partition a month, newest first', async () => {
    const { db, client } = await openModel()
    await openAccounts(db)
    const dates = ['2026-05-31T23:59:59Z', '2026-06-01T00:00:00Z', '2026-06-15T08:00:00+02:00']
    for (const [n, date] of dates.entries()) await send(db, n, 100, date)
    const june = await db.statement({ accountId: ben, bookedAt: '2026-06-30' })
    expect(june.items.LedgerEntry.map(({ bookedAt }) => bookedAt)).toEqual([
      '2026-06-15T06:00:00.000Z',
      '2026-06-01T00:00:00.000Z',
    ])
    const { Items = [] } = await client.scan({ TableName: 'payments-ledger' })
    expect(new Set(Items.map(({ pk }) => pk?.S))).toEqual(
      new Set([asha, ben].flatMap((id) => [`ACCOUNT#${id}#2026-05`, `ACCOUNT#${id}#2026-06`])),
    )
  })

  test('an order is placed together with its payment; its key and index are the attributes themselves', async () => {
    const { db, client, advance } = await openModel()
    await openAccounts(db)
    const order = (n: number, merchantId = shop) => ({
      customerId: asha,
      orderId: `ord-${n < 3 ? 2025 : 2026}-${String(n).padStart(6, '0')}`,
      merchantId,
      amount: n * 1000,
      lines: [{ sku: 'SKU-001', quantity: n }],
    })
    const place = (input: ReturnType<typeof order>) =>
      db.checkout((t) => [
        t.Order.create(input),
        t.Account.update(
          { accountId: asha },
          { balance: subtract(input.amount) },
          { if: { balance: atLeast(input.amount) } },
        ),
      ])
    for (const n of [1, 2, 3]) {
      await place(order(n))
      await advance(86_400_000)
    }
    await place(order(4, other))
    await expect(place(order(5))).rejects.toMatchObject({ code: 'CONDITION_FAILED', entity: 'Account' })
    await expect(place(order(1))).rejects.toMatchObject({ code: 'ALREADY_EXISTS', entity: 'Order' })

    const all = await db.ordersOfCustomer({ customerId: asha })
    expect(all.items.Order.map(({ orderId }) => orderId.slice(-1))).toEqual(['4', '3', '2', '1'])
    const old = await db.ordersOfCustomer({ customerId: asha, orderId: { begins: 'ord-2025' } })
    expect(old.items.Order.map(({ orderId }) => orderId.slice(-1))).toEqual(['2', '1'])
    expect((await db.order(order(3))).item?.lines).toEqual([{ sku: 'SKU-001', quantity: 3 }])

    const { customerId, orderId } = order(2)
    const settle = () =>
      db.settleOrder(
        { customerId, orderId },
        { status: 'paid', updatedAt: '2026-06-20' },
        { if: { status: 'pending' } },
      )
    expect((await settle()).item).toMatchObject({ status: 'paid', updatedAt: '2026-06-20T00:00:00Z' })
    await expect(settle()).rejects.toMatchObject({ code: 'CONDITION_FAILED', item: { status: 'paid' } })
    const pending = await db.ordersOfMerchant({
      merchantId: shop,
      status: 'pending',
      createdAt: { from: '2026-06-16' },
    })
    expect(pending.items.Order.map(({ amount }) => amount)).toEqual([3000])
    const paid = await db.ordersOfMerchant({ merchantId: shop, status: 'paid' })
    expect(paid.items.Order.map(({ amount }) => amount)).toEqual([2000])

    const { Table } = await client.describeTable({ TableName: 'payments-orders' })
    expect(Table?.KeySchema?.map(({ AttributeName }) => AttributeName)).toEqual(['customerId', 'orderId'])
    expect(Table?.GlobalSecondaryIndexes?.[0]?.KeySchema?.map(({ AttributeName }) => AttributeName)).toEqual([
      'merchantId',
      'status',
      'createdAt',
      'orderId',
    ])
  })

  test('a payment begins once for each key of its caller', async () => {
    const { db } = await openModel()
    const idempotencyKey = '6f1c2e0a-8a55-4f0e-9f3a-2f2f0c3d1b11'
    const payment = { idempotencyKey, orderId: 'ord-2026-000042', accountId: asha, amount: 4200 }
    const { paymentId } = (await db.beginPayment(payment)).item
    await expect(db.beginPayment(payment)).rejects.toMatchObject({ code: 'ALREADY_EXISTS', item: { paymentId } })
    const finish = (status: 'succeeded' | 'failed') =>
      db.finishPayment({ idempotencyKey }, { status, attempts: add(1) }, { if: { status: 'pending' } })
    await finish('succeeded')
    await expect(finish('failed')).rejects.toMatchObject({ code: 'CONDITION_FAILED' })
    expect((await db.payment({ idempotencyKey })).item).toMatchObject({
      paymentId,
      status: 'succeeded',
      attempts: 2,
    })
  })

  test('grants are read from both sides, of which only one is stored', async () => {
    const { db, client } = await openModel()
    await db.grant({ userId: asha, merchantId: shop, role: 'admin' })
    await db.grant({ userId: asha, merchantId: other, role: 'auditor' })
    await db.grant({ userId: ben, merchantId: shop, role: 'clerk' })
    const mine = await db.merchantsOfUser({ userId: asha })
    expect(mine.items.Grant.map(({ merchantId }) => merchantId)).toEqual([shop, other])
    const { items } = await db.usersOfMerchant({ merchantId: shop })
    expect(items.Grant.map(({ userId, role }) => [userId, role])).toEqual([
      [asha, 'admin'],
      [ben, 'clerk'],
    ])
    await db.revoke({ userId: ben, merchantId: shop })
    expect((await client.scan({ TableName: 'payments-access' })).Count).toBe(2)
  })
})
