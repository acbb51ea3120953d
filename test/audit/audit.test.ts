import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CloudWatch } from '@aws-sdk/client-cloudwatch'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { STS } from '@aws-sdk/client-sts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashrangeMain } from '../support/hashrange-main.ts'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import { run } from '../support/programs.ts'

let folder: string
let file: string
let server: HashrangeProcess
let client: DynamoDB
let endpoint: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-audit-'))
  file = join(folder, 'audit.log')
})

afterEach(async () => {
  client?.destroy()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('hashrange start --audit-log', () => {
  test('records who has called what, in the form of CloudTrail, and no calls on items', async () => {
    await start()
    await client.createTable(music)
    await client.putItem({ TableName: 'Music', Item: { pk: { S: 'a' }, title: { S: 'untold' } } })
    await client.createTable(music).catch(() => undefined)
    await cloudWatch(async (watch) => {
      await watch.deleteAlarms({ AlarmNames: ['none'] }).catch(() => undefined)
    })
    await fetch(`${endpoint}/_hashrange/compactions`, { method: 'POST' })
    const events = await stopAndRead()
    expect(events.map(({ eventSource, eventName, errorCode }) => [eventSource, eventName, errorCode])).toEqual([
      ['dynamodb.amazonaws.com', 'CreateTable', undefined],
      ['dynamodb.amazonaws.com', 'CreateTable', 'ResourceInUseException'],
      ['monitoring.amazonaws.com', 'DeleteAlarms', 'ResourceNotFound'],
      ['hashrange', 'POST /_hashrange/compactions', undefined],
    ])
    expect(events[0]).toMatchObject({
      userIdentity: { type: 'Unknown', accessKeyId: 'AKIDEXAMPLE' },
      awsRegion: 'eu-west-1',
      sourceIPAddress: '127.0.0.1',
      userAgent: expect.stringContaining('aws-sdk-js'),
      requestParameters: { tableName: 'Music' },
      responseElements: { tableDescription: { tableName: 'Music' } },
      managementEvent: true,
    })
  })

  test('records calls on items if asked, with their keys and no other values', async () => {
    await start('--audit-data-events')
    await client.createTable(music)
    await client.putItem({ TableName: 'Music', Item: { pk: { S: 'a' }, title: { S: 'untold' } } })
    const { $metadata } = await client.getItem({ TableName: 'Music', Key: { pk: { S: 'a' } } })
    await client.executeStatement({ Statement: `SELECT * FROM Music WHERE pk = 'untold'` })
    await expect(metric('hashrange_audit_events_total')).resolves.toBeGreaterThan(0)
    await expect(metric('hashrange_audit_dropped_total')).resolves.toBe(0)
    const events = await stopAndRead()
    expect(events.map(({ eventName }) => eventName)).toEqual([
      'CreateTable',
      'PutItem',
      'GetItem',
      'ExecuteStatement',
    ])
    expect(events[1]).toMatchObject({
      requestParameters: { key: { pk: { S: 'a' } }, item: ['pk', 'title'] },
      readOnly: false,
      eventCategory: 'Data',
    })
    expect(events[2]).toMatchObject({ requestID: $metadata.requestId, readOnly: true })
    expect(JSON.stringify(events)).not.toContain('untold')
  })

  test('records what the workbench does', async () => {
    await start('--audit-data-events')
    const token = /#token=([\w-]+)/.exec(server.printed)?.[1] ?? ''
    const headers = { 'content-type': 'application/json', 'x-hashrange-workbench': token }
    const address = `${endpoint}/_workbench/api/dynamodb/ListTables?account=123456789012&region=us-east-1`
    expect((await fetch(address, { method: 'POST', headers, body: '{}' })).status).toBe(200)
    expect(await stopAndRead()).toMatchObject([{ eventName: 'ListTables', recipientAccountId: '123456789012' }])
  })

  test('records requests that are refused for their credentials', async () => {
    await start()
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.DeleteTable',
    }
    await fetch(endpoint, { method: 'POST', headers, body: '{"TableName":"Music"}' })
    expect(await stopAndRead()).toMatchObject([
      {
        eventName: 'DeleteTable',
        errorCode: 'MissingAuthenticationTokenException',
        userIdentity: { type: 'Unknown' },
      },
    ])
  })

  test('of a closed server says who it was, and what they were denied', async () => {
    const root = { accessKeyId: 'AKIDROOTROOTROOTROOT', secretAccessKey: 'the secret of the administrator' }
    const ana = { accessKeyId: 'AKIDANAANAANAANAANAA', secretAccessKey: 'the secret of ana, who may little' }
    const identities = join(folder, 'identities.json')
    const keyFile = join(folder, 'secret.key')
    writeFileSync(keyFile, Buffer.alloc(32, 3).toString('hex'))
    const list = {
      Version: '2012-10-17',
      Statement: { Effect: 'Allow', Action: 'dynamodb:ListTables', Resource: '*' },
    }
    const accessKeys = [{ id: ana.accessKeyId, secret: ana.secretAccessKey }]
    writeFileSync(identities, JSON.stringify({ users: { ana: { policies: { list }, accessKeys } } }))
    process.env['HASHRANGE_ROOT_ACCESS_KEY_ID'] = root.accessKeyId
    process.env['HASHRANGE_ROOT_SECRET_ACCESS_KEY'] = root.secretAccessKey
    try {
      await start('--auth', '--identities', identities, '--audit-data-events', '--secret-key-file', keyFile)
    } finally {
      delete process.env['HASHRANGE_ROOT_ACCESS_KEY_ID']
      delete process.env['HASHRANGE_ROOT_SECRET_ACCESS_KEY']
    }
    const as = async (
      keys: typeof root & { sessionToken?: string },
      call: (own: DynamoDB) => Promise<unknown>,
    ): Promise<unknown> => {
      const own = new DynamoDB({ endpoint, region: 'eu-west-1', credentials: keys })
      const answer = await call(own).catch((error: unknown) => error)
      own.destroy()
      return answer
    }
    await as(root, (own) => own.createTable(music))
    await as(ana, (own) => own.listTables({}))
    await as(ana, (own) => own.deleteTable({ TableName: 'Music' }))
    await as({ ...ana, secretAccessKey: 'a wrong one' }, (own) => own.deleteTable({ TableName: 'Music' }))
    await as(ana, (own) =>
      own.batchExecuteStatement({ Statements: [{ Statement: `DELETE FROM Music WHERE pk = 'a'` }] }),
    )
    const session = { ...root, secretAccessKey: 'a wrong one', sessionToken: 'a-token-that-nobody-else-may-see' }
    await as(session, (own) => own.listTables({}))
    const sts = new STS({ endpoint, region: 'eu-west-1', credentials: root })
    const { Credentials: made } = await sts.getSessionToken({})
    sts.destroy()
    const sessionToken = made?.SessionToken ?? ''
    await as({ accessKeyId: made?.AccessKeyId ?? '', secretAccessKey: 'wrong', sessionToken }, (own) =>
      own.listTables({}),
    )
    const { stdout } = await run(process.execPath, [hashrangeMain, 'token', '--secret-key-file', keyFile])
    const token = stdout.trim()
    for (const sent of [token, 'hashrange_x']) {
      const headers = { authorization: `Bearer ${sent}` }
      await fetch(`${endpoint}/_hashrange/compactions`, { method: 'POST', headers })
    }
    const events = await stopAndRead()
    expect(
      events.map(({ eventName, userIdentity, errorCode }) => ({ eventName, userIdentity, errorCode })),
    ).toMatchObject([
      { eventName: 'CreateTable', userIdentity: { accessKeyId: root.accessKeyId } },
      {
        eventName: 'ListTables',
        userIdentity: { type: 'IAMUser', userName: 'ana', arn: expect.stringMatching(/user\/ana$/) },
      },
      { eventName: 'DeleteTable', userIdentity: { type: 'IAMUser' }, errorCode: 'AccessDeniedException' },
      {
        eventName: 'DeleteTable',
        userIdentity: { type: 'Unknown', accessKeyId: ana.accessKeyId },
        errorCode: 'InvalidSignatureException',
      },
      { eventName: 'BatchExecuteStatement', userIdentity: { userName: 'ana' }, errorCode: 'AccessDenied' },
      { eventName: 'ListTables', errorCode: 'UnrecognizedClientException' },
      { eventName: 'GetSessionToken', userIdentity: { type: 'Root' } },
      { eventName: 'ListTables', errorCode: 'InvalidSignatureException' },
      {
        eventName: 'POST /_hashrange/compactions',
        userIdentity: {
          type: 'Operator',
          credentialId: createHash('sha256').update(token).digest('hex').slice(0, 16),
        },
        errorCode: undefined,
      },
      { eventName: 'POST /_hashrange/compactions', userIdentity: { type: 'Unknown' }, errorCode: 'Http401' },
    ])
    expect(events[2]?.['errorMessage']).toContain('is not authorized to perform: dynamodb:DeleteTable')
    const text = JSON.stringify(events)
    const sessionSecrets = [sessionToken.slice(0, 40), made?.SecretAccessKey ?? '', session.sessionToken]
    for (const secret of [root.secretAccessKey, ana.secretAccessKey, token, ...sessionSecrets])
      expect(text).not.toContain(secret)
  })

  test('goes on serving when the disk is full', async () => {
    file = '/dev/full'
    await start('--audit-data-events')
    for (let count = 0; count < 20; count++) await client.listTables({})
    await expect.poll(() => server.printed).toMatch(/audit log \/dev\/full cannot be written/)
    expect(server.printed.match(/cannot be written/g)).toHaveLength(1)
    await client.createTable(music)
  })

  test.each([
    [['--audit-log', '/nowhere/audit.log'], 'Choose another file with --audit-log'],
    [['--audit-data-events'], 'needs a file: --audit-log FILE'],
    [['--audit-log', 'x', '--audit-log-size', '0'], 'must be a number of megabytes'],
    [['--audit-log', 'x', '--audit-log-files', 'many'], 'must be a number of files'],
  ])('%j says what is wrong', async (words, why) => {
    const { code, stderr } = await run(process.execPath, [
      hashrangeMain,
      'start',
      '--memory',
      '--port',
      '0',
      ...words,
    ])
    expect(stderr).toContain(why)
    expect(code).not.toBe(0)
  })
})

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret that nobody sees' }
const music = {
  TableName: 'Music',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
  BillingMode: 'PAY_PER_REQUEST' as const,
}

async function start(...flags: readonly string[]): Promise<void> {
  server = HashrangeProcess.start(['--port', '0', '--memory', '--audit-log', file, ...flags])
  endpoint = `http://127.0.0.1:${await server.ready()}`
  client = new DynamoDB({ endpoint, region: 'eu-west-1', credentials })
}

async function cloudWatch(use: (watch: CloudWatch) => Promise<void>): Promise<void> {
  const watch = new CloudWatch({ endpoint, region: 'eu-west-1', credentials })
  await use(watch)
  watch.destroy()
}

async function stopAndRead(): Promise<Record<string, unknown>[]> {
  await server.stop()
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain(credentials.secretAccessKey)
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): Record<string, unknown> => JSON.parse(line))
}

async function metric(name: string): Promise<number> {
  const page = await (await fetch(`${endpoint}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN)
}
