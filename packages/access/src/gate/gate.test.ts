import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBearerToken, newBearerToken } from '../secrets/bearer-token.ts'
import { SecretBox } from '../secrets/secret-box.ts'
import {
  openClosedEngine,
  refusalOf,
  requestOf,
  testSecretKey,
  type Answered,
  type ClosedEngine,
  type TestKey,
} from '../testing/closed-engine.ts'

let closed: ClosedEngine
let reader: TestKey
const account = '123456789012'
const read = { TableName: 'music', Key: { pk: { S: 'a' } } }

beforeAll(async () => {
  closed = await openClosedEngine()
  await closed.ask(closed.root, 'dynamodb', 'CreateTable', {
    TableName: 'music',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await closed.ask(closed.root, 'dynamodb', 'PutItem', { TableName: 'music', Item: { pk: { S: 'a' } } })
  reader = await newUser('reader', allow('dynamodb:GetItem'))
})
afterAll(() => closed.db.close())

describe('a request', () => {
  test('is carried out for whoever may', async () => {
    expect(await closed.ask(reader, 'dynamodb', 'GetItem', read)).toEqual({ Item: { pk: { S: 'a' } } })
  })

  test('is refused to whoever may not, in the words of the service, and changes nothing', async () => {
    const { code, message } = await closed.refusal(reader, 'dynamodb', 'DeleteItem', read)
    expect(code).toBe('AccessDeniedException')
    expect(message).toBe(
      `User: arn:aws:iam::${account}:user/reader is not authorized to perform: dynamodb:DeleteItem on resource: arn:aws:dynamodb:eu-west-1:${account}:table/music because no identity-based policy allows the dynamodb:DeleteItem action`,
    )
    expect(await closed.ask(reader, 'dynamodb', 'GetItem', read)).toEqual({ Item: { pk: { S: 'a' } } })
  })

  test('tells a stranger nothing of what is there', async () => {
    const missing = { ...read, TableName: 'missing' }
    expect((await closed.refusal(reader, 'dynamodb', 'DeleteItem', missing)).code).toBe('AccessDeniedException')
    expect((await closed.refusal(reader, 'dynamodb', 'GetItem', missing)).code).toBe('ResourceNotFoundException')
  })

  const now = (): number => closed.gate.identities.clock.now()
  const refused = (request: ReturnType<typeof requestOf>) =>
    refusalOf(Promise.resolve().then(() => closed.gate.authenticate(request, 'dynamodb')))

  test('is refused for a wrong secret, an unknown key, a stale clock and a token that is none', async () => {
    const wrong = { ...reader, secretAccessKey: 'wrong' }
    expect((await refused(requestOf(wrong, 'dynamodb', '{}', now()))).code).toBe('InvalidSignatureException')
    const unknown = { ...reader, accessKeyId: 'AKIAAAAAAAAAAAAAAAAA' }
    expect(await refused(requestOf(unknown, 'dynamodb', '{}', now()))).toMatchObject({
      code: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    })
    expect((await refused(requestOf(reader, 'dynamodb', '{}', now() - 3_600_000))).message).toMatch(
      /^Signature expired: /,
    )
    expect((await refused(requestOf(reader, 'dynamodb', '{}', now() + 3_600_000))).message).toMatch(
      /^Signature not yet current: /,
    )
    for (const sessionToken of ['', 'x', 'AAAA', 'a'.repeat(10_000)]) {
      const odd = requestOf({ ...reader, sessionToken }, 'dynamodb', '{}', now())
      expect((await refused(odd)).code).toBe('UnrecognizedClientException')
    }
  })

  test('is of one service alone', async () => {
    expect((await refused(requestOf(reader, 'iam', '{}', now()))).message).toBe(
      "Credential should be scoped to correct service: 'dynamodb'. ",
    )
  })

  test('follows a change of policies at once', async () => {
    const key = await newUser('changing', allow('dynamodb:PutItem'))
    expect((await closed.refusal(key, 'dynamodb', 'GetItem', read)).code).toBe('AccessDeniedException')
    await iam('PutUserPolicy', { UserName: 'changing', PolicyName: 'p', PolicyDocument: allow('dynamodb:GetItem') })
    await closed.ask(key, 'dynamodb', 'GetItem', read)
    await iam('DeleteUserPolicy', { UserName: 'changing', PolicyName: 'p' })
    expect((await closed.refusal(key, 'dynamodb', 'GetItem', read)).code).toBe('AccessDeniedException')
  })
})

describe('a role', () => {
  const arn = `arn:aws:iam::${account}:role/writer`
  const trust = (principal: string, condition?: object): string =>
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { AWS: principal },
          Action: ['sts:AssumeRole', 'sts:TagSession'],
          ...(condition !== undefined && { Condition: condition }),
        },
      ],
    })
  const assume = async (key: TestKey, more: object = {}): Promise<TestKey> => {
    const input = { RoleArn: arn, RoleSessionName: 'session', ...more }
    const { Credentials: made } = await closed.ask(key, 'sts', 'AssumeRole', input)
    return {
      accessKeyId: made.AccessKeyId,
      secretAccessKey: made.SecretAccessKey,
      sessionToken: made.SessionToken,
    }
  }
  const put = { TableName: 'music', Item: { pk: { S: 'b' } } }

  beforeAll(async () => {
    const document = trust(`arn:aws:iam::${account}:user/reader`)
    await iam('CreateRole', { RoleName: 'writer', AssumeRolePolicyDocument: document })
    await iam('PutRolePolicy', { RoleName: 'writer', PolicyName: 'p', PolicyDocument: allow('dynamodb:*') })
  })

  test('is assumed by whom it trusts, and by nobody else', async () => {
    const session = await assume(reader)
    expect(await closed.ask(session, 'sts', 'GetCallerIdentity')).toMatchObject({
      Account: account,
      Arn: `arn:aws:sts::${account}:assumed-role/writer/session`,
    })
    await closed.ask(session, 'dynamodb', 'PutItem', put)
    const stranger = await newUser('stranger', allow('dynamodb:*'))
    const input = { RoleArn: arn, RoleSessionName: 'session' }
    expect(await closed.refusal(stranger, 'sts', 'AssumeRole', input)).toMatchObject({
      code: 'AccessDeniedException',
      message: `User: arn:aws:iam::${account}:user/stranger is not authorized to perform: sts:AssumeRole on resource: ${arn}`,
    })
    const missing = { ...input, RoleArn: `${arn}-that-is-not-there` }
    expect((await closed.refusal(reader, 'sts', 'AssumeRole', missing)).code).toBe('AccessDeniedException')
    expect((await closed.refusal(closed.root, 'sts', 'AssumeRole', input)).message).toBe(
      'Roles may not be assumed by root accounts.',
    )
  })

  test.each([
    [{ RoleArn: 'nothing-valid-in-here-at-all' }, 'ValidationException: nothing-valid-in-here-at-all is invalid'],
    [{ RoleArn: 'arn:a::::something/test-role' }, 'ValidationException: arn:a::::something/test-role is invalid'],
    [
      { Tags: [{ Key: 'team', Value: 'a' }], TransitiveTagKeys: ['other'] },
      'InvalidParameterValue: The specified transitive tag key must be included in the requested tags.',
    ],
    [
      {
        Tags: [
          { Key: 'team', Value: 'a' },
          { Key: 'Team', Value: 'b' },
        ],
      },
      'InvalidParameterValue: Duplicate tag keys found. Please note that Tag keys are case insensitive.',
    ],
  ])('is not assumed with %j', async (input, words) => {
    const asked = { RoleArn: arn, RoleSessionName: 'session', ...input }
    const { code, message } = await closed.refusal(reader, 'sts', 'AssumeRole', asked)
    expect(`${code}: ${message}`).toBe(words)
  })

  test('hands on the tags that are named, whatever their case', async () => {
    const tags = { Tags: [{ Key: 'Team', Value: 'a' }], TransitiveTagKeys: ['team'] }
    expect(await assume(reader, tags)).toHaveProperty('sessionToken')
  })

  test('can be narrowed by a policy of the session', async () => {
    const session = await assume(reader, { Policy: allow('dynamodb:GetItem') })
    await closed.ask(session, 'dynamodb', 'GetItem', read)
    expect((await closed.refusal(session, 'dynamodb', 'PutItem', put)).message).toMatch(
      /because no session policy allows the dynamodb:PutItem action$/,
    )
  })

  test('is known by the tags of the session', async () => {
    await iam('CreateRole', {
      RoleName: 'tenant',
      AssumeRolePolicyDocument: trust(`arn:aws:iam::${account}:user/reader`),
    })
    await iam('PutRolePolicy', {
      RoleName: 'tenant',
      PolicyName: 'own',
      PolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: 'dynamodb:PutItem',
            Resource: '*',
            Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['${aws:PrincipalTag/tenant}#*'] } },
          },
        ],
      }),
    })
    const RoleArn = `arn:aws:iam::${account}:role/tenant`
    const session = await assume(reader, { RoleArn, Tags: [{ Key: 'tenant', Value: 'blue' }] })
    const item = (pk: string) => ({ TableName: 'music', Item: { pk: { S: pk } } })
    await closed.ask(session, 'dynamodb', 'PutItem', item('blue#1'))
    expect((await closed.refusal(session, 'dynamodb', 'PutItem', item('red#1'))).code).toBe('AccessDeniedException')
  })

  test('asks for the external id that its trust policy names', async () => {
    const condition = { StringEquals: { 'sts:ExternalId': 'xyzzy' } }
    const document = trust(`arn:aws:iam::${account}:user/reader`, condition)
    await iam('CreateRole', { RoleName: 'external', AssumeRolePolicyDocument: document })
    const input = { RoleArn: `arn:aws:iam::${account}:role/external`, RoleSessionName: 'session' }
    expect((await closed.refusal(reader, 'sts', 'AssumeRole', input)).code).toBe('AccessDeniedException')
    await closed.ask(reader, 'sts', 'AssumeRole', { ...input, ExternalId: 'xyzzy' })
  })

  test('is over when the session has expired, when the role is gone, and for a token of another key', async () => {
    const session = await assume(reader, { DurationSeconds: 900 })
    const other = await assume(reader)
    const mixed = { ...session, sessionToken: other.sessionToken }
    expect((await closed.refusal(mixed, 'dynamodb', 'GetItem', read)).code).toBe('UnrecognizedClientException')
    const { sessionToken: _, ...without } = session
    expect((await closed.refusal(without, 'dynamodb', 'GetItem', read)).code).toBe('UnrecognizedClientException')
    closed.db.advance(901_000)
    expect(await closed.refusal(session, 'dynamodb', 'GetItem', read)).toMatchObject({
      code: 'ExpiredTokenException',
      message: 'The security token included in the request is expired',
    })
    await iam('DeleteRolePolicy', { RoleName: 'writer', PolicyName: 'p' })
    await iam('DeleteRole', { RoleName: 'writer' })
    await iam('CreateRole', { RoleName: 'writer', AssumeRolePolicyDocument: trust(account) })
    await iam('PutRolePolicy', { RoleName: 'writer', PolicyName: 'p', PolicyDocument: allow('dynamodb:*') })
    expect((await closed.refusal(other, 'dynamodb', 'GetItem', read)).code).toBe('UnrecognizedClientException')
  })

  test('lasts no longer than it may', async () => {
    const input = {
      RoleArn: `arn:aws:iam::${account}:role/tenant`,
      RoleSessionName: 'session',
      DurationSeconds: 3601,
    }
    expect((await closed.refusal(reader, 'sts', 'AssumeRole', input)).message).toBe(
      'The requested DurationSeconds exceeds the MaxSessionDuration set for this role.',
    )
  })
})

