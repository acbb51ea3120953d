import { openTestEngine, testScope } from '@hashrange/engine/test-engine'
import { kinesisService } from '@hashrange/kinesis'
import { lambdaService, lambdaTarget } from '@hashrange/lambda'
import { monitoringService } from '@hashrange/monitoring'
import { packageOf } from '@hashrange/templates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloudFormationTarget } from './api/operations.ts'
import { bucketTarget } from './assets/operations.ts'
import { cloudFormationService } from './cloudformation-service.ts'

type Answer = Record<string, unknown>
type Opened = Awaited<ReturnType<typeof openTestEngine>>

let own: Opened

beforeAll(async () => {
  own = await openTestEngine(undefined, {
    services: [
      monitoringService({ notifier: { notify: () => Promise.resolve() } as never }),
      kinesisService(),
      lambdaService({ kinesis: () => Promise.reject(new Error('not here')) as never, onOpen: () => undefined }),
      cloudFormationService(),
    ],
  })
})

afterAll(() => own.close())

async function cfn<T = Answer>(operation: string, input: object): Promise<T> {
  return (await own.engine.execute(testScope, cloudFormationTarget, operation, input)) as T
}

interface Stack {
  readonly StackId: string
  readonly StackStatus: string
  readonly StackStatusReason?: string
  readonly Outputs: readonly { readonly OutputKey: string; readonly OutputValue: string }[]
}

async function stackOf(StackName: string): Promise<Stack | undefined> {
  const { Stacks } = await cfn<{ Stacks: readonly Stack[] }>('DescribeStacks', { StackName })
  return Stacks[0]
}

async function settled(StackName: string): Promise<Stack> {
  await expect
    .poll(async () => (await stackOf(StackName))?.StackStatus, { timeout: 20_000 })
    .not.toMatch(/IN_PROGRESS/)
  const stack = await stackOf(StackName)
  if (stack === undefined) throw new Error('there is no stack')
  return stack
}

async function resources(
  StackName: string,
): Promise<ReadonlyMap<string, { id: string; status: string; reason?: string }>> {
  const answer = await cfn('DescribeStackResources', { StackName })
  const listed = answer['StackResources'] as readonly Record<string, string>[]
  return new Map(
    listed.map((one) => [
      String(one['LogicalResourceId']),
      {
        id: String(one['PhysicalResourceId']),
        status: String(one['ResourceStatus']),
        reason: String(one['ResourceStatusReason']),
      },
    ]),
  )
}

function table(key: string, more: object = {}): object {
  return {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
      ...more,
    },
  }
}

const template = (parts: object): string => JSON.stringify(parts)

