import { testScope } from '@hashrange/engine/test-engine'
import { lambdaTarget } from '@hashrange/lambda'
import { packageOf } from '@hashrange/templates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bucketTarget } from './assets/operations.ts'
import {
  openStackEngine,
  tableResource,
  type Answer,
  type Stack,
  type StackEngine,
} from './testing/stack-engine.ts'

let own: StackEngine

beforeAll(async () => {
  own = await openStackEngine()
})

afterAll(() => own.close())

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
      Orders: tableResource('pk', { StreamSpecification: { StreamViewType: 'NEW_IMAGE' } }),
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
      Aliased: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          FunctionName: 'aliased',
          Runtime: 'nodejs20.x',
          Handler: 'index.handler',
          Role: 'arn:aws:iam::123456789012:role/r',
          Code: { ZipFile: 'exports.handler = 1' },
        },
      },
      Live: { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Aliased' }, Name: 'live' } },
      OfAlias: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          FunctionName: { Ref: 'Live' },
          EventSourceArn: { 'Fn::GetAtt': ['Orders', 'StreamArn'] },
          StartingPosition: 'LATEST',
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
      TemplateBody: JSON.stringify(parts(batch)),
      Capabilities: ['CAPABILITY_AUTO_EXPAND'],
    }
    await own.cfn(operation, input)
    return own.settled('fns')
  }
  const created = await deploy('CreateStack', 10)
  expect(created).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
  expect(created.Outputs[0]?.OutputValue).toMatch(/function:plain arn:aws:lambda:.*:function:fns-InJava/)
  expect(await lambda('ListEventSourceMappings', { FunctionName: 'plain' })).toMatchObject({
    EventSourceMappings: [{ BatchSize: 10 }],
  })
  expect((await lambda('ListEventSourceMappings', { FunctionName: 'sam' }))['EventSourceMappings']).toHaveLength(1)
  expect(
    (await lambda('ListEventSourceMappings', { FunctionName: 'aliased' }))['EventSourceMappings'],
  ).toHaveLength(1)
  const made = await own.resources('fns')
  expect(made.get('Live')?.id).toMatch(/^arn:aws:lambda:.*:function:aliased:live$/)
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
  await own.cfn('DeleteStack', { StackName: 'fns' })
  await expect.poll(() => own.stackOf('fns').catch(() => undefined)).toBeUndefined()
  expect(await lambda('ListFunctions')).toMatchObject({ Functions: [] })
  expect(await lambda('ListEventSourceMappings')).toMatchObject({ EventSourceMappings: [] })
})
