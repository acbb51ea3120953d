import { add, atLeast, subtract } from '@hashrange/model'
import { testDatabase } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { ledger } from './ledger.model.ts'

const id = (n: number): string => String(n).padStart(26, '0')

test('a transfer is made once, and only if the money is there', async () => {
  const { db, close } = await testDatabase(ledger)
  try {
    const [from, to, owner] = [id(1), id(2), id(9)]
    const opened = { owner, currency: 'EUR', openedAt: '2026-06-01T00:00:00Z' } as const
    await db.Account.create({ accountId: from, balance: 100, ...opened })
    await db.Account.create({ accountId: to, ...opened })
    const transfer = (transferId: string, amount: number): Promise<unknown> =>
      db.transfer((t) => [
        t.Transfer.create({ transferId, from, to, amount }),
        t.Account.update({ accountId: from }, { balance: subtract(amount) }, { if: { balance: atLeast(amount) } }),
        t.Account.update({ accountId: to }, { balance: add(amount) }),
        t.Entry.create({ accountId: from, transferId, amount: -amount, text: 'rent' }),
        t.Entry.create({ accountId: to, transferId, amount, text: 'rent' }),
      ])
    await transfer(id(3), 60)
    await expect(transfer(id(3), 60)).rejects.toThrow()
    await expect(transfer(id(4), 60)).rejects.toThrow()
    expect((await db.getAccount({ accountId: from })).item?.balance).toBe(40)
    expect((await db.getAccount({ accountId: to })).item?.balance).toBe(60)
    expect((await db.statement({ accountId: to })).items.Entry.map(({ amount }) => amount)).toEqual([60])
  } finally {
    await close()
  }
})
