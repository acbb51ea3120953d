import { entity, model, now, s, secondsFromNow, ulid } from '@hashrange/model'

/** Every key of a tenant's items begins with its id, in the table and in the index: policies can tell tenants apart by it. */
const Tenant = entity('Tenant', {
  tenantId: s.ulid().default(ulid),
  name: s.string().size(24),
  plan: s.enum('free', 'team', 'enterprise').default('free'),
})
  .key({ pk: 'TENANT#{tenantId}', sk: 'TENANT' })
  .volume({ items: 5000 })

const User = entity('User', {
  tenantId: s.ulid(),
  userId: s.ulid().default(ulid),
  email: s.string().size(24),
  isAdmin: s.boolean().default(false),
})
  .key({ pk: 'TENANT#{tenantId}#USERS', sk: 'USER#{userId}' })
  .volume({ items: 100_000, perPartition: 20, maxPerPartition: 5000 })

const Project = entity('Project', {
  tenantId: s.ulid(),
  projectId: s.ulid().default(ulid),
  title: s.string().size(30),
  createdAt: s.iso('second').default(now).readOnly(),
})
  .key({ pk: 'TENANT#{tenantId}', sk: 'PROJECT#{projectId}' })
  .volume({ items: 50_000, perPartition: 10, maxPerPartition: 1000 })

const Task = entity('Task', {
  tenantId: s.ulid(),
  projectId: s.ulid(),
  taskId: s.ulid().default(ulid),
  title: s.string().size(60),
  assignee: s.ulid(),
  state: s.enum('open', 'done').default('open'),
})
  .key({ pk: 'TENANT#{tenantId}#PROJECT#{projectId}', sk: 'TASK#{taskId}' })
  .index('assigned', { pk: 'TENANT#{tenantId}#USER#{assignee}', sk: 'TASK#{taskId}' })
  .volume({ items: 500_000, perPartition: 10, maxPerPartition: 5000 })

/** Who is signed in: of no tenant, since the token is all that a request has. */
const Session = entity('Session', {
  token: s.uuid(),
  tenantId: s.ulid(),
  userId: s.ulid(),
  expiresAt: s.ttl().default(secondsFromNow(12 * 3600)),
})
  .key({ pk: 'SESSION#{token}', sk: 'SESSION' })
  .volume({ items: 30_000 })

export const tenants = model({
  name: 'tenants',
  owner: 'platform team',
  entities: { Tenant, User, Project, Task, Session },
  patterns: (p) => ({
    getTenant: p.get('Tenant', { traffic: { rate: 300 }, budget: { readUnits: 0.5 } }),
    projectsOfTenant: p.query({ pk: 'TENANT#{tenantId}', sk: 'PROJECT#*', limit: 50, traffic: { rate: 50 } }),
    tasksOfProject: p.query({ pk: 'TENANT#{tenantId}#PROJECT#{projectId}', limit: 100, traffic: { rate: 100 } }),
    tasksOfUser: p.query({
      on: 'assigned',
      pk: 'TENANT#{tenantId}#USER#{assignee}',
      limit: 100,
      traffic: { rate: 80 },
    }),
    addTask: p.create('Task', { traffic: { rate: 5 } }),
    finishTask: p.update('Task', { changes: ['state'], traffic: { rate: 5 } }),
    usersOfTenant: p.query({ pk: 'TENANT#{tenantId}#USERS', limit: 100, traffic: { rate: 2 } }),
    invite: p.create('User', { traffic: { rate: 0.5 } }),
    removeUser: p.delete('User', { traffic: { rate: 0.1 } }),
    addProject: p.create('Project', { traffic: { rate: 0.5 } }),
    getSession: p.get('Session', { traffic: { rate: 500 }, budget: { readUnits: 0.5 } }),
    signIn: p.create('Session', { traffic: { rate: 10 } }),
  }),
  roles: {
    member: {
      tenant: 'tenantId',
      patterns: ['getTenant', 'projectsOfTenant', 'tasksOfProject', 'tasksOfUser', 'addTask', 'finishTask'],
    },
    administrator: {
      tenant: 'tenantId',
      patterns: ['getTenant', 'usersOfTenant', 'invite', 'removeUser', 'projectsOfTenant', 'addProject'],
    },
    gateway: {
      patterns: ['getSession', 'signIn'],
      description: 'finds out who is signed in, before a tenant is known',
    },
  },
})
