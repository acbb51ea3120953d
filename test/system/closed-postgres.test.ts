import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { IAM } from '@aws-sdk/client-iam'
import { STS } from '@aws-sdk/client-sts'
import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daxClient, type DaxClient } from '../dax/dax-client.ts'
import { HashrangeProcess } from '../support/hashrange-process.ts'

interface Key {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

const account = '123456789012'
const table = `arn:aws:dynamodb:us-east-1:${account}:table/music`
const read = { TableName: 'music', Key: { pk: { S: 'a' } } }
const hosts = [0, 1, 2] as const

let postgres: PostgresServer
let folder: string
let servers: HashrangeProcess[]
let endpoints: string[]
let root: Key
const made: { destroy(): void }[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-closed-'))
  const keyFile = join(folder, 'secret.key')
  writeFileSync(keyFile, randomBytes(32).toString('base64'))
  postgres = await startPostgres()
  const store = await postgres.newDatabase()
  const flags = [
    '--port',
    '0',
    '--dax-port',
    '0',
    '--auth',
    '--no-workbench',
    '--store',
    store,
    '--secret-key-file',
    keyFile,
  ]
  // All at once, on a store that is empty.
  servers = hosts.map(() => HashrangeProcess.start(flags))
  endpoints = (await Promise.all(servers.map((server) => server.ready()))).map((port) => `http://127.0.0.1:${port}`)
  root = printedKeys()[0] ?? { accessKeyId: '', secretAccessKey: '' }
})

afterAll(async () => {
  for (const client of made) client.destroy()
  await Promise.all(servers.map((server) => server.kill()))
  await postgres.remove()
  rmSync(folder, { recursive: true, force: true })
})

describe('closed servers that share a database', () => {
  test('have one administrator between them, whose key one of them prints', async () => {
    expect(printedKeys()).toHaveLength(1)
    for (const host of hosts) {
      expect((await at(host, STS, root).getCallerIdentity({})).Arn).toBe(`arn:aws:iam::${account}:root`)
    }
    await at(0, DynamoDB, root).createTable({
      TableName: 'music',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    await at(1, DynamoDB, root).putItem({ TableName: 'music', Item: { pk: { S: 'a' } } })
  })

  test('know a user, its key and its policy as soon as one of them does, and soon no longer', async () => {
    const ann = await newUser(0, 'ann')
    await at(1, IAM, root).putUserPolicy({ UserName: 'ann', PolicyName: 'read', PolicyDocument: allow('GetItem') })
    await everywhere(ann, 'none')
    await at(2, IAM, root).putUserPolicy({ UserName: 'ann', PolicyName: 'read', PolicyDocument: allow('PutItem') })
    await everywhere(ann, 'AccessDeniedException')
    await at(0, IAM, root).putUserPolicy({ UserName: 'ann', PolicyName: 'read', PolicyDocument: allow('GetItem') })
    await everywhere(ann, 'none')
    await at(1, IAM, root).updateAccessKey({ UserName: 'ann', AccessKeyId: ann.accessKeyId, Status: 'Inactive' })
    await everywhere(ann, 'UnrecognizedClientException')
  })

  test('agree on the policy of a table', async () => {
    const bob = await newUser(1, 'bob')
    await everywhere(bob, 'AccessDeniedException')
    const policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { AWS: `arn:aws:iam::${account}:user/bob` },
          Action: 'dynamodb:GetItem',
          Resource: table,
        },
      ],
    })
    await at(2, DynamoDB, root).putResourcePolicy({ ResourceArn: table, Policy: policy })
    await everywhere(bob, 'none')
    await at(0, DynamoDB, root).deleteResourcePolicy({ ResourceArn: table })
    await everywhere(bob, 'AccessDeniedException')
  })

  test('know the sessions of a role, until it is gone', async () => {
    const trust = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole' }],
    })
    const iam = at(0, IAM, root)
    await iam.createRole({ RoleName: 'reader', AssumeRolePolicyDocument: trust })
    await iam.putRolePolicy({ RoleName: 'reader', PolicyName: 'read', PolicyDocument: allow('GetItem') })
    const cid = await newUser(0, 'cid')
    const mayAssume = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: '*' }],
    })
    await iam.putUserPolicy({ UserName: 'cid', PolicyName: 'assume', PolicyDocument: mayAssume })
    const RoleArn = `arn:aws:iam::${account}:role/reader`
    const assumed = await at(0, STS, cid).assumeRole({ RoleArn, RoleSessionName: 'session' })
    const session = {
      accessKeyId: assumed.Credentials?.AccessKeyId ?? '',
      secretAccessKey: assumed.Credentials?.SecretAccessKey ?? '',
      sessionToken: assumed.Credentials?.SessionToken ?? '',
    }
    await everywhere(session, 'none')
    await at(2, IAM, root).deleteRolePolicy({ RoleName: 'reader', PolicyName: 'read' })
    await everywhere(session, 'AccessDeniedException')
    await at(1, IAM, root).deleteRole({ RoleName: 'reader' })
    await everywhere(session, 'UnrecognizedClientException')
  })

  test('serve DAX, each with caches of its own', async () => {
    const [first, second, third] = [dax(0), dax(1), dax(2)]
    const TableName = 'music'
    const Key = { pk: { S: 'dax' } }
    const plays = async (client: DaxClient, ConsistentRead = false) =>
      (await client.getItem({ TableName, Key, ConsistentRead })).Item?.['plays']?.N
    await at(2, DynamoDB, root).putItem({ TableName, Item: { ...Key, plays: { N: '1' } } })
    expect(await plays(second)).toBe('1')
    await first.putItem({ TableName, Item: { ...Key, plays: { N: '2' } } })
    expect(await plays(first)).toBe('2')
    expect(await plays(second)).toBe('1')
    expect(await plays(second, true)).toBe('2')
    expect(await plays(third)).toBe('2')
  })
})

