import { entity, model, s, ulid } from '../../../index.ts'

/** Software for many tenants: every key begins with the tenant, and only operators read across. */
export const tenants = () => {
  const Tenant = entity('Tenant', { tenantId: s.ulid().default(ulid), plan: s.enum('free', 'team', 'enterprise') })
    .key({ pk: 'TENANT#{tenantId}', sk: 'TENANT' })
    .index('byPlan', { pk: 'PLAN#{plan}', sk: '{tenantId}' })
    .volume({ items: 20_000 })
  const Settings = entity('Settings', {
    tenantId: s.ulid(),
    theme: s.enum('light', 'dark'),
    limits: s.map({ seats: s.int() }),
  })
    .key({ pk: 'TENANT#{tenantId}', sk: 'SETTINGS' })
    .volume({ items: 20_000 })
  const User = entity('User', {
    tenantId: s.ulid(),
    userId: s.ulid().default(ulid),
    email: s.string().size(30),
    name: s.string(),
  })
    .key({ pk: 'TENANT#{tenantId}', sk: 'USER#{userId}' })
    .unique(['tenantId', 'email'])
    .volume({ items: 500_000, perPartition: 25, maxPerPartition: 10_000 })
  const Document = entity('Document', {
    tenantId: s.ulid(),
    documentId: s.ulid().default(ulid),
    owner: s.ulid(),
    title: s.string().size(40),
    version: s.version(),
  })
    .key({ pk: 'TENANT#{tenantId}', sk: 'DOCUMENT#{documentId}' })
    .index('byOwner', { pk: 'TENANT#{tenantId}#OWNER#{owner}', sk: '{documentId}' })
    .volume({ items: 10_000_000, perPartition: 500, maxPerPartition: 200_000 })
  return model({
    name: 'tenants',
    owner: 'team',
    entities: { Tenant, Settings, User, Document },
    patterns: (p) => ({
      tenant: p.get('Tenant', { traffic: { rate: 100 } }),
      settings: p.get('Settings', { traffic: { rate: 300 } }),
      saveSettings: p.put('Settings', { traffic: { rate: 1 } }),
      createTenant: p.transact(
        { 'Tenant.create': 1, 'Settings.create': 1, 'User.create': 1 },
        { traffic: { rate: 0.1 } },
      ),
      users: p.query({ pk: 'TENANT#{tenantId}', sk: 'USER#*', limit: 100, traffic: { rate: 20 } }),
      userByEmail: p.lookup('User', 'tenantId+email', { traffic: { rate: 30 } }),
      invite: p.create('User', { traffic: { rate: 1 } }),
      documents: p.query({
        pk: 'TENANT#{tenantId}',
        sk: 'DOCUMENT#*',
        order: 'desc',
        limit: 50,
        traffic: { rate: 100 },
      }),
      documentsOfUser: p.query({
        on: 'byOwner',
        pk: 'TENANT#{tenantId}#OWNER#{owner}',
        limit: 50,
        traffic: { rate: 50 },
      }),
      rename: p.update('Document', { changes: ['title'], traffic: { rate: 20 } }),
      removeDocument: p.delete('Document', { traffic: { rate: 2 } }),
      tenantsOfPlan: p.query({ on: 'byPlan', pk: 'PLAN#{plan}', limit: 100, traffic: { rate: 0.1 } }),
    }),
    roles: {
      member: { tenant: 'tenantId', patterns: ['tenant', 'settings', 'users', 'documents', 'documentsOfUser'] },
      operator: { patterns: ['tenantsOfPlan', 'createTenant'] },
    },
  })
}
