import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, expect, test } from 'vitest'

const [owner, guests] = ['123456789012', '999988887777'] as const
const region = 'us-west-2'
const tableArn = `arn:aws:dynamodb:${region}:${owner}:table/Music`
const guest = `arn:aws:iam::${guests}:user/gus`
const all = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }

let db: Database
let gus: DynamoDB
let nobody: DynamoDB

beforeAll(async () => {
  const key = (id: string) => ({ id, secret: `the secret of ${id}` })
  db = await open({
    accountId: owner,
    region,
    auth: {
      identities: {
        accounts: {
          [guests]: {
            users: {
              gus: { policies: { all }, accessKeys: [key('AKIAGUS')] },
              nobody: { accessKeys: [key('AKIANOBODY')] },
            },
          },
        },
      },
    },
  })
  const { endpoint } = await db.listen()
  const as = (accessKeyId: string): DynamoDB => {
    const credentials = { accessKeyId, secretAccessKey: `the secret of ${accessKeyId}` }
    return new DynamoDB({ endpoint, region, credentials, maxAttempts: 1 })
  }
  gus = as('AKIAGUS')
  nobody = as('AKIANOBODY')
  await db.client.createTable({
    TableName: 'Music',
    AttributeDefinitions: [{ AttributeName: 'Artist', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'Artist', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await db.client.putItem({ TableName: 'Music', Item: { Artist: { S: 'a' } } })
})

afterAll(() => db.close())

const key = { Artist: { S: 'a' } }

test('a table of another account is used by its ARN, where both sides allow it', async () => {
  const get = { TableName: tableArn, Key: key }
  const refusal = `User: ${guest} is not authorized to perform: dynamodb:GetItem on resource: ${tableArn} because no resource-based policy allows the dynamodb:GetItem action`
  await expect(gus.getItem(get)).rejects.toThrow(refusal)
  const statement = { Effect: 'Allow', Action: ['dynamodb:GetItem', 'dynamodb:PutItem'], Resource: tableArn }
  const { RevisionId } = await db.client.putResourcePolicy({
    ResourceArn: tableArn,
    Policy: JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ ...statement, Principal: { AWS: [guest, `arn:aws:iam::${guests}:user/nobody`] } }],
    }),
  })
  expect(await gus.getItem(get)).toMatchObject({ Item: key })
  await gus.putItem({ TableName: tableArn, Item: { Artist: { S: 'b' } } })
  expect(await db.client.scan({ TableName: 'Music' })).toMatchObject({ Count: 2 })
  await expect(nobody.getItem(get)).rejects.toThrow(/because no identity-based policy allows/)
  await expect(gus.scan({ TableName: tableArn })).rejects.toThrow(/because no resource-based policy allows/)
  await db.client.deleteResourcePolicy({ ResourceArn: tableArn, ExpectedRevisionId: RevisionId })
  await expect(gus.getItem(get)).rejects.toThrow(refusal)
})

test('a name is always a table of one’s own', async () => {
  await expect(gus.getItem({ TableName: 'Music', Key: key })).rejects.toThrow('Requested resource not found')
  expect(await gus.listTables({})).toMatchObject({ TableNames: [] })
  await expect(
    gus.batchGetItem({ RequestItems: { Music: { Keys: [key] }, [tableArn]: { Keys: [key] } } }),
  ).rejects.toThrow()
})
