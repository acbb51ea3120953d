import { describe, expect, test } from 'vitest'
import { MalformedPolicy } from './malformed-policy.ts'
import { parsePolicy } from './parse-policy.ts'

const bucket = 'arn:aws:s3:::example_bucket'
const statement = { Effect: 'Allow', Action: 's3:ListBucket', Resource: bucket }

/** What IAM answers to CreatePolicy, as it was observed there by others. */
describe('a policy of an identity is refused in IAM’s words', () => {
  test.each<[string, unknown]>([
    ['Syntax errors in policy.', 'This is not a json document'],
    ['Syntax errors in policy.', '[]'],
    ['Syntax errors in policy.', { Version: '2013-10-17', Statement: statement }],
    ['Syntax errors in policy.', { Version: '2012-10-17' }],
    ['Syntax errors in policy.', document('afd')],
    ['Syntax errors in policy.', { ...document(statement), Extra: 'value' }],
    ['Syntax errors in policy.', { ...document(statement), Id: ['a'] }],
    ['Syntax errors in policy.', { Version: '2012-10-17', Statement: [] }],
    ['Syntax errors in policy.', with_({ Extra: 'value' })],
    ['Syntax errors in policy.', with_({ Effect: 'invalid' })],
    ['Syntax errors in policy.', document({ Action: 's3:ListBucket', Resource: bucket })],
    ['Syntax errors in policy.', with_({ Resource: { a: bucket } })],
    ['Syntax errors in policy.', with_({ Resource: ['adfdf', {}] })],
    ['Syntax errors in policy.', with_({ NotResource: [] })],
    ['Syntax errors in policy.', with_({ Action: [[]] })],
    ['Syntax errors in policy.', with_({ NotAction: 's3:Get*' })],
    ['Syntax errors in policy.', with_({ Action: {} })],
    ['Syntax errors in policy.', with_({ Sid: {} })],
    ['Syntax errors in policy.', with_({ Condition: [] })],
    ['Syntax errors in policy.', with_({ Condition: 'a' })],
    ['Syntax errors in policy.', with_({ Condition: { a: 'b' } })],
    ['Syntax errors in policy.', with_({ Condition: { NoSuchOperator: { a: 'b' } } })],
    ['Syntax errors in policy.', with_({ Condition: { NullIfExists: { a: 'true' } } })],
    ['Syntax errors in policy.', with_({ Condition: { StringEquals: { a: { b: 'c' } } } })],
    ['Syntax errors in policy.', with_({ Principal: 3 })],
    ['The policy failed legacy parsing', with_({ Effect: 'allow' })],
    ['The policy failed legacy parsing', with_({ Resource: 'arn:aws:s3::example_bucket' })],
    ['The policy failed legacy parsing', with_({ Condition: { DateGreaterThan: { a: 'sdfdsf' } } })],
    ['The policy failed legacy parsing', with_({ Condition: { DateGreaterThan: { a: ['2019-13-01'] } } })],
    [
      'Statement IDs (SID) in a single policy must be unique.',
      document({ ...statement, Sid: 'one' }, { ...statement, Sid: 'one' }),
    ],
    ['Policy statement must contain actions.', document({ Effect: 'Allow' })],
    ['Policy statement must contain actions.', with_({ Action: [] })],
    ['Policy statement must contain resources.', document({ Effect: 'Allow', Action: 's3:ListBucket' })],
    ['Policy statement must contain resources.', with_({ Resource: [] })],
    ['Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.', with_({ Action: 'invalid' })],
    ['Actions/Condition can contain only one colon.', with_({ Action: 's3:List:Bucket' })],
    ['Vendor a a is not valid', with_({ Action: 'a a:ListBucket' })],
    ['Resource invalid resource must be in ARN format or "*".', with_({ Resource: 'invalid resource' })],
    ['Resource  must be in ARN format or "*".', with_({ Resource: '' })],
    ['Partition "b" is not valid for resource "arn:b:c:d:e:f:g:h".', with_({ Resource: 'a:b:c:d:e:f:g:h' })],
    [
      'Partition "s3" is not valid for resource "arn:s3:::example_bucket:*".',
      with_({ Resource: 'aws:s3:::example_bucket' }),
    ],
    ['Partition "bsd" is not valid for resource "arn:bsd:*:*:*:*".', with_({ Resource: 'a:bsd' })],
    ['Resource vendor must be fully qualified and cannot contain regexes.', with_({ Resource: 'arn:aws' })],
    [
      'IAM resource arn:aws:iam:us-east-1::user/a cannot contain region information.',
      with_({ Resource: 'arn:aws:iam:us-east-1::user/a' }),
    ],
    [/^IAM resource path must either be "\*" or start with user\//, with_({ Resource: 'arn:aws:iam:::example' })],
    ['Policy document should not specify a principal.', with_({ Principal: '*' })],
    [/^Statement IDs \(SID\) must be alpha-numeric/, with_({ Sid: 'a b' })],
  ] as [string, unknown][])('%s %j', (message, sent) => {
    const text = typeof sent === 'string' ? sent : JSON.stringify(sent)
    const refused = (): unknown => parsePolicy(text, 'identity')
    expect(refused).toThrow(MalformedPolicy)
    expect(refused).toThrow(message)
  })

  test('a managed policy must have the current version', () => {
    const older = JSON.stringify({ Version: '2008-10-17', Statement: statement })
    expect(parsePolicy(older, 'identity').version).toBe('2008-10-17')
    expect(() => parsePolicy(older, 'identity', { requireCurrentVersion: true })).toThrow(
      'Policy document must be version 2012-10-17 or greater.',
    )
  })
})

describe('a trust policy', () => {
  const trust = { Effect: 'Allow', Principal: { AWS: '111122223333' }, Action: 'sts:AssumeRole' }

  test('names principals and no resources', () => {
    expect(parsePolicy(JSON.stringify(document(trust)), 'trust').statements).toHaveLength(1)
    expect(() => parsePolicy(JSON.stringify(document({ ...trust, Resource: '*' })), 'trust')).toThrow(
      'Has prohibited field Resource',
    )
    expect(() => parsePolicy(JSON.stringify(document({ ...trust, Principal: undefined })), 'trust')).toThrow(
      'Missing required field Principal',
    )
    expect(() => parsePolicy(JSON.stringify(document({ ...trust, Action: 's3:Get*' })), 'trust')).toThrow(
      'AssumeRole policy may only specify STS AssumeRole actions.',
    )
  })
})

test('what IAM accepts is accepted', () => {
  for (const sent of [
    with_({ Resource: [bucket, null] }),
    with_({ Condition: { a: {} } }),
    with_({ Condition: { 'ForAnyValue:StringEqualsIfExists': { a: 'asf' } } }),
    with_({ Condition: { DateLessThanEquals: { a: '2016-12-13t2:00:00.593194+23' } } }),
    with_({ Condition: { DateGreaterThan: { a: ['01T', '2019-07-01T13:20:15Z', '-292275054', '1573000000'] } } }),
    with_({ Condition: { Bool: { a: true }, NumericEquals: { b: [1, '2'] }, Null: { c: false } } }),
    with_({ Condition: { stringequals: { a: 'case does not matter' } } }),
    with_({ Action: 'no-such.service:ListBucket' }),
    with_({ Resource: 'arn:aws:s3' }),
    { ...document(statement), Id: 'an id' },
    { Version: '2012-10-17', Statement: statement },
  ]) {
    expect(parsePolicy(JSON.stringify(sent), 'identity').statements.length).toBeGreaterThan(0)
  }
})

test('documents that are huge or deep are refused, and cost little', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  for (const text of [
    deep,
    `{"Statement":${deep}}`,
    `{"Version":"2012-10-17","Statement":[${'{},'.repeat(100_000)}{}]}`,
  ]) {
    expect(() => parsePolicy(text, 'identity')).toThrow(MalformedPolicy)
  }
  expect(() => parsePolicy(' '.repeat(2_000_000), 'identity')).toThrow(MalformedPolicy)
  expect(() => parsePolicy('{"__proto__":{"Statement":[]},"constructor":1}', 'identity')).toThrow(MalformedPolicy)
})

function document(...statements: readonly unknown[]): object {
  return { Version: '2012-10-17', Statement: statements }
}

function with_(changes: object): object {
  return document({ ...statement, ...changes })
}