test('a stack is created, updated by a change set, and deleted, with its tables, outputs and exports', async () => {
  const first = {
    Parameters: { Stage: { Type: 'String', Default: 'dev' } },
    Resources: {
      Orders: table('pk', { StreamSpecification: { StreamViewType: 'NEW_IMAGE' } }),
      Customers: table('id', { TableName: { 'Fn::Sub': 'customers-${Stage}' } }),
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
    TemplateBody: template(first),
    ClientRequestToken: 'one',
    Tags: [{ Key: 'team', Value: 'shop' }],
  }
  await expect(cfn('CreateStack', input)).rejects.toMatchObject({ code: 'InsufficientCapabilitiesException' })
  const capable = { ...input, Capabilities: ['CAPABILITY_IAM'] }
  const [made, again] = await Promise.all([cfn('CreateStack', capable), cfn('CreateStack', capable)])
  expect(made).toEqual(again)
  const created = await settled('shop')
  expect(created.StackStatus).toBe('CREATE_COMPLETE')
  const before = await resources('shop')
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
      Orders: { ...table('other'), UpdateReplacePolicy: 'Retain' },
      Customers: undefined,
    },
  }
  const change = {
    StackName: 'shop',
    ChangeSetName: 'next',
    TemplateBody: template(second),
    Capabilities: ['CAPABILITY_IAM'],
    Tags: input.Tags,
  }
  await cfn('CreateChangeSet', { ...change, ChangeSetName: 'same', TemplateBody: input.TemplateBody })
  expect(await cfn('DescribeChangeSet', { StackName: 'shop', ChangeSetName: 'same' })).toMatchObject({
    Status: 'FAILED',
  })
  const withoutArn = { ...second, Outputs: { Name: first.Outputs.Name } }
  await cfn('CreateChangeSet', { ...change, TemplateBody: template(withoutArn) })
  const { Changes } = await cfn<{ Changes: readonly { ResourceChange: Answer }[] }>('DescribeChangeSet', {
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
  await cfn('ExecuteChangeSet', { StackName: 'shop', ChangeSetName: 'next' })
  expect(await settled('shop')).toMatchObject({ StackStatus: 'UPDATE_COMPLETE' })
  expect((await resources('shop')).get('Orders')?.id).not.toBe(orders)
  expect(await own.run('DescribeTable', { TableName: orders })).toMatchObject({ Table: { TableStatus: 'ACTIVE' } })
  await expect(own.run('DescribeTable', { TableName: 'customers-dev' })).rejects.toMatchObject({
    code: 'ResourceNotFoundException',
  })

  // What others import stays.
  const user = {
    Resources: {
      Copy: table('id', { TableName: { 'Fn::Sub': ['copy-${Of}', { Of: { 'Fn::ImportValue': 'orders' } }] } }),
    },
  }
  await cfn('CreateStack', { StackName: 'user', TemplateBody: template(user) })
  expect(await settled('user')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
  await cfn('DeleteStack', { StackName: 'shop' })
  expect(await settled('shop')).toMatchObject({
    StackStatus: 'DELETE_FAILED',
    StackStatusReason: 'Export orders cannot be deleted as it is in use by user',
  })
  await cfn('DeleteStack', { StackName: 'user' })
  await expect.poll(() => stackOf('user').catch(() => undefined)).toBeUndefined()
  await cfn('DeleteStack', { StackName: 'shop' })
  await expect.poll(() => stackOf('shop').catch(() => undefined)).toBeUndefined()
  expect(await stackOf(created.StackId)).toMatchObject({ StackStatus: 'DELETE_COMPLETE' })
  const { StackEvents } = await cfn<{ StackEvents: readonly Answer[] }>('DescribeStackEvents', {
    StackName: created.StackId,
  })
  expect(StackEvents[0]).toMatchObject({ LogicalResourceId: 'shop', ResourceStatus: 'DELETE_COMPLETE' })
})

test('what fails is rolled back, and what is not the stack’s own is left alone', async () => {
  await own.run('CreateTable', { TableName: 'mine', ...(table('pk') as { Properties: object }).Properties })
  const parts = {
    Resources: { Good: table('pk'), Taken: { ...table('pk', { TableName: 'mine' }), DependsOn: 'Good' } },
  }
  await cfn('CreateStack', { StackName: 'bad', TemplateBody: template(parts) })
  expect(await settled('bad')).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE' })
  expect((await resources('bad')).get('Good')?.status).toBe('DELETE_COMPLETE')
  expect(await own.run('DescribeTable', { TableName: 'mine' })).toMatchObject({ Table: { TableStatus: 'ACTIVE' } })
  await expect(cfn('UpdateStack', { StackName: 'bad', TemplateBody: template(parts) })).rejects.toThrow(
    'ROLLBACK_COMPLETE',
  )

  await cfn('CreateStack', {
    StackName: 'up',
    TemplateBody: template({ Resources: { T: table('pk', { TableName: 'ups' }) } }),
  })
  expect(await settled('up')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
  const worse = {
    Resources: {
      T: table('pk', { TableName: 'ups', DeletionProtectionEnabled: true }),
      New: table('k'),
      Z: { ...table('pk', { TableName: 'mine' }), DependsOn: ['T', 'New'] },
    },
  }
  await cfn('UpdateStack', { StackName: 'up', TemplateBody: template(worse) })
  expect(await settled('up')).toMatchObject({ StackStatus: 'UPDATE_ROLLBACK_COMPLETE' })
  expect([...(await resources('up')).keys()]).toEqual(['T'])
  expect(await own.run('DescribeTable', { TableName: 'ups' })).toMatchObject({
    Table: { DeletionProtectionEnabled: false },
  })
  const rekeyed = { Resources: { T: table('other', { TableName: 'ups' }) } }
  await cfn('UpdateStack', { StackName: 'up', TemplateBody: template(rekeyed) })
  await settled('up')
  expect(JSON.stringify(await cfn('DescribeStackEvents', { StackName: 'up' }))).toContain(
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
  await cfn('CreateChangeSet', {
    StackName: 'sam',
    ChangeSetName: 'one',
    ChangeSetType: 'CREATE',
    TemplateBody: template(parts),
  })
  await cfn('ExecuteChangeSet', { StackName: 'sam', ChangeSetName: 'one' })
  expect(await settled('sam')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
})

test('functions come from the template or from assets, with what they are called for, and go with the stack', async () => {
  const inline = (text: string): Buffer => packageOf({ inlineCode: text, runtime: 'nodejs20.x' } as never) as Buffer
  const lambda = async (operation: string, input: object = {}): Promise<Answer> =>
    (await own.engine.execute(testScope, lambdaTarget, operation, input)) as Answer
  const asset = { Bucket: 'cdk-assets', Key: 'code.zip' }
  await own.engine.execute(testScope, bucketTarget, 'PutObject', { ...asset, Body: inline('exports.h = 1') })
  const parts = (batch: number) => ({
    Transform: 'AWS::Serverless-2016-10-31',
    Globals: { Function: { Runtime: 'nodejs20.x', Handler: 'index.handler' } },
    Resources: {
      Orders: table('pk', { StreamSpecification: { StreamViewType: 'NEW_IMAGE' } }),
      Plain: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          FunctionName: 'plain',
          Runtime: 'nodejs20.x',
          Handler: 'index.handler',
          Role: 'arn:aws:iam::123456789012:role/r',
          Code: { ZipFile: `exports.handler = ${batch}` },
        },
      },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          FunctionName: { 'Fn::GetAtt': ['Plain', 'Arn'] },
          EventSourceArn: { 'Fn::GetAtt': ['Orders', 'StreamArn'] },
          StartingPosition: 'LATEST',
          BatchSize: batch,
        },
      },
      Sam: {
        Type: 'AWS::Serverless::Function',
        Properties: {
          FunctionName: 'sam',
          CodeUri: `s3://${asset.Bucket}/${asset.Key}`,
          Events: {
            Changes: {
              Type: 'DynamoDB',
              Properties: { Stream: { 'Fn::GetAtt': ['Orders', 'StreamArn'] }, StartingPosition: 'LATEST' },
            },
          },
        },
      },
      InJava: { Type: 'AWS::Serverless::Function', Properties: { CodeUri: 's3://a/b', Runtime: 'java21' } },
      OfJava: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          FunctionName: { 'Fn::GetAtt': ['InJava', 'Arn'] },
          EventSourceArn: { 'Fn::GetAtt': ['Orders', 'StreamArn'] },
        },
      },
      Queued: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: { FunctionName: { Ref: 'Plain' }, EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] } },
      },
      Queue: { Type: 'AWS::SQS::Queue' },
    },
    Outputs: { Arns: { Value: { 'Fn::Sub': '${Plain.Arn} ${InJava.Arn}' } } },
  })
  const deploy = async (operation: string, batch: number): Promise<Stack> => {
    const input = {
      StackName: 'fns',
      TemplateBody: template(parts(batch)),
      Capabilities: ['CAPABILITY_AUTO_EXPAND'],
    }
    await cfn(operation, input)
    return settled('fns')
  }
  const created = await deploy('CreateStack', 10)
  expect(created).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
  expect(created.Outputs[0]?.OutputValue).toMatch(/function:plain arn:aws:lambda:.*:function:fns-InJava/)
  expect(await lambda('ListEventSourceMappings', { FunctionName: 'plain' })).toMatchObject({
    EventSourceMappings: [{ BatchSize: 10 }],
  })
  expect((await lambda('ListEventSourceMappings', { FunctionName: 'sam' }))['EventSourceMappings']).toHaveLength(1)
  const made = await resources('fns')
  expect(made.get('InJava')?.reason).toBe('Skipped: the runtime java21 is not run here. Nothing was created.')
  expect(made.get('OfJava')?.reason).toMatch(/^Skipped: the function fns-InJava-\w+ is not here/)
  expect(made.get('Queued')?.reason).toContain('Skipped: its event source arn:aws:sqs')
  const before = await lambda('GetFunctionConfiguration', { FunctionName: 'plain' })
  expect(await deploy('UpdateStack', 20)).toMatchObject({ StackStatus: 'UPDATE_COMPLETE' })
  expect(await lambda('ListEventSourceMappings', { FunctionName: 'plain' })).toMatchObject({
    EventSourceMappings: [{ UUID: made.get('Mapping')?.id, BatchSize: 20 }],
  })
  const after = await lambda('GetFunctionConfiguration', { FunctionName: 'plain' })
  expect(after['CodeSha256']).not.toBe(before['CodeSha256'])
  await cfn('DeleteStack', { StackName: 'fns' })
  await expect.poll(() => stackOf('fns').catch(() => undefined)).toBeUndefined()
  expect(await lambda('ListFunctions')).toMatchObject({ Functions: [] })
  expect(await lambda('ListEventSourceMappings')).toMatchObject({ EventSourceMappings: [] })
})

