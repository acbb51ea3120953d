import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClosedEngine, type Answered, type ClosedEngine, type TestKey } from '../testing/closed-engine.ts'

let closed: ClosedEngine
beforeAll(async () => (closed = await openClosedEngine()))
afterAll(() => closed.db.close())

const iam = (operation: string, input: object = {}): Promise<Answered> =>
  closed.ask(closed.root, 'iam', operation, input)
const refused = async (operation: string, input: object): Promise<string> => {
  const { code, message } = await closed.refusal(closed.root, 'iam', operation, input)
  return `${code}: ${message}`
}
const account = '123456789012'

const allow = (action: string, resource = '*'): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: resource }] })
const trust = (arn: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { AWS: arn }, Action: 'sts:AssumeRole' }],
  })

describe('users', () => {
  test('are made, described, renamed and deleted', async () => {
    const { User: made } = await iam('CreateUser', { UserName: 'ann', Path: '/staff/' })
    expect(made).toMatchObject({
      UserName: 'ann',
      Path: '/staff/',
      Arn: `arn:aws:iam::${account}:user/staff/ann`,
      UserId: expect.stringMatching(/^AIDA[A-Z2-7]{16}$/),
    })
    expect(await refused('CreateUser', { UserName: 'ANN' })).toBe(
      'EntityAlreadyExistsException: User with name ANN already exists.',
    )
    await iam('UpdateUser', { UserName: 'ann', NewUserName: 'anna' })
    expect((await iam('GetUser', { UserName: 'anna' })).User.UserId).toBe(made.UserId)
    expect(await refused('GetUser', { UserName: 'ann' })).toBe(
      'NoSuchEntityException: The user with name ann cannot be found.',
    )
    await iam('DeleteUser', { UserName: 'anna' })
    expect(await refused('DeleteUser', { UserName: 'anna' })).toMatch(/^NoSuchEntityException/)
  })

  test('are told page by page', async () => {
    const names = ['p1', 'p2', 'p3', 'p4', 'p5']
    for (const name of names) await iam('CreateUser', { UserName: name, Path: '/paged/' })
    const told: string[] = []
    let marker: string | undefined
    do {
      const page = await iam('ListUsers', { PathPrefix: '/paged/', MaxItems: 2, ...(marker && { Marker: marker }) })
      told.push(...page.Users.map((user: Answered) => user.UserName))
      expect(page.IsTruncated).toBe(page.Marker !== undefined)
      marker = page.Marker
    } while (marker !== undefined)
    expect(told).toEqual(names)
    expect(await refused('ListUsers', { Marker: 'no marker' })).toBe('ValidationException: Invalid Marker.')
    for (const name of names) await iam('DeleteUser', { UserName: name })
  })

  test('cannot go while something depends on them', async () => {
    await iam('CreateUser', { UserName: 'bob' })
    await iam('CreateGroup', { GroupName: 'team' })
    await iam('AddUserToGroup', { GroupName: 'team', UserName: 'bob' })
    const { AccessKey: key } = await iam('CreateAccessKey', { UserName: 'bob' })
    await iam('PutUserPolicy', { UserName: 'bob', PolicyName: 'p', PolicyDocument: allow('dynamodb:*') })
    await iam('AttachUserPolicy', { UserName: 'bob', PolicyArn: 'arn:aws:iam::aws:policy/IAMFullAccess' })
    const conflict = (what: string): string => `DeleteConflictException: Cannot delete entity, must ${what} first.`
    expect(await refused('DeleteUser', { UserName: 'bob' })).toBe(conflict('detach all policies'))
    await iam('DetachUserPolicy', { UserName: 'bob', PolicyArn: 'arn:aws:iam::aws:policy/IAMFullAccess' })
    expect(await refused('DeleteUser', { UserName: 'bob' })).toBe(conflict('delete policies'))
    await iam('DeleteUserPolicy', { UserName: 'bob', PolicyName: 'p' })
    expect(await refused('DeleteGroup', { GroupName: 'team' })).toBe(conflict('remove users from group'))
    expect(await refused('DeleteUser', { UserName: 'bob' })).toBe(conflict('remove users from group'))
    await iam('RemoveUserFromGroup', { GroupName: 'team', UserName: 'bob' })
    expect(await refused('DeleteUser', { UserName: 'bob' })).toBe(conflict('delete access keys'))
    await iam('DeleteAccessKey', { UserName: 'bob', AccessKeyId: key.AccessKeyId })
    await iam('DeleteUser', { UserName: 'bob' })
    await iam('DeleteGroup', { GroupName: 'team' })
  })

  test('of another group of the same name are not its members', async () => {
    await iam('CreateUser', { UserName: 'eve' })
    await iam('CreateGroup', { GroupName: 'admins' })
    await iam('AddUserToGroup', { GroupName: 'admins', UserName: 'eve' })
    await iam('UpdateGroup', { GroupName: 'admins', NewGroupName: 'retired' })
    await iam('CreateGroup', { GroupName: 'admins' })
    expect((await iam('GetGroup', { GroupName: 'admins' })).Users).toEqual([])
    expect((await iam('ListGroupsForUser', { UserName: 'eve' })).Groups).toMatchObject([{ GroupName: 'retired' }])
  })

  test.each(['__proto__', 'constructor', 'toString'])('may be called %s', async (name) => {
    await iam('CreateUser', { UserName: name, Tags: [{ Key: name, Value: 'x' }] })
    await iam('PutUserPolicy', { UserName: name, PolicyName: name, PolicyDocument: allow('iam:GetUser') })
    expect((await iam('ListUserPolicies', { UserName: name })).PolicyNames).toEqual([name])
    expect((await iam('GetUser', { UserName: name })).User.Tags).toEqual([{ Key: name, Value: 'x' }])
  })
})

