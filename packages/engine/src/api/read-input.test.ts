import { serializationException, validationException } from '@hashrange/core'
import { describe, expect, test } from 'vitest'
import { operationsByTarget } from './operations.ts'
import { readInput } from './read-input.ts'

const failedAt = (path: string, value: string, constraint: string): string =>
  `Value ${value} at '${path}' failed to satisfy constraint: ${constraint}`

const noItem = { TableName: 'music', Item: {} }

describe('an input of the right types', () => {
  test('keeps the known members, and drops unknown ones and nulls', () => {
    const body = { TableName: 'music', Key: { id: { S: '1' } }, ConsistentRead: null, Colour: 'red' }
    expect(readInput('GetItem', body)).toEqual({ TableName: 'music', Key: { id: { S: '1' } } })
  })

  test('may use any attribute name', () => {
    const body: unknown = JSON.parse('{"TableName":"music","Item":{"__proto__":{"S":"1"},"constructor":{"S":"2"}}}')
    expect(Object.keys(readInput('PutItem', body).Item)).toEqual(['__proto__', 'constructor'])
    const legacy: unknown = JSON.parse('{"TableName":"music","Item":{},"Expected":{"__proto__":{"Exists":false}}}')
    expect(Object.keys(readInput('PutItem', legacy).Expected ?? {})).toEqual(['__proto__'])
  })

  test('contains no half of a surrogate pair, which UTF-8 cannot hold', () => {
    const body = { TableName: 'music', Item: {}, ExpressionAttributeNames: { '#a': 'a\ud800' } }
    expect(readInput('PutItem', body).ExpressionAttributeNames).toEqual({ '#a': 'a\ufffd' })
    const legacy = { TableName: 'music', Item: {}, Expected: { '\udfff': { Exists: false } } }
    expect(readInput('PutItem', legacy).Expected).toEqual({ '\ufffd': { Exists: false } })
  })

  test('is understood for every operation of the service', () => {
    for (const operation of [
      ...operationsByTarget.DynamoDB_20120810,
      ...operationsByTarget.DynamoDBStreams_20120810,
    ]) {
      expect(() => readInput(operation, 5), operation).toThrow('Unexpected value type in payload')
    }
  })

  test('reads booleans from words, and cuts the fraction of integers', () => {
    const body = { TableName: 'music', ConsistentRead: 'yes', Limit: 2.9 }
    expect(readInput('Scan', body)).toEqual({ TableName: 'music', ConsistentRead: true, Limit: 2 })
  })
})

describe('an input of wrong types is refused with a SerializationException', () => {
  const cases: [operation: string, body: unknown, message: string][] = [
    ['GetItem', { TableName: 5 }, 'NUMBER_VALUE cannot be converted to String'],
    ['GetItem', { TableName: 5.5 }, 'DECIMAL_VALUE cannot be converted to String'],
    ['GetItem', { TableName: true }, 'TRUE_VALUE cannot be converted to String'],
    ['GetItem', { TableName: [] }, 'Unrecognized collection type class java.lang.String'],
    ['GetItem', { TableName: {} }, 'Start of structure or map found where not expected'],
    ['GetItem', { ConsistentRead: 'maybe' }, 'Unexpected token received from parser'],
    ['GetItem', { Key: 'a' }, 'Unexpected field type'],
    [
      'GetItem',
      { Key: [] },
      'Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>',
    ],
    ['GetItem', { AttributesToGet: 'a' }, 'Unexpected field type'],
    ['GetItem', { AttributesToGet: {} }, 'Start of structure or map found where not expected'],
    ['Scan', { Limit: '5' }, 'STRING_VALUE cannot be converted to Integer'],
    [
      'CreateTable',
      { ProvisionedThroughput: { ReadCapacityUnits: true } },
      'TRUE_VALUE cannot be converted to Long',
    ],
    ['CreateTable', { ProvisionedThroughput: 'a' }, 'Unexpected field type'],
    [
      'CreateTable',
      { ProvisionedThroughput: [] },
      'Unrecognized collection type class com.amazonaws.dynamodb.v20120810.ProvisionedThroughput',
    ],
    ['CreateTable', { KeySchema: ['a'] }, 'Unexpected value type in payload'],
    [
      'BatchWriteItem',
      { RequestItems: [] },
      'Unrecognized collection type java.util.Map<java.lang.String, java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>>',
    ],
  ]
  test.each(cases)('%s %j', (operation, body, message) => {
    expect(() => readInput(operation, body)).toThrow(serializationException(message))
  })

  test('a list in a map is read by another part of the service, with other words', () => {
    expect(() => readInput('BatchWriteItem', { RequestItems: { music: 'a' } })).toThrow(
      /^class sun\.reflect\.generics\.reflectiveObjects\.ParameterizedTypeImpl cannot be cast to class java\.lang\.Class/,
    )
  })
})

