import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestEngine, testScope, type TestEngine } from '../testing/test-engine.ts'

const { accountId, region } = testScope
const tableArn = `arn:aws:dynamodb:${region}:${accountId}:table/Music`

interface PolicyAnswer {
  readonly Policy?: string
  readonly RevisionId?: string
}

let opened: TestEngine

beforeEach(async () => {
  opened = await openTestEngine()
  await opened.run('CreateTable', music())
})

afterEach(() => opened.close())

describe('a resource policy', () => {
  test('is put, read and deleted, and has a revision', async () => {
    expect((await opened.refusal('GetResourcePolicy', { ResourceArn: tableArn })).message).toBe(
      `Resource-based policy not found for the provided ResourceArn: ${tableArn}`,
    )
    expect(await del()).toEqual({})
    const first = await put('{"a":1}')
    expect(first.RevisionId).toMatch(/^\d{13}$/)
    expect(await get()).toEqual({ Policy: '{"a":1}', RevisionId: first.RevisionId })
    expect(await put('{"a":1}')).toEqual(first)
    const second = await put('{"a":2}')
    expect(Number(second.RevisionId)).toBeGreaterThan(Number(first.RevisionId))
    expect(await del()).toEqual(second)
    expect((await opened.refusal('GetResourcePolicy', { ResourceArn: tableArn })).code).toBe(
      'PolicyNotFoundException',
    )
  })

  test('is changed only where the expected revision is the current one', async () => {
    const refused = async (operation: string, more: object): Promise<string> => {
      const refusal = await opened.refusal(operation, { ResourceArn: tableArn, ...more })
      expect(refusal.code).toBe('PolicyNotFoundException')
      return refusal.message.replace('Resource-based policy not found for the provided ResourceArn: ', '')
    }
    expect(await refused('DeleteResourcePolicy', { ExpectedRevisionId: '123456789' })).toBe(
      'Requested update for policy with revision id 123456789, but table Music has no associated policy.',
    )
    const { RevisionId: first = '' } = await put('{"a":1}', { ExpectedRevisionId: 'NO_POLICY' })
    expect(await refused('PutResourcePolicy', { Policy: '{}', ExpectedRevisionId: 'NO_POLICY' })).toBe(
      `Requested policy update expecting none to be present for table Music, but a policy exists with revision id ${first}.`,
    )
    const { RevisionId: second = '' } = await put('{"a":2}', { ExpectedRevisionId: first })
    const stale = `Requested update for policy with revision id ${first}, but the policy associated to target table Music has revision id ${second}.`
    expect(await refused('PutResourcePolicy', { Policy: '{}', ExpectedRevisionId: first })).toBe(stale)
    expect(await refused('DeleteResourcePolicy', { ExpectedRevisionId: first })).toBe(stale)
    expect(await del({ ExpectedRevisionId: second })).toEqual({ RevisionId: second })
  })

  test('comes with CreateTable, and goes with the table', async () => {
    const arn = tableArn.replace('Music', 'Films')
    await opened.run('CreateTable', { ...music(), TableName: 'Films', ResourcePolicy: '{"a":1}' })
    expect(await get(arn)).toMatchObject({ Policy: '{"a":1}' })
    await opened.run('DeleteTable', { TableName: 'Films' })
    expect((await opened.refusal('GetResourcePolicy', { ResourceArn: arn })).message).toBe(
      'Requested resource not found: Table: Films not found',
    )
    await opened.run('CreateTable', { ...music(), TableName: 'Films' })
    expect((await opened.refusal('GetResourcePolicy', { ResourceArn: arn })).code).toBe('PolicyNotFoundException')
  })

  test('of a stream is apart from that of its table', async () => {
    const { Table } = await opened.run<{ Table: { LatestStreamArn: string } }>('DescribeTable', {
      TableName: 'Music',
    })
    const streamArn = Table.LatestStreamArn
    const { RevisionId } = await put('{"s":1}', {}, streamArn)
    expect(await get(streamArn)).toEqual({ Policy: '{"s":1}', RevisionId })
    expect((await opened.refusal('GetResourcePolicy', { ResourceArn: tableArn })).code).toBe(
      'PolicyNotFoundException',
    )
    await put('{"t":1}')
    expect(await del({}, streamArn)).toEqual({ RevisionId })
    expect(await get()).toMatchObject({ Policy: '{"t":1}' })
    expect(
      (await opened.refusal('GetResourcePolicy', { ResourceArn: `${tableArn}/stream/2000-01-01T00:00:00.000` }))
        .message,
    ).toBe('Requested resource not found: Stream: 2000-01-01T00:00:00.000 not found for Table: Music')
  })

  test('has at most 20 KB, blanks included', async () => {
    const sized = (bytes: number): string => `{}${' '.repeat(bytes - 2)}`
    await put(sized(20_480))
    const tooLarge = await opened.refusal('PutResourcePolicy', { ResourceArn: tableArn, Policy: sized(20_481) })
    expect(tooLarge.message).toBe(
      'One or more parameter values were invalid: Maximum policy size of 20480 bytes exceeded',
    )
    const invalid = await opened.refusal('CreateTable', { ...music(), TableName: 'Films', ResourcePolicy: '{' })
    expect(invalid.message).toBe(
      'One or more parameter values were invalid: Invalid policy document: This policy contains invalid Json',
    )
  })
})

