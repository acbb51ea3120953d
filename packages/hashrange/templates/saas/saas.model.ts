import { entity, model, now, s, secondsFromNow, ulid } from '@hashrange/model'

/** All of a tenant's items begin with its id, so that one query cannot reach another tenant's. */
const Tenant = entity('Tenant', {
  tenantId: s.ulid().default(ulid),
  name: s.string().size(24),
  plan: s.enum('free', 'team', 'enterprise').default('free'),
  version: s.version(),
})
  .key({ pk: 'TENANT#{tenantId}', sk: 'TENANT' })
  .volume({ items: 5000 })

const User = entity('User', {
  tenantId: s.ulid(),
  userId: s.ulid().default(ulid),
  email: s.string().size(24),
  role: s.enum('member', 'admin').default('member'),
})
  .key({ pk: 'TENANT#{tenantId}', sk: 'USER#{userId}' })
  .unique('email')
  .volume({ items: 100_000, perPartition: 20, maxPerPartition: 5000 })

const Project = entity('Project', {
  tenantId: s.ulid(),
  projectId: s.ulid().default(ulid),
  title: s.string().size(30),
  createdAt: s.iso('second').default(now).readOnly(),
})
  .key({ pk: 'TENANT#{tenantId}', sk: 'PROJECT#{projectId}' })
  .volume({ items: 50_000, perPartition: 10, maxPerPartition: 1000 })

/** Many to many: a user's projects, and through the index a project's users. */
const Membership = entity('Membership', {
  tenantId: s.ulid(),
  userId: s.ulid(),
  projectId: s.ulid(),
  since: s.iso('second').default(now),
})
  .key({ pk: 'TENANT#{tenantId}#USER#{userId}', sk: 'PROJECT#{projectId}' })
  .index('members', { pk: 'TENANT#{tenantId}#PROJECT#{projectId}', sk: 'USER#{userId}' })
  .volume({ items: 300_000, perPartition: 3, maxPerPartition: 500 })

const Session = entity('Session', {
  token: s.uuid(),
  tenantId: s.ulid(),
  userId: s.ulid(),
  expiresAt: s.ttl().default(secondsFromNow(12 * 3600)),
})
  .key({ pk: 'SESSION#{token}', sk: 'SESSION' })
  .volume({ items: 30_000 })

export const saas = model({
  name: 'saas',
  owner: 'platform team',
  entities: { Tenant, User, Project, Membership, Session },
  patterns: (p) => ({
    getTenant: p.get('Tenant', { traffic: { rate: 300 }, budget: { readUnits: 0.5 } }),
    usersOfTenant: p.query({ pk: 'TENANT#{tenantId}', sk: 'USER#*', limit: 50, traffic: { rate: 20 } }),
    projectsOfTenant: p.query({ pk: 'TENANT#{tenantId}', sk: 'PROJECT#*', limit: 50, traffic: { rate: 50 } }),
    userByEmail: p.lookup('User', 'email', { traffic: { rate: 10 } }),
    projectsOfUser: p.query({ pk: 'TENANT#{tenantId}#USER#{userId}', traffic: { rate: 50 } }),
    membersOfProject: p.query({
      on: 'members',
      pk: 'TENANT#{tenantId}#PROJECT#{projectId}',
      limit: 100,
      traffic: { rate: 30 },
    }),
    getSession: p.get('Session', { traffic: { rate: 500 }, budget: { readUnits: 0.5 } }),
    signUp: p.transact({ 'Tenant.create': 1, 'User.create': 1 }, { traffic: { rate: 0.1 } }),
    invite: p.create('User', { traffic: { rate: 0.5 } }),
    addProject: p.create('Project', { traffic: { rate: 0.5 } }),
    joinProject: p.transact({ 'Project.check': 1, 'Membership.create': 1 }, { traffic: { rate: 1 } }),
    signIn: p.create('Session', { traffic: { rate: 10 } }),
  }),
})
