import { ServiceError } from '@hashrange/core'
import { openTestEngine, testScope, type TestEngine } from '@hashrange/engine/test-engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compilePolicy, type CompiledPolicy } from '../policies/compile-policy.ts'
import { parsePolicy } from '../policies/parse-policy.ts'
import type { Principal } from '../policies/principal.ts'
import { authorize, explainAccess, type AuthorizedRequest } from './authorize.ts'

const { accountId, region } = testScope
const tableArn = `arn:aws:dynamodb:${region}:${accountId}:table/Games`

const ana: Principal = {
  kind: 'user',
  accountId,
  arn: `arn:aws:iam::${accountId}:user/ana`,
  userId: 'AIDAANA',
  userName: 'ana',
  tags: { tenant: 'T1' },
}

let opened: TestEngine

beforeAll(async () => {
  opened = await openTestEngine()
  await opened.run('CreateTable', {
    TableName: 'Games',
    AttributeDefinitions: [
      { AttributeName: 'Player', AttributeType: 'S' },
      { AttributeName: 'Game', AttributeType: 'S' },
      { AttributeName: 'Score', AttributeType: 'N' },
    ],
    KeySchema: [
      { AttributeName: 'Player', KeyType: 'HASH' },
      { AttributeName: 'Game', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'ByScore',
        KeySchema: [
          { AttributeName: 'Game', KeyType: 'HASH' },
          { AttributeName: 'Score', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    Tags: [{ Key: 'Stage', Value: 'test' }],
  })
})

afterAll(() => opened.close())

const key = { Player: { S: 'ana' }, Game: { S: 'chess' } }
const othersKey = { Player: { S: 'bob' }, Game: { S: 'chess' } }

describe('what operations need', () => {
  test.each([
    ['GetItem', { TableName: 'Games', Key: key }, [['dynamodb:GetItem', tableArn]]],
    ['GetItem', { TableName: tableArn, Key: key }, [['dynamodb:GetItem', tableArn]]],
    [
      'Query',
      { TableName: 'Games', IndexName: 'ByScore', KeyConditionExpression: 'a = :a' },
      [['dynamodb:Query', `${tableArn}/index/ByScore`]],
    ],
    [
      'BatchWriteItem',
      { RequestItems: { Games: [{ PutRequest: { Item: key } }], Else: [{ DeleteRequest: { Key: key } }] } },
      [
        ['dynamodb:BatchWriteItem', tableArn],
        ['dynamodb:BatchWriteItem', tableArn.replace('Games', 'Else')],
      ],
    ],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName: 'Games', Item: key } },
          { Update: { TableName: 'Games', Key: key, UpdateExpression: 'SET a = :a' } },
          { Delete: { TableName: 'Games', Key: key } },
          { ConditionCheck: { TableName: 'Games', Key: key, ConditionExpression: 'attribute_exists(a)' } },
        ],
      },
      ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map((name) => [`dynamodb:${name}`, tableArn]),
    ],
    [
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName: 'Games', Key: key } }] },
      [['dynamodb:GetItem', tableArn]],
    ],
    [
      'BatchExecuteStatement',
      {
        Statements: [
          { Statement: `SELECT * FROM "Games"."ByScore" WHERE Game = 'x'` },
          { Statement: `INSERT INTO "Games" VALUE {'Player': 'ana', 'Game': 'x'}` },
          { Statement: `UPDATE "Games" SET a = 1 WHERE Player = 'ana' AND Game = 'x'` },
          { Statement: `DELETE FROM "Games" WHERE Player = 'ana' AND Game = 'x'` },
        ],
      },
      [
        ['dynamodb:PartiQLSelect', `${tableArn}/index/ByScore`],
        ['dynamodb:PartiQLInsert', tableArn],
        ['dynamodb:PartiQLUpdate', tableArn],
        ['dynamodb:PartiQLDelete', tableArn],
      ],
    ],
    ['ListTables', {}, [['dynamodb:ListTables', tableArn.replace('Games', '*')]]],
    ['DescribeLimits', {}, [['dynamodb:DescribeLimits', '*']]],
    [
      'CreateTable',
      {
        TableName: 'New',
        AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
        Tags: [{ Key: 'a', Value: 'b' }],
        ResourcePolicy: '{}',
      },
      ['CreateTable', 'TagResource', 'PutResourcePolicy'].map((name) => [
        `dynamodb:${name}`,
        tableArn.replace('Games', 'New'),
      ]),
    ],
    [
      'RestoreTableFromBackup',
      { TargetTableName: 'New', BackupArn: `${tableArn}/backup/01489173575360-b308cd7d` },
      [
        ['dynamodb:RestoreTableFromBackup', `${tableArn}/backup/01489173575360-b308cd7d`],
        ...['BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'].map((name) => [
          `dynamodb:${name}`,
          tableArn.replace('Games', 'New'),
        ]),
      ],
    ],
  ])('%s', (operation, body, expected) => {
    const explained = explainAccess(asking(operation, body, []))
    expect(explained.map(({ need }) => [need.action, need.resource])).toEqual(expected)
  })
})

