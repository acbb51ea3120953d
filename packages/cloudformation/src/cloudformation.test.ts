import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStackEngine, tableResource, type Answer, type StackEngine } from './testing/stack-engine.ts'

let own: StackEngine

beforeAll(async () => {
  own = await openStackEngine()
})

afterAll(() => own.close())

test('a stack is created, updated by a change set, and deleted, with its tables, outputs and exports', async () => {
  const first = {
    Parameters: { Stage: { Type: 'String', Default: 'dev' } },
    Resources: {
      Orders: tableResource('pk', { StreamSpecification: { StreamViewType: 'NEW_IMAGE' } }),
      Customers: tableResource('id', { TableName: { 'Fn::Sub': 'customers-${Stage}' } }),
      Role: { Type: 'AWS::IAM::Role', Properties: {} },
      Alarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          Namespace: 'AWS/DynamoDB',
          MetricName: 'ConsumedReadCapacityUnits',
          Dimensions: [{ Name: 'TableName', Value: { Ref: 'Orders' } }],
          Statistic: 'Sum',
          Period: '60',
          EvaluationPeriods: 1,
          Threshold: '100',
          ComparisonOperator: 'GreaterThanThreshold',
        },
      },
      Stream: { Type: 'AWS::Kinesis::Stream', Properties: { ShardCount: 1 } },
    },
    Outputs: {
      Name: { Value: { Ref: 'Orders' }, Export: { Name: 'orders' } },
      Arn: { Value: { 'Fn::GetAtt': ['Orders', 'StreamArn'] } },
    },
  }
  const input = {
    StackName: 'shop',
    TemplateBody: JSON.stringify(first),
    ClientRequestToken: 'one',
    Tags: [{ Key: 'team', Value: 'shop' }],
  }
  await expect(own.cfn('CreateStack', input)).rejects.toMatchObject({ code: 'InsufficientCapabilitiesException' })
  const capable = { ...input, Capabilities: ['CAPABILITY_IAM'] }
  const [made, again] = await Promise.all([own.cfn('CreateStack', capable), own.cfn('CreateStack', capable)])
  expect(made).toEqual(again)
  const created = await own.settled('shop')
  expect(created.StackStatus).toBe('CREATE_COMPLETE')
  const before = await own.resources('shop')
  const orders = before.get('Orders')?.id ?? ''
  expect(orders).toMatch(/^shop-Orders-[0-9A-F]{13}$/)
  expect(before.get('Role')).toMatchObject({
    status: 'CREATE_COMPLETE',
    reason: expect.stringContaining('Skipped') as string,
  })
  expect(created.Outputs.map(({ OutputValue }) => OutputValue)).toEqual([
    orders,
    expect.stringContaining('/stream/'),
  ])
  expect(await own.run('DescribeTable', { TableName: 'customers-dev' })).toMatchObject({
    Table: { TableStatus: 'ACTIVE' },
  })

  // A change set shows a replacement, and carrying it out keeps a retained table.
  const second = {
    ...first,
    Resources: {
      ...first.Resources,
      Orders: { ...tableResource('other'), UpdateReplacePolicy: 'Retain' },
      Customers: undefined,
    },
  }
  const change = {
    StackName: 'shop',
    ChangeSetName: 'next',
    TemplateBody: JSON.stringify(second),
    Capabilities: ['CAPABILITY_IAM'],
    Tags: input.Tags,
  }
  await own.cfn('CreateChangeSet', { ...change, ChangeSetName: 'same', TemplateBody: input.TemplateBody })
  expect(await own.cfn('DescribeChangeSet', { StackName: 'shop', ChangeSetName: 'same' })).toMatchObject({
    Status: 'FAILED',
  })
  const withoutArn = { ...second, Outputs: { Name: first.Outputs.Name } }
  await own.cfn('CreateChangeSet', { ...change, TemplateBody: JSON.stringify(withoutArn) })
  const { Changes } = await own.cfn<{ Changes: readonly { ResourceChange: Answer }[] }>('DescribeChangeSet', {
    StackName: 'shop',
    ChangeSetName: 'next',
  })
  expect(
    Changes.map(({ ResourceChange: { Action, LogicalResourceId, Replacement } }) => [
      Action,
      LogicalResourceId,
      Replacement,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['Modify', 'Orders', 'True'],
      ['Remove', 'Customers', undefined],
    ]),
  )
  await own.cfn('ExecuteChangeSet', { StackName: 'shop', ChangeSetName: 'next' })
  expect(await own.settled('shop')).toMatchObject({ StackStatus: 'UPDATE_COMPLETE' })
  expect((await own.resources('shop')).get('Orders')?.id).not.toBe(orders)
  expect(await own.run('DescribeTable', { TableName: orders })).toMatchObject({ Table: { TableStatus: 'ACTIVE' } })
  await expect(own.run('DescribeTable', { TableName: 'customers-dev' })).rejects.toMatchObject({
    code: 'ResourceNotFoundException',
  })

  // What others import stays.
  const user = {
    Resources: {
      Copy: tableResource('id', {
        TableName: { 'Fn::Sub': ['copy-${Of}', { Of: { 'Fn::ImportValue': 'orders' } }] },
      }),
    },
  }
  await own.cfn('CreateStack', { StackName: 'user', TemplateBody: JSON.stringify(user) })
  expect(await own.settled('user')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
  await own.cfn('DeleteStack', { StackName: 'shop' })
  expect(await own.settled('shop')).toMatchObject({
    StackStatus: 'DELETE_FAILED',
    StackStatusReason: 'Export orders cannot be deleted as it is in use by user',
  })
  await own.cfn('DeleteStack', { StackName: 'user' })
  await expect.poll(() => own.stackOf('user').catch(() => undefined)).toBeUndefined()
  await own.cfn('DeleteStack', { StackName: 'shop' })
  await expect.poll(() => own.stackOf('shop').catch(() => undefined)).toBeUndefined()
  expect(await own.stackOf(created.StackId)).toMatchObject({ StackStatus: 'DELETE_COMPLETE' })
  const { StackEvents } = await own.cfn<{ StackEvents: readonly Answer[] }>('DescribeStackEvents', {
    StackName: created.StackId,
  })
  expect(StackEvents[0]).toMatchObject({ LogicalResourceId: 'shop', ResourceStatus: 'DELETE_COMPLETE' })
})

