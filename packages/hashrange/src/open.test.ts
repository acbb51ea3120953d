import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { DynamoDBClient, GetItemCommand, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { operationsByTarget } from '@hashrange/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { open } from './index.ts'
import type { Database } from './index.ts'

const table = {
  TableName: 'Users',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
  BillingMode: 'PAY_PER_REQUEST' as const,
}

describe('a database in memory', () => {
  let db: Database

  beforeEach(async () => {
    db = await open()
    await db.client.createTable(table)
  })

  afterEach(() => db.close())

  test('answers the 58 operations of the API and the 4 of its streams', async () => {
    const operations = [...operationsByTarget.DynamoDB_20120810, ...operationsByTarget.DynamoDBStreams_20120810]
    const unanswered: string[] = []
    for (const operation of operations) {
      const code = await db.execute(operation, {}).then(
        () => 'done',
        (error: { readonly code?: string; readonly name: string }) => error.code ?? error.name,
      )
      if (code === 'UnknownOperationException') unanswered.push(operation)
      expect(code).not.toMatch(/InternalServer|TypeError/)
    }
    expect(operations).toHaveLength(58 + 4)
    expect(unanswered).toEqual([])
  })

  test('is used through a client of the SDK, bytes included', async () => {
    const Item = { pk: { S: 'a' }, bytes: { B: Uint8Array.of(1, 2, 255) }, number: { N: '1.50' } }
    await db.client.send(new PutItemCommand({ TableName: 'Users', Item }))
    const { Item: found } = await db.client.send(
      new GetItemCommand({ TableName: 'Users', Key: { pk: { S: 'a' } } }),
    )
    expect(found).toMatchObject({ pk: { S: 'a' }, number: { N: '1.5' } })
    expect([...(found?.['bytes']?.B ?? [])]).toEqual([1, 2, 255])
  })

  test('answers errors that the SDK knows', async () => {
    const missing = db.client.getItem({ TableName: 'Nobody', Key: { pk: { S: 'a' } } })
    await expect(missing).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      $metadata: { httpStatusCode: 400 },
    })
    const first = { TableName: 'Users', Item: { pk: { S: 'a' } }, ConditionExpression: 'attribute_not_exists(pk)' }
    await db.client.putItem(first)
    await expect(db.client.putItem(first)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
    })
  })

  test('is used through a document client', async () => {
    const documents = DynamoDBDocumentClient.from(db.client)
    await documents.send(
      new PutCommand({ TableName: 'Users', Item: { pk: 'a', tags: new Set(['x', 'y']), nested: { n: 1 } } }),
    )
    const { Item } = await documents.send(new GetCommand({ TableName: 'Users', Key: { pk: 'a' } }))
    expect(Item).toEqual({ pk: 'a', tags: new Set(['x', 'y']), nested: { n: 1 } })
  })

  test('is used without the SDK', async () => {
    await db.execute('PutItem', {
      TableName: 'Users',
      Item: { pk: { S: 'a' }, bytes: { B: Uint8Array.of(1) } },
      ReturnValues: undefined,
    })
    expect(await db.execute('GetItem', { TableName: 'Users', Key: { pk: { S: 'a' } } })).toEqual({
      Item: { pk: { S: 'a' }, bytes: { B: 'AQ==' } },
    })
    await expect(db.execute('GetItem', { TableName: 'Nobody', Key: { pk: { S: 'a' } } })).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    })
  })

  test('is served over HTTP too, with the same tables whatever the credentials and region', async () => {
    const { endpoint } = await db.listen()
    const credentials = { accessKeyId: 'somebody', secretAccessKey: 'x' }
    const client = new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials })
    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual(['Users'])
    client.destroy()
  })

  test('stays open when a client is destroyed, and answers nothing once it is closed', async () => {
    new DynamoDBClient(db.clientConfig).destroy()
    expect((await db.client.listTables({})).TableNames).toEqual(['Users'])
    await db.close()
    await db.close()
    await expect(db.execute('ListTables')).rejects.toThrow('The database is closed')
    await expect(db.client.listTables({})).rejects.toThrow('The database is closed')
  })

  test('knows nothing of another one', async () => {
    const other = await open()
    expect(await other.execute('ListTables')).toEqual({ TableNames: [] })
    await other.close()
  })
})

