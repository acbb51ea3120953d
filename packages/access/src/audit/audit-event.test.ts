import { ServiceError } from '@hashrange/core'
import type { AuditedCall } from '@hashrange/server'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditEvent } from './audit-event.ts'
import { isDataEvent } from './kinds-of-events.ts'
import { withoutLiterals } from './request-parameters.ts'
import { claimedIdentity } from './user-identity.ts'
import { hidden } from './without-secrets.ts'

const secret = 'wJalrXUtnFEMI'
const request = {
  method: 'POST',
  target: '/',
  body: Buffer.from(secret),
  host: 'db.example.com',
  remoteAddress: '192.0.2.1',
  authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261116/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=${secret}`,
  fields: ['Host: db.example.com', 'user-agent:  aws-cli/2.23', `X-Amz-Security-Token: ${secret}`],
  tls: { version: 'TLSv1.3', cipherSuite: 'TLS_AES_128_GCM_SHA256' },
}
const scope = { accountId: '123456789012', region: 'eu-west-1' }

describe('an event', () => {
  test('of a management call has the form of CloudTrail', () => {
    const event = eventOf({
      operation: 'CreateTable',
      input: { TableName: 'Music', KeySchema: [{ AttributeName: 'Artist', KeyType: 'HASH' }] },
      answer: { TableDescription: { TableName: 'Music', TableStatus: 'ACTIVE' } },
    })
    expect(event).toEqual({
      eventVersion: '1.11',
      userIdentity: {
        type: 'Unknown',
        principalId: 'AKIDEXAMPLE',
        accountId: '123456789012',
        accessKeyId: 'AKIDEXAMPLE',
      },
      eventTime: '2026-11-16T12:00:00Z',
      eventSource: 'dynamodb.amazonaws.com',
      eventName: 'CreateTable',
      awsRegion: 'eu-west-1',
      sourceIPAddress: '192.0.2.1',
      userAgent: 'aws-cli/2.23',
      requestParameters: { tableName: 'Music', keySchema: [{ attributeName: 'Artist', keyType: 'HASH' }] },
      responseElements: { tableDescription: { tableName: 'Music', tableStatus: 'ACTIVE' } },
      requestID: 'request',
      eventID: 'event',
      readOnly: false,
      resources: [
        {
          accountId: '123456789012',
          type: 'AWS::DynamoDB::Table',
          ARN: 'arn:aws:dynamodb:eu-west-1:123456789012:table/Music',
        },
      ],
      eventType: 'AwsApiCall',
      managementEvent: true,
      recipientAccountId: '123456789012',
      eventCategory: 'Management',
      tlsDetails: {
        tlsVersion: 'TLSv1.3',
        cipherSuite: 'TLS_AES_128_GCM_SHA256',
        clientProvidedHostHeader: 'db.example.com',
      },
    })
  })

  test('of a call that was refused says why', () => {
    const error = new ServiceError('AccessDeniedException', 'User: x is not authorized')
    const event = eventOf({ operation: 'DeleteTable', input: { TableName: 'Music' }, error })
    expect(event).toMatchObject({
      errorCode: 'AccessDeniedException',
      errorMessage: 'User: x is not authorized',
      responseElements: null,
    })
  })

  test('of a failure of ours does not tell of the inside', () => {
    const event = eventOf({ operation: 'DeleteTable', input: {}, error: new Error('at /home/x/store.ts') })
    expect(event['errorCode']).toBe('InternalServerError')
    expect(JSON.stringify(event)).not.toContain('store.ts')
  })

  test('of a call that came before anybody was known has no account', () => {
    const error = new ServiceError(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    )
    const event = eventOf({ operation: 'ListTables', input: {}, error, scope: undefined })
    expect(event).toMatchObject({ awsRegion: 'unknown', recipientAccountId: 'unknown', readOnly: true })
  })

  test.each([
    ['iam', 'CreateAccessKey', { AccessKey: { AccessKeyId: 'AKID', SecretAccessKey: secret } }],
    [
      'lambda',
      'CreateFunction',
      { Environment: { Variables: { KEY: secret } }, Code: { ZipFile: secret }, AccessKeyId: 'AKID' },
    ],
    ['sts', 'AssumeRole', { Credentials: { AccessKeyId: 'ASIA', SecretAccessKey: secret, SessionToken: secret } }],
  ])('of %s %s holds no secret', (service, operation, answer) => {
    const event = eventOf({
      service,
      operation,
      input: { RoleArn: 'r', TokenCode: secret, Password: secret },
      answer,
    })
    const text = JSON.stringify(event)
    expect(text).not.toContain(secret)
    expect(text).toContain(hidden)
    expect(text).toMatch(/"accessKeyId":"A(?:KID|SIA)"/)
  })

  test('of a call with more parts than any sensible one is not walked to its end', () => {
    const many = Array.from({ length: 1_000_000 }, () => 1)
    const event = eventOf({ operation: 'CreateTable', input: { KeySchema: many } })
    expect(event['requestParameters']).toEqual({ omitted: true, reason: 'input too large' })
  })

  test('of a call in any protocol can be written', () => {
    const input = {
      Big: 1n,
      When: new Date(Number.NaN),
      Map: new Map([['A', 2n]]),
      Bytes: Buffer.from('x'),
      __proto__: { Secret: 's' },
    }
    const event = eventOf({ service: 'monitoring', operation: 'PutMetricAlarm', input })
    expect(JSON.stringify(event)).toContain('"big":"1","when":null,"map":{"a":"2"},"bytes":null')
  })

  test('of a huge call is bounded', () => {
    const event = eventOf({
      operation: 'TagResource',
      input: { Tags: Array.from({ length: 10_000 }, () => ({ Key: 'k', Value: 'v'.repeat(50) })) },
    })
    expect(event['requestParameters']).toMatchObject({ omitted: true, reason: 'input too large' })
  })
})

describe('an event of a call on items', () => {
  const value = { S: secret }
  const calls: [string, object, object][] = [
    [
      'PutItem',
      { TableName: 'Music', Item: { pk: { S: 'a' }, name: value } },
      { key: { pk: { S: 'a' } }, item: ['pk', 'name'] },
    ],
    ['GetItem', { TableName: 'Music', Key: { pk: { S: 'a' } } }, { tableName: 'Music', key: { pk: { S: 'a' } } }],
    [
      'UpdateItem',
      {
        TableName: 'Music',
        Key: { pk: { S: 'a' } },
        UpdateExpression: 'SET #n = :n',
        ExpressionAttributeNames: { '#n': 'name' },
        ExpressionAttributeValues: { ':n': value },
      },
      { updateExpression: 'SET #n = :n', expressionAttributeNames: { '#n': 'name' } },
    ],
    [
      'UpdateItem',
      { TableName: 'Music', AttributeUpdates: { name: { Value: value } } },
      { attributeUpdates: ['name'] },
    ],
    [
      'Query',
      { TableName: 'Music', KeyConditions: { pk: { AttributeValueList: [value] } } },
      { keyConditions: ['pk'] },
    ],
    [
      'BatchWriteItem',
      {
        RequestItems: {
          Music: [
            { PutRequest: { Item: { pk: { S: 'a' }, name: value } } },
            { DeleteRequest: { Key: { pk: { S: 'b' } } } },
          ],
        },
      },
      {
        requestItems: {
          Music: [{ putRequest: { key: { pk: { S: 'a' } } } }, { deleteRequest: { key: { pk: { S: 'b' } } } }],
        },
      },
    ],
    [
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName: 'Music', Item: { pk: { S: 'a' }, name: value } } }] },
      { transactItems: [{ put: { tableName: 'Music', key: { pk: { S: 'a' } } } }] },
    ],
    [
      'ExecuteStatement',
      { Statement: `INSERT INTO Music VALUE {'pk': 'a', 'name': '${secret}'}`, Parameters: [value] },
      { statement: "INSERT INTO Music VALUE {'***': '***', '***': '***'}" },
    ],
  ]
  test.each(calls)('%s %j tells of keys and names, and of no other value', (operation, input, parameters) => {
    const event = eventOf({ operation, input, answer: { Attributes: { name: value } } })
    expect(event).toMatchObject({ requestParameters: parameters, responseElements: null, managementEvent: false })
    expect(event['eventCategory']).toBe('Data')
    expect(JSON.stringify(event)).not.toContain(secret)
  })

  test.each([
    [
      `SELECT * FROM "Music" WHERE pk = 'it''s' AND n = -12.5e3 AND col1 = 7`,
      `SELECT * FROM "Music" WHERE pk = '***' AND n = *** AND col1 = ***`,
    ],
    [`SELECT * FROM t WHERE a = 'not ended`, `SELECT * FROM t WHERE a = '***'`],
    [`UPDATE "t-1" SET a[0] = ?`, `UPDATE "t-1" SET a[***] = ?`],
  ])('leaves the values out of %s', (statement, expected) => {
    expect(withoutLiterals(statement)).toBe(expected)
  })

  test('is made of any input at all, and never holds a value of an item', () => {
    const operations = [
      'PutItem',
      'BatchWriteItem',
      'TransactWriteItems',
      'Query',
      'ExecuteStatement',
      'GetRecords',
      'CreateTable',
    ]
    const names = fc.constantFrom(
      'TableName',
      'Item',
      'Key',
      'RequestItems',
      'TransactItems',
      'Statements',
      'Music',
      '__proto__',
      'Put',
    )
    const input = fc.letrec((tie) => ({
      any: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), tie('map'), fc.array(tie('any'), { maxLength: 3 })),
      map: fc.dictionary(names, tie('any')),
    })).any
    fc.assert(
      fc.property(fc.constantFrom(...operations), input, (operation, sent) => {
        expect(() => JSON.stringify(eventOf({ operation, input: sent }))).not.toThrow()
      }),
      { numRuns: 300 },
    )
  })
})

test('data events are those that work on items', () => {
  expect(isDataEvent('dynamodb', 'GetItem')).toBe(true)
  for (const [service, operation] of [
    ['dynamodb', 'DescribeTable'],
    ['iam', 'GetUser'],
    ['__proto__', 'constructor'],
  ] as const) {
    expect(isDataEvent(service, operation)).toBe(false)
  }
})

function eventOf(call: Partial<AuditedCall> & Pick<AuditedCall, 'operation'>): Record<string, unknown> {
  const whole: AuditedCall = { request, service: 'dynamodb', scope, input: {}, requestId: 'request', ...call }
  return auditEvent(whole, {
    eventId: 'event',
    time: new Date('2026-11-16T12:00:00.123Z'),
    identity: claimedIdentity(request, whole.scope),
    keyNamesOf: (name) => (name === 'Music' ? ['pk'] : undefined),
  })
}