describe('partition keys', () => {
  const own = allowing('dynamodb:*', {
    'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['${aws:username}'] },
  })

  test.each<[string, object, boolean]>([
    ['GetItem', { TableName: 'Games', Key: key }, true],
    ['GetItem', { TableName: 'Games', Key: othersKey }, false],
    ['GetItem', { TableName: 'Games', Key: { Game: { S: 'chess' } } }, false],
    ['PutItem', { TableName: 'Games', Item: { ...key, a: { N: '1' } } }, true],
    ['PutItem', { TableName: 'Games', Item: othersKey }, false],
    ['BatchGetItem', { RequestItems: { Games: { Keys: [key] } } }, true],
    ['BatchGetItem', { RequestItems: { Games: { Keys: [key, othersKey] } } }, false],
    [
      'BatchWriteItem',
      { RequestItems: { Games: [{ PutRequest: { Item: key } }, { DeleteRequest: { Key: othersKey } }] } },
      false,
    ],
    ['Query', query('Player = :p', { ':p': { S: 'ana' } }), true],
    ['Query', query(':p = Player and begins_with(Game, :g)', { ':p': { S: 'ana' }, ':g': { S: 'c' } }), true],
    ['Query', query('Player = :p', { ':p': { S: 'bob' } }), false],
    [
      'Query',
      {
        TableName: 'Games',
        KeyConditions: { Player: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'ana' }] } },
      },
      true,
    ],
    [
      'Query',
      {
        TableName: 'Games',
        KeyConditions: { Player: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'bob' }] } },
      },
      false,
    ],
    ['Query', { ...query('Game = :g', { ':g': { S: 'ana' } }), IndexName: 'ByScore' }, true],
    ['Query', { ...query('Game = :g', { ':g': { S: 'chess' } }), IndexName: 'ByScore' }, false],
    // As the documentation warns: a Scan has no leading keys, and is not kept out by a condition on them.
    ['Scan', { TableName: 'Games' }, true],
    ['ExecuteStatement', { Statement: `SELECT * FROM Games WHERE Player = 'ana'` }, true],
    ['ExecuteStatement', { Statement: `SELECT * FROM Games WHERE Player IN ['ana', 'bob']` }, false],
    ['ExecuteStatement', { Statement: `SELECT * FROM Games WHERE Player = ?`, Parameters: [{ S: 'bob' }] }, false],
    ['ExecuteStatement', { Statement: `INSERT INTO Games VALUE {'Player': 'bob', 'Game': 'x'}` }, false],
    [
      'ExecuteStatement',
      { Statement: `DELETE FROM Games WHERE Player IN ['ana'] AND Player = 'bob' AND Game = 'x'` },
      false,
    ],
    [
      'ExecuteStatement',
      { Statement: `UPDATE Games SET a = 1 WHERE Player = 'ana' AND Player = 'bob' AND Game = 'x'` },
      false,
    ],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName: 'Games', Item: key } },
          { Delete: { TableName: 'Games', Key: othersKey } },
        ],
      },
      false,
    ],
  ])('%s %j', (operation, body, isAllowed) => {
    expect(isAllowedTo(operation, body, [own])).toBe(isAllowed)
  })
})