describe("a table's name", () => {
  test('is reported among other constraints if items need it, by itself if tables do', () => {
    expect(() => readInput('PutItem', { Item: {} })).toThrow(
      `1 validation error detected: ${failedAt('tableName', 'null', 'Member must not be null')}`,
    )
    expect(() => readInput('CreateTable', {})).toThrow(
      "The parameter 'TableName' is required but was not present in the request",
    )
  })

  const cases: [name: string, constraint: string][] = [
    ['', 'Member must have length greater than or equal to 1'],
    ['ab', 'Member must have length greater than or equal to 3'],
    ['a'.repeat(256), 'Member must have length less than or equal to 255'],
    ['bad table!@#', 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+'],
  ]
  test.each(cases)('%s is refused before anything else is looked at', (name, constraint) => {
    expect(() => readInput('PutItem', { TableName: name, ReturnValues: 'x' })).toThrow(
      `1 validation error detected: ${failedAt('tableName', `'${name}'`, constraint)}`,
    )
  })

  test('is listed with the rest if an UpdateItem has no key', () => {
    expect(() => readInput('UpdateItem', { TableName: '', Key: {} })).toThrow(/^1 validation error detected: /)
    const sets = 'Member must satisfy enum value set:'
    expect(() =>
      readInput('UpdateItem', { TableName: '', ReturnValues: 'a', ReturnConsumedCapacity: 'b' }),
    ).toThrow(
      `4 validation errors detected: ${[
        failedAt('returnConsumedCapacity', "'b'", `${sets} [INDEXES, TOTAL, NONE]`),
        failedAt('tableName', "''", 'Member must have length greater than or equal to 1'),
        failedAt('returnValues', "'a'", `${sets} [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]`),
        failedAt('key', 'null', 'Member must not be null'),
      ].join('; ')}`,
    )
  })

  test('gives way to other constraints in a BatchWriteItem, and stands before them in a BatchGetItem', () => {
    const wrong = failedAt(
      'returnConsumedCapacity',
      "'a'",
      'Member must satisfy enum value set: [INDEXES, TOTAL, NONE]',
    )
    const writes = { 'x!': [{ PutRequest: { Item: {} } }] }
    expect(() => readInput('BatchWriteItem', { RequestItems: writes, ReturnConsumedCapacity: 'a' })).toThrow(
      `1 validation error detected: ${wrong}`,
    )
    const reads = { 'x!': { Keys: [{ pk: { S: '1' } }] } }
    expect(() => readInput('BatchGetItem', { RequestItems: reads, ReturnConsumedCapacity: 'a' })).toThrow(
      /^2 validation errors detected: Value '\{"x!":\{"Keys":\[\{"pk":\{"S":"1"\}\}\]\}\}' at 'requestItems' .+; Value 'a' at 'returnConsumedCapacity' /,
    )
  })

  test('may be an ARN', () => {
    const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/music'
    expect(readInput('DescribeTable', { TableName: arn })).toEqual({ TableName: arn })
  })

  test('is held to the same rules inside a transaction and as the key of a batch', () => {
    expect(() => readInput('TransactGetItems', { TransactItems: [{ Get: { TableName: 'x', Key: {} } }] })).toThrow(
      `1 validation error detected: ${failedAt('transactItems.1.member.get.tableName', "'x'", 'Member must have length greater than or equal to 3')}`,
    )
    expect(() => readInput('BatchGetItem', { RequestItems: { x: { Keys: [{}] } } })).toThrow(
      'Value \'{"x":{"Keys":[{}]}}\' at \'requestItems\' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]',
    )
  })
})

describe('the constraints of the model', () => {
  test('are reported together, in the order of the service', () => {
    const body = { ...noItem, ReturnValues: 'a', ReturnItemCollectionMetrics: 'b', ReturnConsumedCapacity: 'c' }
    const sets = 'Member must satisfy enum value set:'
    expect(() => readInput('PutItem', body)).toThrow(
      `3 validation errors detected: ${[
        failedAt('returnConsumedCapacity', "'c'", `${sets} [INDEXES, TOTAL, NONE]`),
        failedAt('returnValues', "'a'", `${sets} [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]`),
        failedAt('returnItemCollectionMetrics', "'b'", `${sets} [SIZE, NONE]`),
      ].join('; ')}`,
    )
  })

  test('are reported of global indexes before local ones, and of a token before what to return', () => {
    const index = { IndexName: 'x', KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }], Projection: {} }
    const table = { TableName: 'music', AttributeDefinitions: [], KeySchema: index.KeySchema }
    expect(() =>
      readInput('CreateTable', { ...table, LocalSecondaryIndexes: [index], GlobalSecondaryIndexes: [index] }),
    ).toThrow(/^2 validation errors detected: .+ at 'globalSecondaryIndexes.+; .+ at 'localSecondaryIndexes/)
    const TransactItems = [{ Put: { TableName: 'music', Item: {} } }]
    expect(() =>
      readInput('TransactWriteItems', {
        TransactItems,
        ClientRequestToken: 'x'.repeat(37),
        ReturnConsumedCapacity: 'a',
      }),
    ).toThrow(/^2 validation errors detected: .+ at 'clientRequestToken' .+; .+ at 'returnConsumedCapacity' /)
  })

  test('are reported ten at most', () => {
    const TransactItems = Array.from({ length: 50 }, () => ({ Get: {} }))
    expect(() => readInput('TransactGetItems', { TransactItems })).toThrow(/^10 validation errors detected: /)
  })

  const cases: [operation: string, body: unknown, message: string][] = [
    [
      'UpdateTable',
      { TableName: 'music', TableClass: 'COLD', BillingMode: 'FREE' },
      failedAt('billingMode', "'FREE'", 'Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]'),
    ],
    [
      'Query',
      { TableName: 'music', Select: 'x' },
      failedAt(
        'select',
        "'x'",
        'Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]',
      ),
    ],
    [
      'Scan',
      { TableName: 'music', Limit: 0 },
      failedAt('limit', "'0'", 'Member must have value greater than or equal to 1'),
    ],
    ['ListTables', { Limit: 101 }, failedAt('limit', "'101'", 'Member must have value less than or equal to 100')],
    [
      'TransactWriteItems',
      { TransactItems: [] },
      failedAt('transactItems', "'[]'", 'Member must have length greater than or equal to 1'),
    ],
    [
      'CreateTable',
      {
        TableName: 'music',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'INVALID' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      },
      failedAt(
        'attributeDefinitions.1.member.attributeType',
        "'INVALID'",
        'Member must satisfy enum value set: [B, N, S]',
      ),
    ],
    [
      'CreateTable',
      {
        TableName: 'music',
        AttributeDefinitions: [],
        KeySchema: ['a', 'b', 'c'].map((AttributeName) => ({ AttributeName, KeyType: 'HASH' })),
      },
      failedAt(
        'keySchema',
        "'[KeySchemaElement(attributeName=a, keyType=HASH), KeySchemaElement(attributeName=b, keyType=HASH), KeySchemaElement(attributeName=c, keyType=HASH)]'",
        'Member must have length less than or equal to 2',
      ),
    ],
    [
      'CreateTable',
      { TableName: 'music', AttributeDefinitions: [], KeySchema: [null] },
      failedAt('keySchema.1.member', 'null', 'Member must not be null'),
    ],
    [
      'CreateTable',
      {
        TableName: 'music',
        AttributeDefinitions: [],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        LocalSecondaryIndexes: [
          {
            IndexName: 'by-year',
            KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['b', ''] },
          },
        ],
      },
      failedAt(
        'localSecondaryIndexes.1.member.projection.nonKeyAttributes',
        "'[b, ]'",
        'Member must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 1]',
      ),
    ],
    [
      'CreateBackup',
      { TableName: 'music', BackupName: 'a b' },
      failedAt('backupName', "'a b'", 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+'),
    ],
  ]
  test.each(cases)('%s %j', (operation, body, message) => {
    expect(() => readInput(operation, body)).toThrow(validationException(`1 validation error detected: ${message}`))
  })

  test('a name that is too long and has a foreign letter is reported for both, unless it is far too long', () => {
    const failures = (BackupName: string): string =>
      `Value '${BackupName}' at 'backupName' failed to satisfy constraint: Member must `
    const tooLong = 'have length less than or equal to 255'
    const name = '/'.repeat(256)
    expect(() => readInput('CreateBackup', { TableName: 'music', BackupName: name })).toThrow(
      `2 validation errors detected: ${failures(name)}satisfy regular expression pattern: [a-zA-Z0-9_.-]+; ${failures(name)}${tooLong}`,
    )
    const longer = '/'.repeat(5_000)
    expect(() => readInput('CreateBackup', { TableName: 'music', BackupName: longer })).toThrow(
      `1 validation error detected: ${failures(longer)}${tooLong}`,
    )
  })

  test('a batch of 26 writes is reported of the whole map', () => {
    const requests = Array.from({ length: 26 }, () => ({ PutRequest: { Item: { id: { S: 'x' } } } }))
    expect(() => readInput('BatchWriteItem', { RequestItems: { music: requests } })).toThrow(
      /^1 validation error detected: Value '\{music=\[WriteRequest\(putRequest=PutRequest\(item=\{id=AttributeValue\(s=x\)\}, workloadProfileName=null\), deleteRequest=null\), .+\]\}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: \[Member must have length less than or equal to 25, Member must have length greater than or equal to 1\]$/,
    )
  })

  test('what is printed of a huge input is short', () => {
    const Item = { id: { S: 'x'.repeat(300_000) } }
    const TransactItems = Array.from({ length: 101 }, () => ({ Put: { TableName: 'music', Item } }))
    const deepBelow = JSON.parse(`${'{"M":{"a":'.repeat(50_000)}{}${'}}'.repeat(50_000)}`) as unknown
    for (const pk of [{ S: 'x'.repeat(300_000) }, deepBelow]) {
      expect(() => readInput('BatchGetItem', { RequestItems: { 'x!': { Keys: [{ pk }] } } })).toThrow(
        /^.{0,200000}' at 'requestItems' failed to satisfy constraint: Map keys /,
      )
    }
    expect(() => readInput('TransactWriteItems', { TransactItems })).toThrow(
      /^.{0,200000}\]' at 'transactItems' failed to satisfy constraint: [^']+ 100$/,
    )
  })
})

describe('checks that the service reports in other words', () => {
  const cases: [operation: string, body: unknown, message: string][] = [
    [
      'UpdateTable',
      { TableName: 'music', TableClass: 'COLD' },
      'Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS].',
    ],
    [
      'Query',
      { TableName: 'music', Limit: 0 },
      "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    ],
    [
      'Query',
      { TableName: 'music', ConditionalOperator: 'XOR', Select: 'x' },
      'Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]',
    ],
    [
      'BatchGetItem',
      { RequestItems: { Music: { Keys: [] } } },
      "1 validation error detected: Value at 'RequestItems.Music.member.Keys' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ],
    ['BatchGetItem', { RequestItems: {} }, 'The requestItems parameter is required for BatchGetItem'],
    ['BatchWriteItem', { RequestItems: {} }, 'The requestItems parameter is required for BatchWriteItem'],
    [
      'BatchGetItem',
      { RequestItems: { Music: { Keys: Array.from({ length: 101 }, () => ({})) } } },
      "1 validation error detected: Value at 'RequestItems.Music.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100",
    ],
  ]
  test.each(cases)('%s', (operation, body, message) => {
    expect(() => readInput(operation, body)).toThrow(message)
  })
})