function dax(host: (typeof hosts)[number]): DaxClient {
  const client = daxClient(/daxs?:\/\/[\d.]+:\d+/.exec(servers[host]?.printed ?? '')?.[0], root)
  made.push({ destroy: () => client.shutdown() })
  return client
}

function printedKeys(): Key[] {
  return servers.flatMap(({ printed }) => {
    const id = /AWS_ACCESS_KEY_ID=(\S+)/.exec(printed)?.[1]
    const secret = /AWS_SECRET_ACCESS_KEY=(\S+)/.exec(printed)?.[1]
    return id === undefined || secret === undefined ? [] : [{ accessKeyId: id, secretAccessKey: secret }]
  })
}

function at<Client extends { destroy(): void }>(
  host: (typeof hosts)[number],
  of: new (config: object) => Client,
  credentials: Key,
): Client {
  const client = new of({ endpoint: endpoints[host], region: 'us-east-1', credentials, maxAttempts: 1 })
  made.push(client)
  return client
}

async function newUser(host: (typeof hosts)[number], name: string): Promise<Key> {
  await at(host, IAM, root).createUser({ UserName: name })
  const { AccessKey: key } = await at(host, IAM, root).createAccessKey({ UserName: name })
  return { accessKeyId: key?.AccessKeyId ?? '', secretAccessKey: key?.SecretAccessKey ?? '' }
}

function allow(operation: string): string {
  const statement = { Effect: 'Allow', Action: `dynamodb:${operation}`, Resource: table }
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
}

/** Until every server answers a read as it should. */
async function everywhere(key: Key, code: string): Promise<void> {
  await Promise.all(
    hosts.map(async (host) => {
      const client = at(host, DynamoDB, key)
      await expect.poll(() => codeOf(client.getItem(read)), { interval: 25 }).toBe(code)
    }),
  )
}

async function codeOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'none',
    (error: Error) => error.name,
  )
}