describe('attributes', () => {
  const some = allowing('dynamodb:*', {
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['Player', 'Game', 'Wins'] },
    StringEqualsIfExists: {
      'dynamodb:Select': 'SPECIFIC_ATTRIBUTES',
      'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'],
    },
  })
  const update = (more: object): object => ({
    TableName: 'Games',
    Key: key,
    UpdateExpression: 'SET Wins = :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
    ...more,
  })

  test.each<[string, object, boolean]>([
    ['GetItem', { TableName: 'Games', Key: key, ProjectionExpression: 'Wins' }, true],
    [
      'GetItem',
      { TableName: 'Games', Key: key, ProjectionExpression: '#w', ExpressionAttributeNames: { '#w': 'Losses' } },
      false,
    ],
    ['GetItem', { TableName: 'Games', Key: key, ProjectionExpression: 'Wins.deep[3], Losses.a' }, false],
    ['GetItem', { TableName: 'Games', Key: key, AttributesToGet: ['Losses'] }, false],
    ['GetItem', { TableName: 'Games', Key: key }, false],
    ['UpdateItem', update({}), true],
    ['UpdateItem', update({ ConditionExpression: 'attribute_exists(Losses)' }), false],
    ['UpdateItem', update({ UpdateExpression: 'SET Wins = Losses' }), false],
    ['UpdateItem', update({ ReturnValues: 'ALL_NEW' }), false],
    ['UpdateItem', update({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }), false],
    ['PutItem', { TableName: 'Games', Item: { ...key, Losses: { N: '1' } } }, false],
    ['PutItem', { TableName: 'Games', Item: key, Expected: { Losses: { Exists: false } } }, false],
    ['Query', { ...query('Player = :p', { ':p': { S: 'ana' } }), ProjectionExpression: 'Wins' }, true],
    [
      'Query',
      {
        ...query('Player = :p', { ':p': { S: 'ana' } }),
        ProjectionExpression: 'Wins',
        FilterExpression: 'Losses > :p',
      },
      false,
    ],
    ['Query', { ...query('Player = :p', { ':p': { S: 'ana' } }), Select: 'ALL_ATTRIBUTES' }, false],
    ['Scan', { TableName: 'Games' }, false],
    [
      'Scan',
      { TableName: 'Games', ProjectionExpression: 'Wins', ScanFilter: { Losses: { ComparisonOperator: 'NULL' } } },
      false,
    ],
    ['ExecuteStatement', { Statement: `SELECT Wins FROM Games WHERE Player = 'ana'` }, true],
    ['ExecuteStatement', { Statement: `SELECT * FROM Games WHERE Player = 'ana'` }, false],
    ['ExecuteStatement', { Statement: `SELECT Wins FROM Games WHERE Player = 'ana' AND Losses = 1` }, false],
    ['ExecuteStatement', { Statement: `UPDATE Games SET Losses = 1 WHERE Player = 'ana' AND Game = 'x'` }, false],
    [
      'ExecuteStatement',
      { Statement: `DELETE FROM Games WHERE Player = 'ana' AND Game = 'x' RETURNING ALL OLD *` },
      false,
    ],
  ])('%s %j', (operation, body, isAllowed) => {
    expect(isAllowedTo(operation, body, [some])).toBe(isAllowed)
  })
})

