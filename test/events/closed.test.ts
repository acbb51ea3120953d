import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { IAM } from '@aws-sdk/client-iam'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashrangeMain } from '../support/hashrange-main.ts'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import { LambdaClient } from './lambda-client.ts'

const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'a secret of this test' }
let folder: string

beforeAll(() => {
  // Where the SDK is found.
  folder = mkdtempSync(join(dirname(hashrangeMain), 'closed-functions-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a function of a closed server has the rights of its role, and no others', async () => {
  writeFileSync(
    join(folder, 'on-order.mjs'),
    `import { DynamoDB } from '@aws-sdk/client-dynamodb'
     const client = new DynamoDB({ maxAttempts: 1 })
     export const handler = async ({ Records }) => {
       for (const { dynamodb } of Records) {
         await client.putItem({ TableName: 'Totals', Item: dynamodb.Keys })
         const refused = await client.putItem({ TableName: 'Orders', Item: { pk: { S: 'b' } } }).catch(({ name }) => name)
         await client.putItem({ TableName: 'Totals', Item: { pk: { S: 'refused' }, name: { S: String(refused) } } })
       }
     }`,
  )
  const path = join(folder, 'data')
  const settings = {
    HASHRANGE_ROOT_ACCESS_KEY_ID: credentials.accessKeyId,
    HASHRANGE_ROOT_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
  const start = (...flags: string[]): HashrangeProcess =>
    HashrangeProcess.start(['--auth', '--path', path, '--port', '0', '--no-workbench', ...flags], [], settings)
  let server = start()
  try {
    const clients = { region: 'us-east-1', credentials, maxAttempts: 1 }
    let endpoint = `http://127.0.0.1:${await server.ready()}`
    const iam = new IAM({ ...clients, endpoint })
    const statement = (more: object): string =>
      JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...more }] })
    const { Role: role } = await iam.createRole({
      RoleName: 'totals',
      AssumeRolePolicyDocument: statement({
        Principal: { Service: 'lambda.amazonaws.com' },
        Action: 'sts:AssumeRole',
      }),
    })
    const PolicyDocument = statement({ Action: 'dynamodb:PutItem', Resource: 'arn:aws:dynamodb:*:*:table/Totals' })
    await iam.putRolePolicy({ RoleName: 'totals', PolicyName: 'put', PolicyDocument })
    await server.stop()
    writeFileSync(
      join(folder, 'hashrange.config.json'),
      JSON.stringify({
        functions: { 'on-order': { handler: join(folder, 'on-order.handler'), role: role?.Arn } },
        triggers: [{ table: 'Orders', function: 'on-order' }],
      }),
    )
    server = start('--config', join(folder, 'hashrange.config.json'))
    endpoint = `http://127.0.0.1:${await server.ready()}`
    const dynamodb = new DynamoDB({ ...clients, endpoint })
    for (const TableName of ['Totals', 'Orders'])
      await dynamodb.createTable({
        TableName,
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
        ...(TableName === 'Orders' && {
          StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
        }),
      })
    await dynamodb.putItem({ TableName: 'Orders', Item: { pk: { S: 'a' } } })
    const get = async (pk: string) => (await dynamodb.getItem({ TableName: 'Totals', Key: { pk: { S: pk } } })).Item
    await expect.poll(() => get('refused')).toEqual({ pk: { S: 'refused' }, name: { S: 'AccessDeniedException' } })
    expect(await get('a')).toBeDefined()
    // Whoever is not known calls no function.
    const { status, headers } = await new LambdaClient(endpoint).invoke('on-order', {})
    expect([status, headers.get('x-amzn-ErrorType')]).toEqual([403, 'InvalidSignatureException'])
  } finally {
    await server.stop()
  }
})
