import { ServiceError } from '@hashrange/core'
import { openTestEngine, testScope, type TestEngine } from '@hashrange/engine/test-engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compilePolicy, type CompiledPolicy } from '../policies/compile-policy.ts'
import { parsePolicy } from '../policies/parse-policy.ts'
import type { Principal } from '../policies/principal.ts'
import { authorize } from './authorize.ts'
import { readResourcePolicy } from './read-resource-policy.ts'

const { accountId, region } = testScope
const tableArn = `arn:aws:dynamodb:${region}:${accountId}:table/Music`

const owner = user(accountId, 'olga')
const guest = user('999988887777', 'gus')
const root: Principal = {
  kind: 'root',
  accountId,
  arn: `arn:aws:iam::${accountId}:root`,
  userId: accountId,
  tags: {},
}

let opened: TestEngine

beforeEach(async () => {
  opened = await openTestEngine(undefined, { readResourcePolicy })
  await opened.run('CreateTable', {
    TableName: 'Music',
    AttributeDefinitions: [{ AttributeName: 'Artist', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'Artist', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  })
  await opened.run('PutItem', { TableName: 'Music', Item: { Artist: { S: 'a' } } })
})

afterEach(() => opened.close())

const get = { TableName: tableArn, Key: { Artist: { S: 'a' } } }
const all = identity('*')

test('another account’s table is reached where both sides allow it', async () => {
  expect(refusalOf(guest, [all], 'GetItem', get)).toMatch(
    /because no resource-based policy allows the dynamodb:GetItem action$/,
  )
  await putPolicy({
    Effect: 'Allow',
    Principal: { AWS: guest.arn },
    Action: 'dynamodb:GetItem',
    Resource: tableArn,
  })
  expect(refusalOf(guest, [], 'GetItem', get)).toMatch(/because no identity-based policy allows/)
  expect(await run(guest, [all], 'GetItem', get)).toHaveProperty('Item')
  // By its name alone, the table would be the guest's own.
  await expect(run(guest, [all], 'GetItem', { ...get, TableName: 'Music' })).rejects.toThrow('not found')
  expect(refusalOf(guest, [all], 'Scan', { TableName: tableArn })).toMatch(/no resource-based policy allows/)
})

test('within an account a policy can allow by itself, and deny', async () => {
  expect(refusalOf(owner, [], 'GetItem', get)).toMatch(/no identity-based policy allows/)
  await putPolicy({ Effect: 'Allow', Principal: { AWS: owner.arn }, Action: 'dynamodb:Get*', Resource: tableArn })
  expect(await run(owner, [], 'GetItem', get)).toHaveProperty('Item')
  await putPolicy({ Effect: 'Deny', Principal: '*', Action: 'dynamodb:GetItem', Resource: '*' })
  expect(refusalOf(owner, [all], 'GetItem', get)).toMatch(/with an explicit deny in a resource-based policy$/)
})

test('a stream is its own policy’s', async () => {
  const { Table } = await opened.run<{ Table: { LatestStreamArn: string } }>('DescribeTable', {
    TableName: 'Music',
  })
  const streamArn = Table.LatestStreamArn
  const describe = (): string => refusalOf(guest, [all], 'DescribeStream', { StreamArn: streamArn }, streamTarget)
  expect(describe()).toMatch(/no resource-based policy allows/)
  await putPolicy(
    { Effect: 'Allow', Principal: { AWS: guest.arn }, Action: 'dynamodb:DescribeStream', Resource: streamArn },
    streamArn,
  )
  expect(describe()).toBe('allowed')
})

test('nobody locks themselves out unawares, and nobody the root user', async () => {
  const denial = { Effect: 'Deny', Principal: '*', Action: 'dynamodb:*ResourcePolicy', Resource: '*' }
  const put = { ResourceArn: tableArn, Policy: policy(denial) }
  expect(refusalOf(owner, [all], 'PutResourcePolicy', put)).toBe(
    'The new resource policy will not allow you to update the resource policy in the future.',
  )
  const confirmed = { ...put, ConfirmRemoveSelfResourceAccess: true }
  await run(owner, [all], 'PutResourcePolicy', confirmed)
  expect(refusalOf(owner, [all], 'PutResourcePolicy', confirmed)).toMatch(
    /explicit deny in a resource-based policy/,
  )
  expect(refusalOf(owner, [all], 'DeleteResourcePolicy', { ResourceArn: tableArn })).toMatch(/explicit deny/)
  expect(refusalOf(root, [], 'GetResourcePolicy', { ResourceArn: tableArn })).toMatch(/explicit deny/)
  expect(refusalOf(root, [], 'DeleteResourcePolicy', { ResourceArn: tableArn })).toBe('allowed')
})

test('policies are their owner’s business', async () => {
  await putPolicy({ Effect: 'Allow', Principal: { AWS: guest.arn }, Action: 'dynamodb:*', Resource: '*' })
  await expect(run(guest, [all], 'GetResourcePolicy', { ResourceArn: tableArn })).rejects.toThrow(
    'This action is only supported by accounts that match the resource owner’s account.',
  )
})

const target = 'DynamoDB_20120810'
const streamTarget = 'DynamoDBStreams_20120810'

function request(
  principal: Principal,
  identities: readonly CompiledPolicy[],
  operation: string,
  body: object,
  at = target,
) {
  return {
    facts: { principal, region, isSecure: true, nowMs: 0 },
    policies: { identity: identities },
    scope: { accountId: principal.accountId, region },
    target: at,
    operation,
    body,
    tables: {
      definitionOf: (scope: typeof testScope, tableName: string) =>
        opened.engine.catalog.find(scope, tableName)?.definition,
    },
  }
}

async function run(
  principal: Principal,
  identities: readonly CompiledPolicy[],
  operation: string,
  body: object,
): Promise<unknown> {
  const asked = request(principal, identities, operation, body)
  return opened.engine.execute(asked.scope, target, operation, body, () => authorize(asked))
}

function refusalOf(
  principal: Principal,
  identities: readonly CompiledPolicy[],
  operation: string,
  body: object,
  at = target,
): string {
  try {
    authorize(request(principal, identities, operation, body, at))
    return 'allowed'
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

async function putPolicy(statement: object, ResourceArn: string = tableArn): Promise<void> {
  await opened.run('PutResourcePolicy', { ResourceArn, Policy: policy(statement) })
}

function identity(action: string): CompiledPolicy {
  return compilePolicy(parsePolicy(policy({ Effect: 'Allow', Action: action, Resource: '*' }), 'identity'))
}

function policy(statement: object): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
}

function user(ofAccount: string, name: string): Principal {
  const arn = `arn:aws:iam::${ofAccount}:user/${name}`
  return { kind: 'user', accountId: ofAccount, arn, userId: `AIDA${name}`, userName: name, tags: {} }
}