describe('access keys', () => {
  test('are two at most, can be switched off, and show when they were used', async () => {
    await iam('CreateUser', { UserName: 'kim' })
    const { AccessKey: one } = await iam('CreateAccessKey', { UserName: 'kim' })
    await iam('CreateAccessKey', { UserName: 'kim' })
    expect(await refused('CreateAccessKey', { UserName: 'kim' })).toBe(
      'LimitExceededException: Cannot exceed quota for AccessKeysPerUser: 2',
    )
    const key: TestKey = { accessKeyId: one.AccessKeyId, secretAccessKey: one.SecretAccessKey }
    const { Arn: arn } = await closed.ask(key, 'sts', 'GetCallerIdentity')
    expect(arn).toBe(`arn:aws:iam::${account}:user/kim`)
    await closed.gate.noteUses()
    const { AccessKeyLastUsed: used } = await iam('GetAccessKeyLastUsed', { AccessKeyId: key.accessKeyId })
    expect(used).toMatchObject({ ServiceName: 'sts', Region: 'eu-west-1' })
    const named = { UserName: 'kim', AccessKeyId: key.accessKeyId }
    await iam('UpdateAccessKey', { ...named, Status: 'Inactive' })
    expect((await closed.refusal(key, 'sts', 'GetCallerIdentity')).code).toBe('UnrecognizedClientException')
    await iam('UpdateAccessKey', { ...named, Status: 'Active' })
    await closed.ask(key, 'sts', 'GetCallerIdentity')
    await iam('DeleteAccessKey', named)
    expect((await closed.refusal(key, 'sts', 'GetCallerIdentity')).code).toBe('UnrecognizedClientException')
    expect(await refused('DeleteAccessKey', named)).toBe(
      `NoSuchEntityException: The Access Key with id ${key.accessKeyId} cannot be found.`,
    )
  })

  test('are never told again, and the store does not hold their secrets', async () => {
    await iam('CreateUser', { UserName: 'sam' })
    const { AccessKey: key } = await iam('CreateAccessKey', { UserName: 'sam' })
    expect(JSON.stringify(await iam('ListAccessKeys', { UserName: 'sam' }))).not.toContain(key.SecretAccessKey)
    let isThere = false
    await closed.db.store.view((snapshot) =>
      snapshot.range({ from: Buffer.of(0), to: Buffer.of(0xff) }, (_, value) => {
        isThere ||= value.includes(key.SecretAccessKey)
        return true
      }),
    )
    expect(isThere).toBe(false)
  })
})

