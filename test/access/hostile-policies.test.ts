import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { IAM } from '@aws-sdk/client-iam'
import * as fc from 'fast-check'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Whatever is sent as a policy is the client's mistake, or is kept and can be evaluated: it never breaks the server. */
let db: Database
let iam: IAM
let ana: DynamoDB

beforeAll(async () => {
  db = await open({ auth: true, region: 'us-west-2' })
  const { endpoint } = await db.listen()
  iam = new IAM({ endpoint, region: 'us-west-2', maxAttempts: 1, credentials: db.clientConfig.credentials })
  await db.client.createTable({
    TableName: 'Music',
    AttributeDefinitions: [{ AttributeName: 'Artist', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'Artist', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await iam.createUser({ UserName: 'ana' })
  const { AccessKey } = await iam.createAccessKey({ UserName: 'ana' })
  const credentials = {
    accessKeyId: AccessKey?.AccessKeyId ?? '',
    secretAccessKey: AccessKey?.SecretAccessKey ?? '',
  }
  ana = new DynamoDB({ endpoint, region: 'us-west-2', maxAttempts: 1, credentials })
})

afterAll(() => db.close())

const hostile = [
  '',
  '{',
  'null',
  '[]',
  '"*"',
  '{"Statement":null}',
  '{"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringLike":{"__proto__":"*"}}}}',
  '{"__proto__":{"Statement":[]}}',
  `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:${'*?'.repeat(500)}x","Resource":"*"}}`,
  `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:${'*a'.repeat(800)}"}}`,
  `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:\${\${\${aws:x}"}}`,
  '['.repeat(1900),
  `{"a":${'['.repeat(900)}${']'.repeat(900)}}`,
  `{"Version":"2012-10-17","Statement":[${'{},'.repeat(400)}{}]}`,
]
const value = fc.oneof(
  fc.constantFrom('*', '', '${', '\u0000', '%41'),
  fc.string({ maxLength: 8 }),
  fc.jsonValue({ maxDepth: 2 }),
)
const statement = fc.record(
  { Effect: fc.constantFrom('Allow', 'Deny'), Action: value, Resource: value, Condition: value, Principal: value },
  { requiredKeys: ['Effect'] },
)
const random = statement.map((one) => JSON.stringify({ Version: '2012-10-17', Statement: one }))

test('through IAM and DynamoDB', async () => {
  const tableArn = `arn:aws:dynamodb:us-west-2:123456789012:table/Music`
  const samples = fc.sample(random, 60)
  for (const policy of [...hostile, ...samples]) {
    const asUser = { UserName: 'ana', PolicyName: 'p', PolicyDocument: policy }
    await expectClientError(() => iam.putUserPolicy(asUser))
    await expectClientError(() => iam.simulateCustomPolicy({ PolicyInputList: [policy], ActionNames: ['a:b'] }))
    await expectClientError(() => db.client.putResourcePolicy({ ResourceArn: tableArn, Policy: policy }))
    await expectClientError(() => ana.getItem({ TableName: 'Music', Key: { Artist: { S: 'a' } } }))
    await db.execute('DeleteResourcePolicy', { ResourceArn: tableArn })
  }
})

/** Or none. */
async function expectClientError(asked: () => Promise<unknown>): Promise<void> {
  const status = await asked().then(
    () => 200,
    (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode,
  )
  expect(status).toBeGreaterThanOrEqual(200)
  expect(status).toBeLessThan(500)
}