test('what fails is rolled back, and what is not the stack’s own is left alone', async () => {
  await own.run('CreateTable', { TableName: 'mine', ...(tableResource('pk') as { Properties: object }).Properties })
  const parts = {
    Resources: {
      Good: tableResource('pk'),
      Taken: { ...tableResource('pk', { TableName: 'mine' }), DependsOn: 'Good' },
    },
  }
  await own.cfn('CreateStack', { StackName: 'bad', TemplateBody: JSON.stringify(parts) })
  expect(await own.settled('bad')).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE' })
  expect((await own.resources('bad')).get('Good')?.status).toBe('DELETE_COMPLETE')
  expect(await own.run('DescribeTable', { TableName: 'mine' })).toMatchObject({ Table: { TableStatus: 'ACTIVE' } })
  await expect(own.cfn('UpdateStack', { StackName: 'bad', TemplateBody: JSON.stringify(parts) })).rejects.toThrow(
    'ROLLBACK_COMPLETE',
  )

  await own.cfn('CreateStack', {
    StackName: 'up',
    TemplateBody: JSON.stringify({ Resources: { T: tableResource('pk', { TableName: 'ups' }) } }),
  })
  expect(await own.settled('up')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
  const worse = {
    Resources: {
      T: tableResource('pk', { TableName: 'ups', DeletionProtectionEnabled: true }),
      New: tableResource('k'),
      Z: { ...tableResource('pk', { TableName: 'mine' }), DependsOn: ['T', 'New'] },
    },
  }
  await own.cfn('UpdateStack', { StackName: 'up', TemplateBody: JSON.stringify(worse) })
  expect(await own.settled('up')).toMatchObject({ StackStatus: 'UPDATE_ROLLBACK_COMPLETE' })
  expect([...(await own.resources('up')).keys()]).toEqual(['T'])
  expect(await own.run('DescribeTable', { TableName: 'ups' })).toMatchObject({
    Table: { DeletionProtectionEnabled: false },
  })
  const rekeyed = { Resources: { T: tableResource('other', { TableName: 'ups' }) } }
  await own.cfn('UpdateStack', { StackName: 'up', TemplateBody: JSON.stringify(rekeyed) })
  await own.settled('up')
  expect(JSON.stringify(await own.cfn('DescribeStackEvents', { StackName: 'up' }))).toContain(
    'custom-named resource requires replacing',
  )
})

test('a template of SAM may name what its transform would make, in circles too', async () => {
  const parts = {
    Transform: 'AWS::Serverless-2016-10-31',
    Resources: {
      Items: { Type: 'AWS::Serverless::SimpleTable' },
      Api: { Type: 'AWS::Serverless::Api', Properties: { Body: { Ref: 'Handler' } } },
      Handler: { Type: 'AWS::Serverless::Function', Properties: { Api: { Ref: 'Api' }, Table: { Ref: 'Items' } } },
    },
    Outputs: { Url: { Value: { 'Fn::Sub': '${ServerlessRestApi}/${HandlerRole.Arn}' } } },
  }
  await own.cfn('CreateChangeSet', {
    StackName: 'sam',
    ChangeSetName: 'one',
    ChangeSetType: 'CREATE',
    TemplateBody: JSON.stringify(parts),
  })
  await own.cfn('ExecuteChangeSet', { StackName: 'sam', ChangeSetName: 'one' })
  expect(await own.settled('sam')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
})

test('what is long comes in pages', async () => {
  const Resources = Object.fromEntries(
    Array.from({ length: 130 }, (_, n) => [`R${n}`, { Type: 'AWS::SQS::Queue' }]),
  )
  const named = { StackName: 'long', ChangeSetName: 'one' }
  await own.cfn('CreateChangeSet', {
    ...named,
    ChangeSetType: 'CREATE',
    TemplateBody: JSON.stringify({ Resources }),
  })
  interface Page {
    readonly Changes: readonly Answer[]
    readonly NextToken?: string
  }
  const first = await own.cfn<Page>('DescribeChangeSet', named)
  const second = await own.cfn<Page>('DescribeChangeSet', { ...named, NextToken: first.NextToken })
  expect([first.Changes.length, second.Changes.length, second.NextToken]).toEqual([100, 30, undefined])
  await expect(own.cfn('DescribeChangeSet', { ...named, NextToken: '%41' })).rejects.toThrow(
    'NextToken is invalid.',
  )
})

test('nonsense is refused in a sentence', async () => {
  const create = (TemplateBody: string, StackName = 'odd'): Promise<Answer> =>
    own.cfn('CreateStack', { StackName, TemplateBody })
  await expect(create('{}')).rejects.toThrow('At least one Resources member')
  await expect(create('[')).rejects.toMatchObject({ code: 'ValidationException' })
  await expect(
    create(JSON.stringify({ Resources: { __proto__: 1, A: tableResource('a') } }), '%41'),
  ).rejects.toThrow('regular expression')
  await expect(
    create(JSON.stringify({ Resources: { A: { Type: 'x', DependsOn: 'B' }, B: { Type: 'x', DependsOn: 'A' } } })),
  ).rejects.toThrow('Circular dependency')
  await expect(
    create(JSON.stringify({ Parameters: { P: { Type: 'String' } }, Resources: { A: tableResource('a') } })),
  ).rejects.toThrow('Parameters: [P] must have values')
  const parameter = (AllowedPattern: string, Default: string): object => ({
    Type: 'String',
    AllowedPattern,
    Default,
  })
  const Slow = parameter('(a|a)*b', 'a'.repeat(60))
  for (const [Parameters, sentence] of [
    [{ P: parameter('[a-z]+', `${'a'.repeat(500)}!`) }, "Parameter 'P' must match pattern [a-z]+"],
    [{ P: parameter('[a-z]+', 'abc'), Slow, Q: { Type: 'String' } }, 'Parameters: [Q] must have values'],
  ] as const)
    await expect(create(JSON.stringify({ Parameters, Resources: { A: tableResource('a') } }))).rejects.toThrow(
      sentence,
    )
  const many = Array.from({ length: 300 }, (_, index) => String(index))
  const inner = { 'Fn::ForEach::B': ['M', many, { 'A${N}x${M}': { Type: 'x' } }] }
  const bomb = { Resources: { 'Fn::ForEach::A': ['N', many, inner], A: tableResource('a') } }
  await expect(create(JSON.stringify(bomb))).rejects.toThrow('Fn::ForEach makes more than')
  await expect(own.cfn('DescribeStacks', { StackName: 'constructor' })).rejects.toThrow(
    'Stack with id constructor does not exist',
  )
  expect(await own.cfn('DescribeStacks', {})).toMatchObject({ Stacks: expect.any(Array) as unknown })
})