describe('managed policies', () => {
  test('have up to five versions, of which one is in force', async () => {
    const { Policy: policy } = await iam('CreatePolicy', {
      PolicyName: 'read',
      PolicyDocument: allow('dynamodb:GetItem'),
    })
    const arn: string = policy.Arn
    for (const id of ['v2', 'v3', 'v4', 'v5']) {
      const { PolicyVersion: version } = await iam('CreatePolicyVersion', {
        PolicyArn: arn,
        PolicyDocument: allow(`dynamodb:${id}`),
        SetAsDefault: id === 'v3',
      })
      expect(version).toMatchObject({ VersionId: id, IsDefaultVersion: id === 'v3' })
    }
    expect(await refused('CreatePolicyVersion', { PolicyArn: arn, PolicyDocument: allow('a:b') })).toMatch(
      /^LimitExceededException: A managed policy can have up to 5 versions/,
    )
    expect(await refused('DeletePolicyVersion', { PolicyArn: arn, VersionId: 'v3' })).toBe(
      'DeleteConflictException: Cannot delete the default version of a policy.',
    )
    const { PolicyVersion: version } = await iam('GetPolicyVersion', { PolicyArn: arn, VersionId: 'v3' })
    expect(decodeURIComponent(version.Document)).toBe(allow('dynamodb:v3'))
    await iam('SetDefaultPolicyVersion', { PolicyArn: arn, VersionId: 'v1' })
    for (const id of ['v2', 'v3', 'v4', 'v5']) await iam('DeletePolicyVersion', { PolicyArn: arn, VersionId: id })
    await iam('CreateRole', { RoleName: 'uses', AssumeRolePolicyDocument: trust(account) })
    await iam('AttachRolePolicy', { RoleName: 'uses', PolicyArn: arn })
    expect(await refused('DeletePolicy', { PolicyArn: arn })).toBe(
      'DeleteConflictException: Cannot delete a policy attached to entities.',
    )
    expect(await iam('ListEntitiesForPolicy', { PolicyArn: arn })).toMatchObject({
      PolicyRoles: [{ RoleName: 'uses' }],
      PolicyUsers: [],
    })
    await iam('DetachRolePolicy', { RoleName: 'uses', PolicyArn: arn })
    await iam('DeletePolicy', { PolicyArn: arn })
    expect(await refused('GetPolicy', { PolicyArn: arn })).toBe(
      `NoSuchEntityException: Policy ${arn} was not found.`,
    )
  })

  test('of AWS are there, and nobody can change them', async () => {
    const arn = 'arn:aws:iam::aws:policy/AdministratorAccess'
    expect((await iam('GetPolicy', { PolicyArn: arn })).Policy).toMatchObject({ PolicyName: 'AdministratorAccess' })
    expect(await refused('DeletePolicy', { PolicyArn: arn })).toMatch(/^NoSuchEntityException/)
    expect(await refused('CreatePolicyVersion', { PolicyArn: arn, PolicyDocument: allow('a:b') })).toMatch(
      /^NoSuchEntityException/,
    )
  })

  test('that are no policies are refused', async () => {
    for (const document of ['{}', 'x', '{"Version":"2012-10-17","Statement":[{"Effect":"Allow"}]}']) {
      expect(await refused('CreatePolicy', { PolicyName: 'bad', PolicyDocument: document })).toMatch(
        /^MalformedPolicyDocumentException: /,
      )
    }
  })
})

describe('two changes at once', () => {
  test('are both made', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `crowd-${index}`)
    await Promise.all(names.map((name) => iam('CreateUser', { UserName: name })))
    const { Users: users } = await iam('ListUsers', { MaxItems: 1000 })
    expect(users.map((user: Answered) => user.UserName)).toEqual(expect.arrayContaining(names))
  })

  test('of which one makes the other impossible are not', async () => {
    const made = await Promise.allSettled(['a', 'b', 'c'].map(() => iam('CreateUser', { UserName: 'only-one' })))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('quotas', () => {
  test('keep what one request can cost, and what a role trusts, within bounds', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `dynamodb:Action${index}`)
    expect(
      await refused('SimulateCustomPolicy', {
        PolicyInputList: [allow('dynamodb:*')],
        ActionNames: many,
        ResourceArns: many.map((name) => `arn:aws:dynamodb:::${name}`),
      }),
    ).toBe('InvalidInputException: A simulation can combine at most 10000 actions and resources.')
    const everybody = Array.from({ length: 200 }, (_, index) => `arn:aws:iam::${account}:user/user-${index}`)
    const document = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { AWS: everybody }, Action: 'sts:AssumeRole' }],
    })
    expect(await refused('CreateRole', { RoleName: 'wide', AssumeRolePolicyDocument: document })).toBe(
      'LimitExceededException: Cannot exceed quota for ACLSizePerRole: 2048',
    )
  })

  test('of groups are the same as on AWS', async () => {
    await iam('CreateUser', { UserName: 'busy' })
    for (let index = 0; index < 11; index++) await iam('CreateGroup', { GroupName: `busy-${index}` })
    for (let index = 0; index < 10; index++) {
      await iam('AddUserToGroup', { GroupName: `busy-${index}`, UserName: 'busy' })
    }
    expect(await refused('AddUserToGroup', { GroupName: 'busy-10', UserName: 'busy' })).toBe(
      'LimitExceededException: Cannot exceed quota for GroupsPerUser: 10',
    )
  })
})

