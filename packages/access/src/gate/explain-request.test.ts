import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClosedEngine, requestOf, type ClosedEngine, type TestKey } from '../testing/closed-engine.ts'
import type { CallingScope } from '../identities/calling-scope.ts'
import type { Simulation } from './simulate-request.ts'

let closed: ClosedEngine
let ann: TestKey
const account = '123456789012'
const table = `arn:aws:dynamodb:eu-west-1:${account}:table/music`
const scope = { accountId: account, region: 'eu-west-1' }
const query = {
  target: 'DynamoDB_20120810',
  operation: 'Query',
  body: {
    TableName: 'music',
    KeyConditionExpression: 'pk = :p',
    ExpressionAttributeValues: { ':p': { S: 'blue' } },
  },
}
const own = { 'dynamodb:LeadingKeys': ['${aws:PrincipalTag/team}'] }
const policy = (...statements: object[]): string => JSON.stringify({ Version: '2012-10-17', Statement: statements })

beforeAll(async () => {
  closed = await openClosedEngine()
  const iam = (operation: string, input: object) => closed.ask(closed.root, 'iam', operation, input)
  await closed.ask(closed.root, 'dynamodb', 'CreateTable', {
    TableName: 'music',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await iam('CreateUser', { UserName: 'ann', Tags: [{ Key: 'team', Value: 'blue' }] })
  await iam('CreateGroup', { GroupName: 'readers' })
  await iam('AddUserToGroup', { GroupName: 'readers', UserName: 'ann' })
  await iam('PutGroupPolicy', {
    GroupName: 'readers',
    PolicyName: 'own-team',
    PolicyDocument: policy({
      Sid: 'OwnTeam',
      Effect: 'Allow',
      Action: 'dynamodb:Query',
      Resource: table,
      Condition: { 'ForAllValues:StringEquals': own },
    }),
  })
  const { AccessKey: key } = await iam('CreateAccessKey', { UserName: 'ann' })
  ann = { accessKeyId: key.AccessKeyId, secretAccessKey: key.SecretAccessKey }
})
afterAll(() => closed.db.close())

const scopeOfAnn = async (): Promise<CallingScope> =>
  closed.gate.authenticate(requestOf(ann, 'dynamodb', '{}', closed.gate.identities.clock.now()), 'dynamodb')

const letSimulate = (Resource: string) =>
  closed.ask(closed.root, 'iam', 'PutUserPolicy', {
    UserName: 'ann',
    PolicyName: 'simulate',
    PolicyDocument: policy({ Effect: 'Allow', Action: 'iam:Simulate*', Resource }),
  })

test('a decision is told to everybody, its statements to those who may simulate their policies', async () => {
  const [before] = closed.gate.explain(await scopeOfAnn(), query).decisions
  expect(before).toEqual({
    action: 'dynamodb:Query',
    resource: table,
    outcome: 'allowed',
    by: 'identity',
    statements: [{ kind: 'identity' }],
    unmet: [],
    missingKeys: [],
  })
  await letSimulate('*')
  const [after] = closed.gate.explain(await scopeOfAnn(), query).decisions
  expect(after?.statements).toEqual([
    {
      kind: 'identity',
      policy: { name: 'own-team', holder: 'group readers' },
      number: 1,
      statement: expect.objectContaining({ Sid: 'OwnTeam', Effect: 'Allow', Action: 'dynamodb:Query' }) as object,
      conditions: [
        {
          operator: 'ForAllValues:StringEquals',
          key: 'dynamodb:LeadingKeys',
          values: ['${aws:PrincipalTag/team}'],
          sent: ['blue'],
          holds: true,
        },
      ],
    },
  ])
  const red = { ...query, body: { ...query.body, ExpressionAttributeValues: { ':p': { S: 'red' } } } }
  const [denied] = closed.gate.explain(await scopeOfAnn(), red).decisions
  expect(denied).toMatchObject({ outcome: 'implicit-deny', by: 'identity', statements: [] })
  expect(denied?.unmet[0]?.conditions).toMatchObject([{ sent: ['red'], holds: false }])
})

test('the policy of a table is shown to those who may read it', async () => {
  await closed.ask(closed.root, 'dynamodb', 'PutResourcePolicy', {
    ResourceArn: table,
    Policy: policy({ Effect: 'Deny', Principal: '*', Action: 'dynamodb:Scan', Resource: table }),
    ConfirmRemoveSelfResourceAccess: true,
  })
  const scan = { ...query, operation: 'Scan', body: { TableName: 'music' } }
  const [hidden] = closed.gate.explain(await scopeOfAnn(), scan).decisions
  expect(hidden).toMatchObject({ outcome: 'explicit-deny', by: 'resource', statements: [{ kind: 'resource' }] })
  expect(hidden?.statements[0]?.statement).toBeUndefined()
  const [shown] = closed.gate.simulate(scope, undefined, {
    principalArn: `arn:aws:iam::${account}:user/ann`,
    policies: [],
    asked: scan,
    context: {},
  })
  expect(shown?.statements[0]?.statement).toMatchObject({ Effect: 'Deny', Principal: '*' })
})

test('a simulation needs the right to simulate, of the principal or of any policy', async () => {
  const simulate = (given: Partial<Simulation>, caller?: CallingScope) =>
    closed.gate.simulate(scope, caller, { policies: [], asked: query, context: {}, ...given })
  const principalArn = `arn:aws:iam::${account}:user/ann`
  await letSimulate(principalArn)
  const caller = await scopeOfAnn()
  expect(simulate({ principalArn }, caller)[0]?.outcome).toBe('allowed')
  const pasted = policy({
    Effect: 'Allow',
    Action: 'dynamodb:*',
    Resource: '*',
    Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } },
  })
  expect(() => simulate({ policies: [pasted] }, caller)).toThrow(/iam:SimulateCustomPolicy/)
  expect(simulate({ policies: [pasted] })[0]).toMatchObject({
    outcome: 'implicit-deny',
    missingKeys: ['aws:SourceIp'],
  })
  const here = { policies: [pasted], context: { 'aws:SourceIp': '10.1.2.3' } }
  expect(simulate(here)[0]).toMatchObject({ outcome: 'allowed', missingKeys: [] })
  const asked = { actions: ['dynamodb:Query', 'dynamodb:Scan'], resources: [table, '*'] }
  expect(simulate({ ...here, asked }).map(({ outcome }) => outcome)).toEqual([
    'allowed',
    'allowed',
    'explicit-deny',
    'allowed',
  ])
  expect(() => simulate({ policies: ['{}'] })).toThrow(/MalformedPolicyDocument|policy/i)
  expect(() => simulate({ principalArn: 'arn:aws:iam::123456789012:user/__proto__' })).toThrow(/cannot be found/)
})
