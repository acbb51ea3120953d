import { describe, expect, test } from 'vitest'
import { readResourcePolicy } from './read-resource-policy.ts'

const arn = 'arn:aws:dynamodb:us-west-2:111122223333:table/Music'
const statement = {
  Sid: 'Read',
  Effect: 'Allow',
  Principal: { AWS: 'arn:aws:iam::111122223333:root' },
  Action: 'dynamodb:GetItem',
  Resource: arn,
}
const canonical = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })

describe('a resource policy is kept in the form in which it is shown again', () => {
  test.each([
    ['as it is', canonical],
    ['with blanks', JSON.stringify(JSON.parse(canonical), undefined, 4)],
    ['with lists of one', policy({ ...statement, Action: [statement.Action], Resource: [arn] })],
    ['with an account', policy({ ...statement, Principal: { AWS: ['111122223333'] } })],
    ['in another order', JSON.stringify({ Statement: statement, Version: '2012-10-17' })],
  ])('%s', (_, sent) => {
    expect(readResourcePolicy(sent, 'table')).toBe(canonical)
  })

  test('without a version it has the older one', () => {
    expect(readResourcePolicy(JSON.stringify({ Statement: [statement] }), 'table')).toContain(
      '"Version":"2008-10-17"',
    )
  })

  test('conditions and longer lists stay as they are', () => {
    const full = {
      ...statement,
      Action: ['dynamodb:Query', 'dynamodb:GetItem'],
      Condition: { Bool: { a: ['true'] } },
    }
    expect(readResourcePolicy(policy(full), 'table')).toBe(policy(full))
  })
})

describe('a resource policy is refused in DynamoDB’s words', () => {
  const inDocument = (problem: string): string =>
    `One or more parameter values were invalid: Invalid policy document: ${problem}`
  const { Resource: _, ...unlocated } = statement

  test.each([
    ['{not json', inDocument('This policy contains invalid Json')],
    ['', inDocument('This policy contains invalid Json')],
    ['[]', inDocument('This policy contains invalid Json')],
    ['{"Statement":[]}', inDocument('Could not parse the policy: Statement is empty!')],
    [policy(unlocated), inDocument('Missing required field Resource')],
    [policy(statement, statement), inDocument('The Statement Ids in the policy are not unique')],
    [
      policy({ ...statement, Action: ['dynamodb:GetRecords', 'dynamodb:DescribeStream', 'dynamodb:Get*'] }),
      inDocument('The following action names are invalid: "dynamodb:GetRecords", "dynamodb:DescribeStream"'),
    ],
    [
      policy({ ...statement, Resource: `${arn}/stream/2026-10-09T00:29:04.041` }),
      inDocument(
        `The relative-id "table/Music/stream/2026-10-09T00:29:04.041" is invalid for ARN "${arn}/stream/2026-10-09T00:29:04.041"`,
      ),
    ],
    ...['*', { AWS: '*' }, { AWS: ['111122223333', '*'] }].map((Principal) => [
      policy({ ...statement, Principal }),
      'Resource-based policy grants unbounded access in one or more elements. Please revise the policy to ensure least-privilege form of access',
    ]),
  ])('%s', (sent = '', message = '') => {
    expect(() => readResourcePolicy(sent, 'table')).toThrow(message)
  })

  test('a stream has other actions than a table', () => {
    const ofStream = { ...statement, Resource: `${arn}/stream/2026-10-09T00:29:04.041` }
    expect(readResourcePolicy(policy({ ...ofStream, Action: 'dynamodb:GetRecords' }), 'stream')).toContain(
      'GetRecords',
    )
    expect(() => readResourcePolicy(policy({ ...ofStream, Action: 'dynamodb:ListStreams' }), 'stream')).toThrow(
      inDocument('The following action names are invalid: "dynamodb:ListStreams"'),
    )
    expect(() => readResourcePolicy(policy({ ...statement, Action: 'dynamodb:GetRecords' }), 'stream')).toThrow(
      'The relative-id "table/Music" is invalid',
    )
  })
})

test('a policy may allow replication between accounts', () => {
  const replication = {
    ...statement,
    Principal: { Service: 'replication.dynamodb.amazonaws.com' },
    Action: ['dynamodb:ReadDataForReplication', 'dynamodb:WriteDataForReplication', 'dynamodb:ReplicateSettings'],
    Condition: { StringEquals: { 'aws:SourceAccount': ['111122223333', '444455556666'] } },
  }
  const association = { ...statement, Sid: 'Associate', Action: 'dynamodb:AssociateTableReplica' }
  expect(readResourcePolicy(policy(replication, association), 'table')).toBe(policy(replication, association))
})

test('everybody may be denied, and allowed under a condition', () => {
  readResourcePolicy(policy({ ...statement, Effect: 'Deny', Principal: '*' }), 'table')
  const condition = { StringEquals: { 'aws:PrincipalAccount': '111122223333' } }
  readResourcePolicy(policy({ ...statement, Principal: '*', Condition: condition }), 'table')
})

function policy(...statements: readonly object[]): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: statements })
}