describe('temporary credentials of a user', () => {
  test('may do what the user may', async () => {
    const { Credentials: made } = await closed.ask(reader, 'sts', 'GetSessionToken')
    const session = {
      accessKeyId: made.AccessKeyId,
      secretAccessKey: made.SecretAccessKey,
      sessionToken: made.SessionToken,
    }
    await closed.ask(session, 'dynamodb', 'GetItem', read)
    expect((await closed.refusal(session, 'sts', 'GetSessionToken')).message).toBe(
      'Cannot call GetSessionToken with session credentials',
    )
  })
})

describe('what is no API', () => {
  const answer = { status: 200, headers: {}, body: Buffer.from('figures') }
  const ask = async (fields: object, path = '/metrics', method = 'GET') =>
    closed.gate.closeRoutes(
      ['/metrics', '/_hashrange'],
      [() => answer],
    )({
      method,
      target: path,
      body: Buffer.alloc(0),
      ...fields,
    })
  const signed = (key: TestKey, target: string, method = 'GET') =>
    requestOf(key, 'hashrange', '', closed.gate.identities.clock.now(), { target, method })

  test('is closed to whoever has no token', async () => {
    for (const authorization of [undefined, 'Bearer x', 'Bearer ', 'Basic eDp5', 'Bearer hashrange_AAAA']) {
      expect(await ask({ authorization })).toMatchObject({ status: 401 })
    }
    expect(await ask({}, '/_hashrange/heat?x=1')).toMatchObject({ status: 401 })
    expect(await ask({}, '/other')).toBeUndefined()
  })

  test('is open to whoever has one, until it expires', async () => {
    const nowMs = closed.gate.identities.clock.now()
    const token = newBearerToken(new SecretBox(testSecretKey), nowMs + 1000)
    expect(await ask({ authorization: `Bearer ${token}` })).toMatchObject({ status: 200 })
    expect(isBearerToken(new SecretBox(testSecretKey), token, nowMs + 1000)).toBe(false)
    expect(isBearerToken(new SecretBox(Buffer.alloc(32, 8)), token, nowMs)).toBe(false)
  })

  test('is open to whoever signs and may', async () => {
    expect(await ask(signed(closed.root, '/metrics'))).toMatchObject({ status: 200 })
    expect(await ask(signed(reader, '/metrics'))).toMatchObject({ status: 401 })
    const watcher = await newUser('watcher', allow('hashrange:Read'))
    expect(await ask(signed(watcher, '/metrics'))).toMatchObject({ status: 200 })
    const path = '/_hashrange/compactions'
    expect(await ask(signed(watcher, path, 'POST'), path, 'POST')).toMatchObject({ status: 401 })
  })
})

function allow(action: string): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] })
}

function iam(operation: string, input: object): Promise<Answered> {
  return closed.ask(closed.root, 'iam', operation, input)
}

async function newUser(name: string, document: string): Promise<TestKey> {
  await iam('CreateUser', { UserName: name })
  await iam('PutUserPolicy', { UserName: name, PolicyName: 'given', PolicyDocument: document })
  const { AccessKey: key } = await iam('CreateAccessKey', { UserName: name })
  return { accessKeyId: key.AccessKeyId, secretAccessKey: key.SecretAccessKey }
}
