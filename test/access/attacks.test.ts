import { createHash, createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** What an attacker would try on the wire of a closed server: with no key, with a request of somebody else's, and with a key of their own that may do little. */
const root = { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'the secret of the administrator' }
const mallory = { id: 'AKIAMALLORY', secret: 'the secret of mallory' }

let db: Database
let port: number

beforeAll(async () => {
  const own = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['mallory'] } }
  const statement = {
    Effect: 'Allow',
    Action: ['dynamodb:*Item', 'dynamodb:PartiQL*', 'dynamodb:Query', 'dynamodb:ConditionCheckItem'],
    Resource: '*',
    Condition: own,
  }
  db = await open({
    auth: {
      credentials: { accessKeyId: root.id, secretAccessKey: root.secret },
      identities: {
        users: {
          mallory: {
            accessKeys: [mallory],
            policies: { own: { Version: '2012-10-17', Statement: [statement] } },
          },
        },
      },
    },
  })
  port = (await db.listen()).port
  await db.client.createTable({
    TableName: 'tenants',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (const pk of ['mallory', 'victim']) {
    await db.client.putItem({ TableName: 'tenants', Item: { pk: { S: pk }, n: { N: '0' } } })
  }
})
afterAll(() => db.close())

describe('on the wire', () => {
  const list = (): Signed => sign(root, 'ListTables', '{}')

  test('a request is let in once it is right', async () => {
    expect(await send(list())).toMatch(/^HTTP\/1.1 200 /)
  })

  test.each<[string, (signed: Signed) => string[]]>([
    ['two signatures', ({ fields }) => [...fields, fields.find((line) => line.startsWith('Authorization')) ?? '']],
    ['two hosts', ({ fields }) => [...fields, 'Host: elsewhere']],
    ['two times', ({ fields }) => [...fields, 'x-amz-date: 20200101T000000Z']],
    ['two targets', ({ fields }) => [...fields, 'X-AMZ-TARGET: DynamoDB_20120810.DeleteTable']],
    ['two lengths', ({ fields }) => [...fields, 'Content-Length: 0']],
    ['a length and chunks', ({ fields }) => [...fields, 'Transfer-Encoding: chunked']],
    ['a token that nobody signed', ({ fields }) => [...fields, 'X-Amz-Security-Token: x']],
    ['a header of its own that nobody signed', ({ fields }) => [...fields, 'X-Amz-Anything: x']],
    ['a folded header', ({ fields }) => [...fields, ' X-Amz-Target: DynamoDB_20120810.DeleteTable']],
    ['a huge header', ({ fields }) => [...fields, `X-Padding: ${'x'.repeat(200_000)}`]],
    ['very many headers', ({ fields }) => [...fields, ...Array.from({ length: 2000 }, (_, n) => `X-${n}: y`)]],
    ['an encoding that is not undone', ({ fields }) => [...fields, 'Content-Encoding: aws-chunked']],
  ])('%s are refused', async (_, change) => {
    const signed = list()
    expect(await send({ ...signed, fields: change(signed) })).toMatch(/^HTTP\/1.1 4\d\d /)
  })

  test('chunks are what was signed, and nothing else', async () => {
    const signed = list()
    const fields = signed.fields
      .filter((line) => !line.startsWith('Content-Length'))
      .concat('Transfer-Encoding: chunked')
    expect(
      await send({ ...signed, fields, body: '1;a="b"\r\n{\r\n1\r\n}\r\n0\r\nX-Amz-Target: x\r\n\r\n' }),
    ).toMatch(/ 200 /)
    expect(await send({ ...signed, fields, body: '1\r\n{\r\n2\r\n }\r\n0\r\n\r\n' })).toMatch(
      / 400 .*InvalidSignature/s,
    )
  })

  test('a signature in the query is as good, until it expires or is changed', async () => {
    const body = '{}'
    const presigned = presign(root, 'ListTables', body, 60)
    expect(await send(presigned)).toMatch(/ 200 /)
    expect(await send({ ...presigned, body: '{ }' })).toMatch(/ 400 .*InvalidSignature/s)
    expect(await send({ ...presigned, target: presigned.target.replace('Expires=60', 'Expires=600') })).toMatch(
      / 400 .*InvalidSignature/s,
    )
    const twice = `${presigned.target}&X-Amz-Credential=x`
    expect(await send({ ...presigned, target: twice })).toMatch(/ 4\d\d /)
    for (const expires of [604_801, -1, Number.NaN]) {
      expect(await send(presign(root, 'ListTables', body, expires))).toMatch(/ 400 /)
    }
    const late = presign(root, 'ListTables', body, 60, -61_000)
    expect(await send(late)).toMatch(/ 400 .*Signature expired/s)
    const both = { ...presigned, fields: [...presigned.fields, 'Authorization: AWS4-HMAC-SHA256 Credential=x'] }
    expect(await send(both)).toMatch(/ 400 /)
  })

  test('the edges of the clock are where they are said to be', async () => {
    for (const [offsetMs, status] of [
      [-14 * 60_000, 200],
      [14 * 60_000, 200],
      [-16 * 60_000, 400],
      [16 * 60_000, 400],
      [-86_400_000, 400],
      [86_400_000, 400],
    ] as const) {
      expect(await send(sign(root, 'ListTables', '{}', { offsetMs })), `${offsetMs}`).toMatch(
        new RegExp(`^HTTP/1.1 ${status} `),
      )
    }
  })

  test('another service, region or day than the signed one is another signature', async () => {
    for (const change of [
      { service: 'iam' },
      { service: 'hashrange' },
      { date: '20200101' },
      { region: '' },
      { region: '../..' },
    ]) {
      expect(await send(sign(root, 'ListTables', '{}', change)), JSON.stringify(change)).toMatch(/^HTTP\/1.1 400 /)
    }
  })
})

describe('with parameters of the Query protocol', () => {
  const ask = (body: string): Promise<string> =>
    send(sign(root, undefined, `Version=2010-05-08&${body}`, { service: 'iam' }))

  const bombs = [
    'Action=CreateUser&UserName=bomb&Tags.member.999999999.Key=a&Tags.member.999999999.Value=b',
    'Action=CreateUser&UserName=bomb&Tags.member.99999999999999999999.Key=a',
    'Action=CreateUser&UserName=bomb&Tags.member.-1.Key=a&Tags.member.1e9.Key=a',
    'Action=CreateUser&UserName=bomb&Tags.member.__proto__.Key=a&Tags.constructor.prototype.x=y',
    `Action=CreateUser&UserName=bomb&Tags${'.member.1'.repeat(3000)}=x`,
    `Action=CreateUser&UserName=bomb${Array.from({ length: 40_000 }, (_, n) => `&Tags.member.${n}.Key=k${n}`).join('')}`,
    `Action=SimulateCustomPolicy${Array.from({ length: 20_000 }, (_, n) => `&ActionNames.member.${n}=a:b`).join('')}`,
    'Action=__proto__',
    'Action=constructor&UserName=x',
    'Action=CreateUser&Action=DeleteUser&UserName=bomb',
    'Action=CreateUser&UserName=%00%ff%zz',
  ]
  test.each(bombs.map((body) => [body.slice(0, 60), body] as const))(
    '%s is answered, and breaks nothing',
    async (_, body) => {
      expect(await ask(body)).toMatch(/^HTTP\/1.1 (200|4\d\d) /)
      await ask('Action=DeleteUser&UserName=bomb')
      expect(await send(sign(root, 'ListTables', '{}'))).toMatch(/ 200 /)
    },
  )
})

describe('with a key that may touch its own items', () => {
  const foreign = { pk: { S: 'victim' } }
  const own = { pk: { S: 'mallory' } }
  const TableName = 'tenants'
  const update = { UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': { N: '1' } } }
  const failing = {
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
  const ask = (operation: string, input: object): Promise<string> =>
    send(sign(mallory, operation, JSON.stringify(input)))

  test.each<[string, object]>([
    [
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName, Item: own } }, { Put: { TableName, Item: foreign } }] },
    ],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Update: { TableName, Key: own, ...update } },
          { ConditionCheck: { TableName, Key: foreign, ...failing } },
        ],
      },
    ],
    [
      'BatchWriteItem',
      { RequestItems: { tenants: [{ PutRequest: { Item: own } }, { DeleteRequest: { Key: foreign } }] } },
    ],
    ['BatchGetItem', { RequestItems: { tenants: { Keys: [own, foreign] } } }],
    ['PutItem', { TableName, Item: foreign, ...failing }],
    ['UpdateItem', { TableName, Key: foreign, ...update, ReturnValues: 'ALL_OLD' }],
    ['DeleteItem', { TableName, Key: foreign, ReturnValues: 'ALL_OLD' }],
    ['PutItem', { TableName, Item: foreign, Expected: { pk: { Exists: false } } }],
    [
      'Query',
      {
        TableName,
        KeyConditionExpression: '#k = :k',
        ExpressionAttributeNames: { '#k': 'pk' },
        ExpressionAttributeValues: { ':k': { S: 'victim' } },
      },
    ],
    [
      'Query',
      {
        TableName,
        KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'victim' }] } },
      },
    ],
    ['ExecuteStatement', { Statement: `SELECT * FROM tenants WHERE pk IN ('mallory', 'victim')` }],
    ['ExecuteStatement', { Statement: `SELECT * FROM tenants WHERE pk = 'mallory' OR pk = 'victim'` }],
    ['ExecuteStatement', { Statement: `UPDATE "tenants" SET n = 1 WHERE pk = 'victim' AND pk = 'mallory'` }],
    ['ExecuteStatement', { Statement: `DELETE FROM tenants WHERE pk = ?`, Parameters: [{ S: 'victim' }] }],
    ['GetItem', { TableName: 'arn:aws:dynamodb:us-east-1:123456789012:table/tenants', Key: foreign }],
    ['GetItem', { TableName: 'arn:aws:dynamodb:us-east-1:111111111111:table/tenants', Key: own }],
    ['GetItem', { TableName: 'arn:aws:dynamodb:eu-west-1:123456789012:table/tenants', Key: own }],
    ['GetItem', { TableName: 'tenants/index/x', Key: own }],
    ['GetItem', { TableName: 'arn:aws:dynamodb:us-east-1:123456789012:table/tenants:', Key: foreign }],
    ['Scan', { TableName }],
  ])('%s does not reach another tenant: %j', async (operation, input) => {
    const answer = await ask(operation, input)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).not.toMatch(/"n":\s*\{/)
    const { Items } = await db.client.scan({ TableName })
    expect(Items).toHaveLength(2)
    expect(Items).toEqual(
      expect.arrayContaining([
        { ...own, n: { N: '0' } },
        { ...foreign, n: { N: '0' } },
      ]),
    )
  })
})

