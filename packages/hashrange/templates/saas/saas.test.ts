import { testDatabase } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { saas } from './saas.model.ts'

test('a tenant sees its own users, and a session ends by itself', async () => {
  const { db, advance, close } = await testDatabase(saas)
  try {
    const { item: tenant } = await db.Tenant.create({ name: 'Acme' })
    const { item: other } = await db.Tenant.create({ name: 'Umbrella' })
    const { item: user } = await db.User.create({ tenantId: tenant.tenantId, email: 'ana@example.com' })
    expect((await db.usersOfTenant({ tenantId: tenant.tenantId })).items.User).toHaveLength(1)
    expect((await db.usersOfTenant({ tenantId: other.tenantId })).items.User).toHaveLength(0)
    const token = '00000000-0000-4000-8000-000000000000'
    await db.Session.create({ token, tenantId: tenant.tenantId, userId: user.userId })
    expect((await db.getSession({ token })).item?.userId).toBe(user.userId)
    await advance(13 * 3_600_000)
    expect((await db.getSession({ token })).item).toBeUndefined()
  } finally {
    await close()
  }
})