describe('a database in a folder', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hashrange-open-'))
  })

  afterEach(() => rm(folder, { recursive: true }))

  test('is there again when it is opened again', async () => {
    const first = await open({ path: folder })
    await first.execute('CreateTable', table)
    await first.execute('PutItem', { TableName: 'Users', Item: { pk: { S: 'a' } } })
    await first.close()
    const second = await open({ path: folder })
    expect(await second.execute('GetItem', { TableName: 'Users', Key: { pk: { S: 'a' } } })).toEqual({
      Item: { pk: { S: 'a' } },
    })
    await second.close()
  })

  test('is opened once at a time', async () => {
    const first = await open({ path: folder })
    await expect(open({ path: folder })).rejects.toMatchObject({
      name: 'StorageError',
      code: 'locked',
      message: `The data folder ${folder} is already open in this process. Use that database, or close it first.`,
    })
    await first.close()
  })

  test('that is none, or is damaged, is told in the words of a program', async () => {
    const file = join(folder, 'data.mdb')
    await writeFile(file, 'not a database')
    await expect(open({ path: file })).rejects.toThrow(/Choose another as path\.$/)
    await expect(open({ path: folder })).rejects.toThrow(/or open another path\.$/)
  })
})

test.each([
  ['./data', 'open takes an object: open({ path: "./data" }).'],
  ['postgres://me:secret@db/shop', 'open takes an object: open({ store: "postgres://db/shop" }).'],
  [null, "open takes an object, such as open({ path: './data' }), not null."],
  [{ paht: './data' }, 'open has no option paht. Did you mean path?'],
  [
    { path: './data', store: 'postgres://db/shop' },
    'path and store both say where to keep the data. Use only one of them.',
  ],
  [{ path: 5 }, "path must be a folder, such as './data', not 5."],
  [{ path: '' }, 'path must be a folder, such as \'./data\', not "".'],
])('open(%o) is refused, rather than data being lost in memory', async (options, message) => {
  await expect(open(options as never)).rejects.toThrow(message)
})

test('a store that is no URL is refused, and its password is shown nowhere', async () => {
  const refused: unknown = await open({ store: 'postgres://me:sec/ret@db/shop' }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'io' })
  expect(inspect(refused, { depth: null })).not.toMatch(/sec|ret@/)
})

test('open says which options there are', async () => {
  await expect(open({ colour: 'red' } as never)).rejects.toThrow(
    /^open has no option colour\. The options are path, store, .*logger\.$/,
  )
})

describe('a server of an open database', () => {
  test('says whether it is ready, as a server of the command does', async () => {
    const db = await open()
    const { endpoint } = await db.listen()
    expect(await (await fetch(`${endpoint}/ready`)).text()).toBe('ready\n')
    await db.close()
  })

  test('answers the pages and the names that it is told to', async () => {
    const db = await open()
    const { endpoint, port } = await db.listen({
      cors: ['https://app.example.com'],
      allowedHosts: ['db.example.com'],
    })
    expect(endpoint).toBe(`http://127.0.0.1:${port}`)
    const statusFor = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${endpoint}/health`, { headers })).status
    expect(await statusFor({ Origin: 'https://app.example.com' })).toBe(200)
    expect(await statusFor({ Origin: 'https://other.example.com' })).toBe(403)
    await db.close()
  })

  test('does not listen with options that it does not understand', async () => {
    const db = await open()
    await expect(db.listen({ hosts: ['a'] } as object)).rejects.toThrow(
      'listen has no option hosts. Did you mean host?',
    )
    await expect(db.listen({ cors: ['example.com'] })).rejects.toThrow('cors must be a list of origins')
    await expect(db.listen({ allowedHosts: ['http://db'] })).rejects.toThrow('allowedHosts must be a list of names')
    await db.close()
  })
})