interface Signed {
  readonly target: string
  readonly fields: readonly string[]
  readonly body: string
}

interface SignOptions {
  readonly service?: string
  readonly region?: string
  readonly date?: string
  readonly offsetMs?: number
}

function sign(
  { id, secret }: typeof root,
  operation: string | undefined,
  body: string,
  { service = 'dynamodb', region = 'us-east-1', date, offsetMs = 0 }: SignOptions = {},
): Signed {
  const time = timeText(offsetMs)
  const headers: [string, string][] = [
    ['content-type', operation === undefined ? 'application/x-www-form-urlencoded' : 'application/x-amz-json-1.0'],
    ['host', `127.0.0.1:${port}`],
    ['x-amz-date', time],
    ...(operation === undefined ? [] : [['x-amz-target', `DynamoDB_20120810.${operation}`] as [string, string]]),
  ]
  const names = headers.map(([name]) => name).join(';')
  const lines = headers.map(([name, value]) => `${name}:${value}\n`).join('')
  const scope = `${date ?? time.slice(0, 8)}/${region}/${service}/aws4_request`
  const signature = signatureOf(secret, time, scope, `POST\n/\n\n${lines}\n${names}\n${sha256(body)}`)
  const authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  const fields = [
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Authorization: ${authorization}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return { target: '/', fields, body }
}

function presign(
  { id, secret }: typeof root,
  operation: string,
  body: string,
  expires: number,
  offsetMs = 0,
): Signed {
  const time = timeText(offsetMs)
  const scope = `${time.slice(0, 8)}/us-east-1/dynamodb/aws4_request`
  const query = [
    'X-Amz-Algorithm=AWS4-HMAC-SHA256',
    `X-Amz-Credential=${encodeURIComponent(`${id}/${scope}`)}`,
    `X-Amz-Date=${time}`,
    `X-Amz-Expires=${expires}`,
    'X-Amz-SignedHeaders=host%3Bx-amz-target',
  ].join('&')
  const target = `DynamoDB_20120810.${operation}`
  const canonical = `POST\n/\n${query}\nhost:127.0.0.1:${port}\nx-amz-target:${target}\n\nhost;x-amz-target\n${sha256(body)}`
  const signature = signatureOf(secret, time, scope, canonical)
  const fields = [
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/x-amz-json-1.0',
    `X-Amz-Target: ${target}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return { target: `/?${query}&X-Amz-Signature=${signature}`, fields, body }
}

function timeText(offsetMs: number): string {
  return new Date(Date.now() + offsetMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
}

function signatureOf(secret: string, time: string, scope: string, canonical: string): string {
  const key = scope.split('/').reduce<Buffer | string>((one, text) => hmac(one, text), `AWS4${secret}`)
  return hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The whole answer, to a request that is sent as it is. */
function send({ target, fields, body }: Signed): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer)?.[1]
      if (length !== undefined && answer.length >= answer.indexOf('\r\n\r\n') + 4 + Number(length)) socket.destroy()
    })
    socket.on('error', (error) => (answer === '' ? reject(error) : undefined))
    socket.on('close', () => resolve(answer))
    socket.write(`POST ${target} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${body}`)
  })
}
