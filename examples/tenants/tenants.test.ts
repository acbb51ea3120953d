import type { AnyModel, PolicyDescription } from '@hashrange/model'
import { rolePolicy } from '@hashrange/model/roles'
import { proveRoles } from 'hashrange/testing'
import { describe, expect, test } from 'vitest'
import { describeOnEach } from '../testing/describe-on-each.ts'
import { tenants } from './tenants.model.ts'

describeOnEach(tenants, (openModel) => {
  test('a tenant signs in, invites, plans and works', async () => {
    const { db } = await openModel()
    const { tenantId } = (await db.Tenant.create({ name: 'Acme' })).item
    const { userId } = (await db.invite({ tenantId, email: 'ana@acme.example', isAdmin: true })).item
    const { projectId } = (await db.addProject({ tenantId, title: 'Launch' })).item
    const task = { tenantId, projectId, title: 'Write it down', assignee: userId }
    const { taskId } = (await db.addTask(task)).item
    await db.finishTask({ tenantId, projectId, taskId }, { state: 'done' })
    expect((await db.getTenant({ tenantId })).item?.name).toBe('Acme')
    expect((await db.projectsOfTenant({ tenantId })).items.Project.map(({ title }) => title)).toEqual(['Launch'])
    expect((await db.tasksOfProject({ tenantId, projectId })).items.Task.map(({ state }) => state)).toEqual([
      'done',
    ])
    expect((await db.tasksOfUser({ tenantId, assignee: userId })).items.Task).toHaveLength(1)
    const token = '00000000-0000-4000-8000-000000000001'
    await db.signIn({ token, tenantId, userId })
    expect((await db.getSession({ token })).item).toMatchObject({ tenantId, userId })
    await db.removeUser({ tenantId, userId })
    expect((await db.usersOfTenant({ tenantId })).items.User).toEqual([])
  })
})

describe('the roles', () => {
  test('can do what they must, and reach neither each other’s patterns nor other tenants', async () => {
    const reports = await proveRoles(tenants)
    expect(reports.flatMap(({ findings }) => findings)).toEqual([])
    expect(reports.map(({ role, allowed }) => [role, allowed])).toEqual([
      ['member', 6],
      ['administrator', 6],
      ['gateway', 2],
    ])
    for (const { denied } of reports) expect(denied).toBeGreaterThan(10)
  })

  test.each([1, 2, 3])('whatever the generated data are (seed %i)', async (seed) => {
    const reports = await proveRoles(tenants, { seed })
    expect(reports.flatMap(({ findings }) => findings)).toEqual([])
  })
})

/** What goes wrong with policies that are written by hand. */
describe('a leak is found:', () => {
  const table = 'arn:aws:dynamodb:eu-west-1:111122223333:table/tenants'
  const own = 'TENANT#${aws:PrincipalTag/tenantId}'
  const reads = ['dynamodb:GetItem', 'dynamodb:Query']
  const writes = ['dynamodb:PutItem', 'dynamodb:UpdateItem']
  const keys = { 'dynamodb:LeadingKeys': [own, `${own}#PROJECT#*`, `${own}#USER#*`] }
  const limited = { 'ForAllValues:StringLike': keys }

  test('a statement without the condition on keys', async () => {
    const found = await findingsWith([
      { Sid: 'Reads', Effect: 'Allow', Action: reads, Resource: [table, `${table}/index/*`] },
      { Sid: 'Writes', Effect: 'Allow', Action: writes, Resource: table, Condition: limited },
    ])
    expect(found).toContainEqual([
      'tenant-leak',
      expect.stringMatching(
        /With getTenant, member of one tenantId reaches .* The statement Reads of its policy allows it/,
      ),
    ])
    expect(found.filter(([code]) => code === 'tenant-leak')).toHaveLength(4)
    expect(found).toContainEqual(['role-too-wide', expect.stringContaining('may use getSession')])
  })

  test('an index whose ARN was forgotten', async () => {
    const found = await findingsWith([
      { Sid: 'All', Effect: 'Allow', Action: [...reads, ...writes], Resource: table, Condition: limited },
    ])
    expect(found.filter(([code]) => code === 'role-denied')).toEqual([
      ['role-denied', expect.stringMatching(/tasksOfUser\. .*dynamodb:Query on resource: .*index\/assigned/)],
    ])
  })

  test('a wildcard for the actions, which lets scans past the condition', async () => {
    const found = await findingsWith([
      { Effect: 'Allow', Action: 'dynamodb:*', Resource: [table, `${table}/index/*`], Condition: limited },
    ])
    expect(found).toContainEqual([
      'tenant-leak',
      'member can read all of main with Scan. Statement 1 of its policy allows it.',
    ])
    expect(found).toContainEqual(['tenant-leak', expect.stringContaining('all of assigned with ExecuteStatement')])
  })

  test('a wildcard in the keys', async () => {
    const everyone = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['TENANT#*'] } }
    const found = await findingsWith([
      {
        Sid: 'Any',
        Effect: 'Allow',
        Action: [...reads, ...writes],
        Resource: [table, `${table}/index/*`],
        Condition: everyone,
      },
    ])
    expect(found.filter(([code]) => code === 'tenant-leak').length).toBe(6)
    expect(found).toContainEqual(['role-too-wide', expect.stringContaining('may use invite')])
  })

  test('a separator that is missing behind the tenant', async () => {
    const loose = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${own}*`] } }
    const statement = { Effect: 'Allow', Action: [...reads, ...writes], Resource: [table, `${table}/index/*`] }
    const found = await findingsWith([{ ...statement, Condition: loose }])
    // Identifiers of one length do not begin like each other; but the users of the tenant are no longer the administrator's alone.
    expect(found.map(([code]) => code)).not.toContain('tenant-leak')
    expect(found).toContainEqual(['role-too-wide', expect.stringContaining('may use usersOfTenant')])
  })

  test('nothing, in a policy as it stands in a template of CloudFormation', async () => {
    const place = 'arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/tenants'
    const found = await findingsWith([
      { Effect: 'Allow', Action: reads, Resource: [place, `${place}/index/assigned`], Condition: limited },
      { Effect: 'Allow', Action: writes, Resource: place, Condition: limited },
    ])
    expect(found.filter(([code]) => code === 'role-denied' || code === 'tenant-leak')).toEqual([])
  })

  test('a denial elsewhere that takes back what is needed', async () => {
    const member = tenants.description.roles?.find(({ name }) => name === 'member')
    if (member === undefined) throw new Error('there is no member')
    const found = await findingsWith([
      ...rolePolicy(tenants.description, member).Statement,
      { Sid: 'NoWrites', Effect: 'Deny', Action: 'dynamodb:UpdateItem', Resource: '*' },
    ])
    expect(found).toEqual([['role-denied', expect.stringContaining('finishTask. User: ')]])
    expect(found[0]?.[1]).toContain('explicit deny')
  })
})

async function findingsWith(Statement: PolicyDescription['Statement']): Promise<(readonly [string, string])[]> {
  const reports = await proveRoles(withPolicy('member', { Version: '2012-10-17', Statement }))
  return reports.flatMap(({ findings }) => findings.map(({ code, reason }) => [code, reason] as const))
}

/** The model as it would be if the role had a policy of its own. */
function withPolicy(name: string, policy: PolicyDescription): AnyModel {
  const { $, resolved, definitions, description } = tenants
  const roles = (description.roles ?? []).map((role) => (role.name === name ? { ...role, policy } : role))
  return { $, name: tenants.name, resolved, definitions, description: { ...description, roles } }
}
