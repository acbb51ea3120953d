import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { IAM } from '@aws-sdk/client-iam'
import { STS } from '@aws-sdk/client-sts'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

interface SentRequest {
  headers: Record<string, string>
  body: Uint8Array
}

const account = '123456789012'
const table = `arn:aws:dynamodb:us-east-1:${account}:table/music`
const read = { TableName: 'music', Key: { pk: { S: 'a' } } }

const allow = (action: string): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: table }] })

describe.each(['over HTTP', 'embedded'])('the AWS SDK on a closed database, %s', (way) => {
  let db: Database
  let config: object

  beforeAll(async () => {
    db = await open({ auth: true })
    const served = { endpoint: (await db.listen()).endpoint, region: 'us-east-1', maxAttempts: 1 }
    config = way === 'embedded' ? db.clientConfig : served
    await root(DynamoDB).createTable({
      TableName: 'music',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    await root(DynamoDB).putItem({ TableName: 'music', Item: { pk: { S: 'a' } } })
  })
  afterAll(() => db.close())

  const client = <Client>(of: new (config: object) => Client, credentials: Credentials): Client =>
    new of({ ...config, credentials })
  const root = <Client>(of: new (config: object) => Client): Client => client(of, db.clientConfig.credentials)
  const newUser = async (name: string, action: string): Promise<Credentials> => {
    await root(IAM).createUser({ UserName: name })
    await root(IAM).putUserPolicy({ UserName: name, PolicyName: 'p', PolicyDocument: allow(action) })
    const { AccessKey: key } = await root(IAM).createAccessKey({ UserName: name })
    return { accessKeyId: key?.AccessKeyId ?? '', secretAccessKey: key?.SecretAccessKey ?? '' }
  }

  test('lets in who is known, for what they may do', async () => {
    const ann = await newUser('ann', 'dynamodb:GetItem')
    expect((await client(STS, ann).getCallerIdentity({})).Arn).toBe(`arn:aws:iam::${account}:user/ann`)
    expect((await client(DynamoDB, ann).getItem(read)).Item).toEqual({ pk: { S: 'a' } })
    await expect(client(DynamoDB, ann).deleteItem(read)).rejects.toMatchObject({ name: 'AccessDeniedException' })
    await expect(client(IAM, ann).listUsers({})).rejects.toMatchObject({ name: 'AccessDenied' })
    await expect(client(DynamoDBStreams, ann).listStreams({})).rejects.toMatchObject({
      name: 'AccessDeniedException',
    })
  })

  test('lets in sessions of roles', async () => {
    const bob = await newUser('bob', 'dynamodb:ListTables')
    const trust = {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${account}:user/bob` }, Action: 'sts:AssumeRole' },
      ],
    }
    await root(IAM).createRole({ RoleName: 'reader', AssumeRolePolicyDocument: JSON.stringify(trust) })
    await root(IAM).putRolePolicy({
      RoleName: 'reader',
      PolicyName: 'p',
      PolicyDocument: allow('dynamodb:GetItem'),
    })
    const { Credentials: made } = await client(STS, bob).assumeRole({
      RoleArn: `arn:aws:iam::${account}:role/reader`,
      RoleSessionName: 'session',
    })
    const session = {
      accessKeyId: made?.AccessKeyId ?? '',
      secretAccessKey: made?.SecretAccessKey ?? '',
      sessionToken: made?.SessionToken ?? '',
    }
    expect((await client(DynamoDB, session).getItem(read)).Item).toEqual({ pk: { S: 'a' } })
  })

  test('refuses whoever is not known', async () => {
    const { credentials } = db.clientConfig
    const wrong = { ...credentials, secretAccessKey: 'wrong' }
    const unknown = { accessKeyId: 'unknown', secretAccessKey: 'unknown' }
    await expect(client(DynamoDB, wrong).getItem(read)).rejects.toMatchObject({ name: 'InvalidSignatureException' })
    await expect(client(DynamoDB, unknown).getItem(read)).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    })
    await expect(client(DynamoDB, { ...credentials, sessionToken: 'x' }).getItem(read)).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    })
    await expect(client(STS, wrong).getCallerIdentity({})).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' })
    const { Credentials: made } = await root(STS).getSessionToken({})
    const tokenless = { accessKeyId: made?.AccessKeyId ?? '', secretAccessKey: made?.SecretAccessKey ?? '' }
    await expect(client(DynamoDB, tokenless).getItem(read)).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    })
  })

  test('refuses a clock that is an hour off', async () => {
    const { credentials } = db.clientConfig
    for (const [systemClockOffset, message] of [
      [-3_600_000, /^Signature expired: /],
      [3_600_000, /^Signature not yet current: /],
    ] as const) {
      const late = new DynamoDB({ ...config, credentials, systemClockOffset, maxAttempts: 1 })
      await expect(late.getItem(read)).rejects.toMatchObject({
        name: 'InvalidSignatureException',
        message: expect.stringMatching(message),
      })
    }
  })

  test.each<[string, (request: SentRequest) => void]>([
    [
      'a body',
      (request) => void (request.body = Buffer.from(Buffer.from(request.body).toString().replace('"a"', '"b"'))),
    ],
    ['a header', (request) => void (request.headers['x-amz-target'] = 'DynamoDB_20120810.DeleteItem')],
    ['the time', (request) => void (request.headers['x-amz-date'] = '20200101T000000Z')],
  ])('refuses %s that was changed on its way', async (_, change) => {
    const changed = root(DynamoDB)
    changed.middlewareStack.add(
      (next) => (sent) => {
        change(sent.request as SentRequest)
        return next(sent)
      },
      { step: 'deserialize', priority: 'low' },
    )
    await expect(changed.getItem(read)).rejects.toMatchObject({ name: 'InvalidSignatureException' })
    expect((await root(DynamoDB).getItem(read)).Item).toEqual({ pk: { S: 'a' } })
  })
})

test('what has no signature is closed too, but for what says that the server is there', async () => {
  const db = await open({ auth: true })
  try {
    const { endpoint } = await db.listen()
    const statusOf = async (path: string, init?: RequestInit): Promise<number> =>
      (await fetch(new URL(path, endpoint), init)).status
    for (const path of ['/metrics', '/_hashrange/heat', '/_hashrange/traffic'])
      expect(await statusOf(path)).toBe(401)
    for (const path of ['/_hashrange/snapshots', '/_hashrange/verifications', '/_hashrange/compactions']) {
      expect(await statusOf(path, { method: 'POST' })).toBe(401)
    }
    for (const path of ['/', '/health', '/ready']) expect(await statusOf(path)).toBe(200)
  } finally {
    await db.close()
  }
})

test('what strangers send is not even read', async () => {
  const db = await open({ auth: true })
  try {
    const { endpoint } = await db.listen()
    const ask = async (headers: Record<string, string>, body: string | Buffer): Promise<string> =>
      (await fetch(endpoint, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) })).text()
    const json = { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': 'DynamoDB_20120810.GetItem' }
    expect(await ask(json, '['.repeat(100_000))).toMatch(/MissingAuthenticationTokenException/)
    expect(await ask({ ...json, 'Content-Encoding': 'gzip' }, 'no gzip')).toMatch(
      /MissingAuthenticationTokenException/,
    )
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await ask(form, `Version=2010-05-08${'&a=b'.repeat(60_000)}`)).toMatch(/MissingAuthenticationToken/)
  } finally {
    await db.close()
  }
})

test('identities can be declared', async () => {
  const key = { id: 'AKIACI', secret: 'a secret of this test' }
  const db = await open({
    auth: {
      identities: {
        policies: {
          tables: {
            document: {
              Version: '2012-10-17',
              Statement: [{ Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' }],
            },
          },
        },
        groups: { developers: { attached: ['tables'] } },
        users: { ci: { groups: ['developers'], tags: { team: 'blue' }, accessKeys: [key] } },
      },
    },
  })
  try {
    const credentials = { accessKeyId: key.id, secretAccessKey: key.secret }
    const sts = new STS({ ...db.clientConfig, credentials })
    expect((await sts.getCallerIdentity({})).Arn).toBe(`arn:aws:iam::${account}:user/ci`)
    expect((await new DynamoDB({ ...db.clientConfig, credentials }).listTables({})).TableNames).toEqual([])
  } finally {
    await db.close()
  }
  const wrong = { users: { ci: { groups: ['nobody'] } } }
  await expect(open({ auth: { identities: wrong } })).rejects.toThrow('users.ci.groups: There is no group nobody.')
  const odd = { users: { ci: { password: 'x' } } } as object
  await expect(open({ auth: { identities: odd } })).rejects.toThrow(
    'users.ci: There is no "password". It may have path, policies, attached, groups, tags, boundary, accessKeys.',
  )
})