test('what is long comes in pages', async () => {
  const Resources = Object.fromEntries(
    Array.from({ length: 130 }, (_, n) => [`R${n}`, { Type: 'AWS::SQS::Queue' }]),
  )
  const named = { StackName: 'long', ChangeSetName: 'one' }
  await cfn('CreateChangeSet', { ...named, ChangeSetType: 'CREATE', TemplateBody: template({ Resources }) })
  interface Page {
    readonly Changes: readonly Answer[]
    readonly NextToken?: string
  }
  const first = await cfn<Page>('DescribeChangeSet', named)
  const second = await cfn<Page>('DescribeChangeSet', { ...named, NextToken: first.NextToken })
  expect([first.Changes.length, second.Changes.length, second.NextToken]).toEqual([100, 30, undefined])
  await expect(cfn('DescribeChangeSet', { ...named, NextToken: '%41' })).rejects.toThrow('NextToken is invalid.')
})

test('a template that refers to what it does not declare is refused before anything is made', async () => {
  const named = (TableName: unknown): object => table('pk', { TableName })
  const conditional = {
    Parameters: { Stage: { Type: 'String', Default: 'dev' } },
    Conditions: { IsProd: { 'Fn::Equals': [{ Ref: 'Stage' }, 'prod'] } },
  }
  const inBlock = (names: string, block: string): string =>
    `Template format error: Unresolved resource dependencies [${names}] in the ${block} block of the template`
  for (const [parts, sentence] of [
    [
      { Resources: { A: named({ Ref: 'Nope' }), B: named({ 'Fn::Sub': '${Other}-x' }) } },
      inBlock('Nope, Other', 'Resources'),
    ],
    [{ Resources: { A: { ...table('pk'), DependsOn: ['toString'] } } }, inBlock('toString', 'Resources')],
    [
      { ...conditional, Resources: { A: named({ 'Fn::If': ['IsProd', { Ref: 'Nope' }, 'a'] }) } },
      inBlock('Nope', 'Resources'),
    ],
    [{ Resources: { A: table('pk') }, Outputs: { O: { Value: { Ref: 'Nope' } } } }, inBlock('Nope', 'Outputs')],
    [
      { Resources: { A: named({ 'Fn::GetAtt': ['Nope', 'Arn'] }) } },
      'Template error: instance of Fn::GetAtt references undefined resource Nope',
    ],
    [
      { Resources: { A: named({ 'Fn::Sub': '${!Literal}-${Nope.Arn}' }) } },
      'Template error: instance of Fn::Sub references invalid resource attribute Nope.Arn',
    ],
    [
      { Resources: { A: { ...table('pk'), Condition: 'Nope' } } },
      'Template format error: Unresolved condition dependency Nope in the Resources block of the template',
    ],
    [
      { Resources: { A: named({ 'Fn::If': ['Nope', 'a', 'b'] }) } },
      'Template error: unresolved condition dependency Nope in Fn::If',
    ],
    [
      { Conditions: { C: { 'Fn::Equals': [{ Ref: 'A' }, 'a'] } }, Resources: { A: table('pk') } },
      'Template format error: Unresolved dependencies [A]. Cannot reference resources in the Conditions block of the template',
    ],
  ] as const) {
    const input = { StackName: 'refers', TemplateBody: template(parts) }
    await expect(cfn('CreateStack', input)).rejects.toMatchObject({
      code: 'ValidationException',
      message: sentence,
    })
    await expect(cfn('ValidateTemplate', { TemplateBody: input.TemplateBody })).rejects.toThrow(sentence)
    await expect(
      cfn('CreateChangeSet', { ...input, ChangeSetName: 'refers', ChangeSetType: 'CREATE' }),
    ).rejects.toThrow(sentence)
  }
  const onlyProd = {
    ...conditional,
    Resources: {
      A: { ...table('pk'), Condition: 'IsProd' },
      B: {
        ...named({ 'Fn::Sub': ['${V}-${Stage}-b', { V: { 'Fn::If': ['IsProd', { Ref: 'A' }, 'no'] } }] }),
        DependsOn: 'A',
      },
    },
    Outputs: { OfA: { Condition: 'IsProd', Value: { Ref: 'A' } } },
  }
  const worse = { ...onlyProd, Outputs: { OfA: { Value: { 'Fn::GetAtt': ['A', 'Arn'] } } } }
  const input = { StackName: 'refers', TemplateBody: template(worse) }
  expect(await cfn('ValidateTemplate', { TemplateBody: input.TemplateBody })).toMatchObject({ Parameters: [{}] })
  await expect(cfn('CreateStack', input)).rejects.toThrow(inBlock('A', 'Outputs'))
  await expect(cfn('DescribeStacks', { StackName: 'refers' })).rejects.toThrow('does not exist')
  await cfn('CreateStack', { ...input, TemplateBody: template(onlyProd) })
  expect(await settled('refers')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
  expect((await resources('refers')).get('B')?.id).toBe('no-dev-b')
  await expect(cfn('UpdateStack', input)).rejects.toThrow(inBlock('A', 'Outputs'))
  expect(await settled('refers')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
})

test('nonsense is refused in a sentence', async () => {
  const create = (TemplateBody: string, StackName = 'odd'): Promise<Answer> =>
    cfn('CreateStack', { StackName, TemplateBody })
  await expect(create('{}')).rejects.toThrow('At least one Resources member')
  await expect(create('[')).rejects.toMatchObject({ code: 'ValidationException' })
  await expect(create(template({ Resources: { __proto__: 1, A: table('a') } }), '%41')).rejects.toThrow(
    'regular expression',
  )
  await expect(
    create(template({ Resources: { A: { Type: 'x', DependsOn: 'B' }, B: { Type: 'x', DependsOn: 'A' } } })),
  ).rejects.toThrow('Circular dependency')
  await expect(
    create(template({ Parameters: { P: { Type: 'String' } }, Resources: { A: table('a') } })),
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
    await expect(create(template({ Parameters, Resources: { A: table('a') } }))).rejects.toThrow(sentence)
  const many = Array.from({ length: 300 }, (_, index) => String(index))
  const inner = { 'Fn::ForEach::B': ['M', many, { 'A${N}x${M}': { Type: 'x' } }] }
  const bomb = { Resources: { 'Fn::ForEach::A': ['N', many, inner], A: table('a') } }
  await expect(create(template(bomb))).rejects.toThrow('Fn::ForEach makes more than')
  await expect(cfn('DescribeStacks', { StackName: 'constructor' })).rejects.toThrow(
    'Stack with id constructor does not exist',
  )
  expect(await cfn('DescribeStacks', {})).toMatchObject({ Stacks: expect.any(Array) as unknown })
})