describe('a simulation', () => {
  const arn = `arn:aws:dynamodb:eu-west-1:${account}:table/music`

  test('says what a policy would decide, and which statement did', async () => {
    const text = `{
  "Version": "2012-10-17",
  "Statement": [
    { "Effect": "Allow", "Action": "dynamodb:*", "Resource": "*" },
    { "Effect": "Deny", "Action": "dynamodb:DeleteTable", "Resource": "*" }
  ]
}`
    const { EvaluationResults: results } = await iam('SimulateCustomPolicy', {
      PolicyInputList: [text],
      ActionNames: ['dynamodb:GetItem', 'dynamodb:DeleteTable', 's3:GetObject'],
      ResourceArns: [arn],
    })
    expect(results.map((result: Answered) => result.EvalDecision)).toEqual([
      'allowed',
      'explicitDeny',
      'implicitDeny',
    ])
    expect(results[1].MatchedStatements).toEqual([
      {
        SourcePolicyId: 'PolicyInputList.1',
        SourcePolicyType: 'IAM Policy',
        StartPosition: { Line: 5, Column: 5 },
        EndPosition: { Line: 5, Column: 76 },
      },
    ])
  })

  test('of a user takes its groups and its boundary into account', async () => {
    await iam('CreateUser', { UserName: 'zoe' })
    await iam('CreateGroup', { GroupName: 'readers' })
    await iam('PutGroupPolicy', { GroupName: 'readers', PolicyName: 'all', PolicyDocument: allow('dynamodb:*') })
    await iam('AddUserToGroup', { GroupName: 'readers', UserName: 'zoe' })
    const ask = async (): Promise<Answered> =>
      (
        await iam('SimulatePrincipalPolicy', {
          PolicySourceArn: `arn:aws:iam::${account}:user/zoe`,
          ActionNames: ['dynamodb:GetItem', 'dynamodb:PutItem'],
          ResourceArns: [arn],
        })
      ).EvaluationResults.map((result: Answered) => result.EvalDecision)
    expect(await ask()).toEqual(['allowed', 'allowed'])
    await iam('PutUserPermissionsBoundary', {
      UserName: 'zoe',
      PermissionsBoundary: 'arn:aws:iam::aws:policy/AmazonDynamoDBReadOnlyAccess',
    })
    expect(await ask()).toEqual(['allowed', 'implicitDeny'])
  })

  test('asks for the keys that conditions name', async () => {
    const text = JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: 'dynamodb:GetItem',
          Resource: `arn:aws:dynamodb:*:*:table/\${aws:username}`,
          Condition: { StringEquals: { 'aws:PrincipalTag/team': 'blue' } },
        },
      ],
    })
    expect((await iam('GetContextKeysForCustomPolicy', { PolicyInputList: [text] })).ContextKeyNames).toEqual([
      'aws:PrincipalTag/team',
      'aws:username',
    ])
    const ask = async (team: string): Promise<Answered> =>
      (
        await iam('SimulateCustomPolicy', {
          PolicyInputList: [text],
          ActionNames: ['dynamodb:GetItem'],
          ResourceArns: [arn],
          ContextEntries: [
            { ContextKeyName: 'aws:PrincipalTag/team', ContextKeyType: 'string', ContextKeyValues: [team] },
            { ContextKeyName: 'aws:username', ContextKeyType: 'string', ContextKeyValues: ['music'] },
          ],
        })
      ).EvaluationResults[0].EvalDecision
    expect(await ask('blue')).toBe('allowed')
    expect(await ask('red')).toBe('implicitDeny')
  })
})