describe('the ARN of a policy', () => {
  test.each([
    ['Music', `One or more parameter values were invalid: ARNs must start with 'arn:': Music`],
    [tableArn.replace('Music', 'Missing'), 'Requested resource not found: Table: Missing not found'],
    [
      tableArn.replace(accountId, '999988887777'),
      'This action is only supported by accounts that match the resource owner’s account.',
    ],
    [
      tableArn.replace(region, 'us-east-1'),
      `One or more parameter values were invalid: Invalid resource Arn: ${tableArn.replace(region, 'us-east-1')}`,
    ],
    [
      `${tableArn}/index/ByYear`,
      `One or more parameter values were invalid: Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${tableArn}/index/ByYear`,
    ],
    [
      `${tableArn}/backup/0170`,
      `One or more parameter values were invalid: Provided Arn is not a DynamoDB resource arn: ${tableArn}/backup/0170`,
    ],
  ])('%s is refused', async (ResourceArn, message) => {
    expect((await opened.refusal('GetResourcePolicy', { ResourceArn })).message).toBe(message)
    expect((await opened.refusal('PutResourcePolicy', { ResourceArn, Policy: '{}' })).message).toBe(message)
    expect((await opened.refusal('DeleteResourcePolicy', { ResourceArn })).message).toBe(message)
  })
})

test('who is let in is asked before anything is done, and in which account it is done', async () => {
  await opened.engine.execute(testScope, 'DynamoDB_20120810', 'PutItem', {
    TableName: 'Music',
    Item: { Artist: { S: 'a' } },
  })
  const elsewhere = { accountId: '999988887777', region }
  const get = { TableName: tableArn, Key: { Artist: { S: 'a' } } }
  const asked: string[] = []
  const answer = await opened.engine.execute(elsewhere, 'DynamoDB_20120810', 'GetItem', get, () => {
    asked.push('once')
    return testScope
  })
  expect(answer).toHaveProperty('Item')
  expect(asked).toEqual(['once'])
  const refused = async (): Promise<unknown> =>
    opened.engine.execute(testScope, 'DynamoDB_20120810', 'DeleteTable', { TableName: 'Music' }, () => {
      throw new Error('no entry')
    })
  await expect(refused()).rejects.toThrow('no entry')
  expect(await opened.run('ListTables', {})).toEqual({ TableNames: ['Music'] })
})

function put(policy: string, more: object = {}, ResourceArn: string = tableArn): Promise<PolicyAnswer> {
  return opened.run('PutResourcePolicy', { ResourceArn, Policy: policy, ...more })
}

function get(ResourceArn: string = tableArn): Promise<PolicyAnswer> {
  return opened.run('GetResourcePolicy', { ResourceArn })
}

function del(more: object = {}, ResourceArn: string = tableArn): Promise<PolicyAnswer> {
  return opened.run('DeleteResourcePolicy', { ResourceArn, ...more })
}

function music(): object {
  return {
    TableName: 'Music',
    AttributeDefinitions: [{ AttributeName: 'Artist', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'Artist', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  }
}