test('tags of the principal, the resource and the request are known', () => {
  const get = { TableName: 'Games', Key: key }
  const byTag = (condition: object): boolean => isAllowedTo('GetItem', get, [allowing('dynamodb:*', condition)])
  expect(byTag({ StringEquals: { 'aws:PrincipalTag/Tenant': 'T1' } })).toBe(true)
  expect(byTag({ StringEquals: { 'aws:ResourceTag/stage': 'test' } })).toBe(true)
  expect(byTag({ StringEquals: { 'aws:ResourceTag/Stage': 'live' } })).toBe(false)
  const tagging = { ResourceArn: tableArn, Tags: [{ Key: 'Team', Value: 'red' }] }
  const mayTag = (condition: object): boolean =>
    isAllowedTo('TagResource', tagging, [allowing('dynamodb:*', condition)])
  expect(mayTag({ StringEquals: { 'aws:RequestTag/Team': 'red' } })).toBe(true)
  expect(mayTag({ 'ForAllValues:StringEquals': { 'aws:TagKeys': ['Stage'] } })).toBe(false)
})

test('a transaction can be told from single operations, and a full scan from a select', () => {
  const only = allowing('dynamodb:*', { StringEquals: { 'dynamodb:EnclosingOperation': 'TransactGetItems' } })
  expect(
    isAllowedTo('TransactGetItems', { TransactItems: [{ Get: { TableName: 'Games', Key: key } }] }, [only]),
  ).toBe(true)
  expect(isAllowedTo('GetItem', { TableName: 'Games', Key: key }, [only])).toBe(false)
  const noScan = [
    allowing('dynamodb:*'),
    policy('Deny', 'dynamodb:PartiQLSelect', { Bool: { 'dynamodb:FullTableScan': 'true' } }),
  ]
  expect(isAllowedTo('ExecuteStatement', { Statement: `SELECT * FROM Games WHERE Player = 'ana'` }, noScan)).toBe(
    true,
  )
  expect(isAllowedTo('ExecuteStatement', { Statement: `SELECT * FROM Games WHERE Game = 'x'` }, noScan)).toBe(false)
})

test('tables of several accounts are never mixed in one request', () => {
  const elsewhere = `arn:aws:dynamodb:${region}:999988887777:table/Games`
  const request = asking(
    'BatchGetItem',
    { RequestItems: { Games: { Keys: [key] }, [elsewhere]: { Keys: [key] } } },
    [allowing('dynamodb:*')],
  )
  expect(() => authorize(request)).toThrow(ServiceError)
})

test('a request that cannot be read is refused as it would be without policies', () => {
  expect(() => authorize(asking('GetItem', { TableName: 'x', Key: 3 }, []))).toThrow(ServiceError)
  expect(() => authorize(asking('GetItem', undefined, []))).toThrow(ServiceError)
})

function query(condition: string, values: object): object {
  return { TableName: 'Games', KeyConditionExpression: condition, ExpressionAttributeValues: values }
}

function isAllowedTo(operation: string, body: object, identity: readonly CompiledPolicy[]): boolean {
  return explainAccess(asking(operation, body, identity)).every(({ decision }) => decision.outcome === 'allowed')
}

function asking(operation: string, body: unknown, identity: readonly CompiledPolicy[]): AuthorizedRequest {
  return {
    facts: { principal: ana, region, isSecure: true, nowMs: 0 },
    policies: { identity },
    scope: testScope,
    target: 'DynamoDB_20120810',
    operation,
    body,
    tables: { definitionOf: (scope, tableName) => opened.engine.catalog.find(scope, tableName)?.definition },
  }
}

function allowing(action: string, condition: object = {}): CompiledPolicy {
  return policy('Allow', action, condition)
}

function policy(effect: string, action: string, condition: object): CompiledPolicy {
  const statement = { Effect: effect, Action: action, Resource: '*', Condition: condition }
  return compilePolicy(parsePolicy(JSON.stringify({ Version: '2012-10-17', Statement: statement }), 'identity'))
}
