import { expect, test } from 'vitest'
import { keySettings, useTemplateFiles } from './testing/template-files.ts'

const { read } = useTemplateFiles()

test('an event source of an alias or a version belongs to its function', () => {
  const text = `
Resources:
  Worker: { Type: AWS::Lambda::Function, Properties: { FunctionName: worker, Runtime: nodejs20.x } }
  Version: { Type: AWS::Lambda::Version, Properties: { FunctionName: !Ref Worker } }
  Live:
    Type: AWS::Lambda::Alias
    Properties: { FunctionName: !GetAtt Worker.Arn, FunctionVersion: !GetAtt Version.Version, Name: live }
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:${keySettings}
      StreamSpecification: { StreamViewType: NEW_IMAGE }
  OnAlias:
    Type: AWS::Lambda::EventSourceMapping
    Properties: { FunctionName: !Ref Live, EventSourceArn: !GetAtt Orders.StreamArn, StartingPosition: LATEST, BatchSize: 1 }
  OnVersion:
    Type: AWS::Lambda::EventSourceMapping
    Properties: { FunctionName: !Ref Version, EventSourceArn: !GetAtt Orders.StreamArn, StartingPosition: LATEST, BatchSize: 2 }
  OnName:
    Type: AWS::Lambda::EventSourceMapping
    Properties: { FunctionName: !Sub '\${Worker}:live', EventSourceArn: !GetAtt Orders.StreamArn, StartingPosition: LATEST, BatchSize: 3 }
`
  const { functions, problems } = read('alias.yaml', text)
  expect(problems).toEqual([])
  expect(functions).toMatchObject([
    { triggers: [1, 2, 3].map((BatchSize) => ({ source: { tableName: 'Orders' }, settings: { BatchSize } })) },
  ])
})

test('what the resources of SAM have in common can be declared once, and be ignored', () => {
  const text = `
Transform: AWS::Serverless-2016-10-31
Globals:
  Function: { Handler: app.handler, Timeout: 9, MemorySize: 256 }
  SimpleTable: { SSESpecification: { SSEEnabled: true } }
Resources:
  Encrypted: { Type: AWS::Serverless::SimpleTable }
  Plain: { Type: AWS::Serverless::SimpleTable, IgnoreGlobals: '*' }
  Usual: { Type: AWS::Serverless::Function, Properties: { FunctionName: usual } }
  Own: { Type: AWS::Serverless::Function, IgnoreGlobals: [Timeout], Properties: { FunctionName: own } }
`
  const { tables, functions } = read('globals.yaml', text)
  expect(tables.map(({ create }) => create['SSESpecification'])).toEqual([{ Enabled: true }, undefined])
  expect(functions).toMatchObject([
    { name: 'usual', handler: 'app.handler', timeoutSeconds: 9, memoryMb: 256 },
    { name: 'own', handler: 'app.handler', timeoutSeconds: undefined, memoryMb: 256 },
  ])
})

test('an event source that is turned off is left out without a word', () => {
  const sam = `
Resources:
  Worker:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: worker
      Events:
        Off: { Type: DynamoDB, Properties: { Stream: 'arn:aws:dynamodb:us-east-1:1:table/T/stream/s', Enabled: false } }
        Lost: { Type: DynamoDB, Properties: { Stream: !ImportValue stream } }
`
  const serverless = `
service: s
provider: { name: aws }
functions:
  worker:
    handler: a.b
    events:
      - stream: { type: dynamodb, arn: 'arn:aws:dynamodb:us-east-1:1:table/T/stream/s', enabled: false }
      - stream: { type: dynamodb, arn: { 'Fn::ImportValue': stream } }
`
  expect(read('off.yaml', sam).functions[0]?.problems).toEqual(['the stream of its event Lost is not known'])
  expect(read('sls/off.yml', serverless).functions[0]?.problems).toEqual(['the source of its stream is not known'])
})

test('functions and streams of the Serverless Framework have its usual settings, and their failure destinations', () => {
  const text = `
service: s
provider: { name: aws }
functions:
  usual:
    handler: a.b
    events:
      - stream: 'arn:aws:dynamodb:us-east-1:1:table/T/stream/s'
      - stream:
          type: dynamodb
          arn: 'arn:aws:dynamodb:us-east-1:1:table/U/stream/s'
          batchSize: 100
          destinations: { onFailure: { arn: 'arn:aws:sqs:us-east-1:1:failed', type: sqs } }
      - stream:
          type: dynamodb
          arn: 'arn:aws:dynamodb:us-east-1:1:table/V/stream/s'
          destinations: { onFailure: { arn: { 'Fn::GetAtt': [Queue, Arn] }, type: sqs } }
  own: { handler: a.b, timeout: 20, memorySize: 128 }
resources: { Resources: { Queue: { Type: AWS::SQS::Queue } } }
`
  const [usual, own] = read('sls/usual.yml', text).functions
  expect(usual).toMatchObject({ timeoutSeconds: 6, memoryMb: 1024 })
  expect(usual?.problems).toEqual([])
  expect(own).toMatchObject({ timeoutSeconds: 20, memoryMb: 128 })
  expect(usual?.triggers.map(({ settings }) => settings)).toEqual([
    { BatchSize: 10 },
    { BatchSize: 100, DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:1:failed' } } },
    { BatchSize: 10, DestinationConfig: { OnFailure: {} } },
  ])
})

test('an event source is read whatever encrypts its filters', () => {
  const text = `
Resources:
  Worker: { Type: AWS::Lambda::Function, Properties: { FunctionName: worker, Runtime: nodejs20.x } }
  Secret: { Type: AWS::KMS::Key }
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:${keySettings}
      StreamSpecification: { StreamViewType: NEW_IMAGE }
  OnOrder:
    Type: AWS::Lambda::EventSourceMapping
    Properties:
      FunctionName: !Ref Worker
      EventSourceArn: !GetAtt Orders.StreamArn
      StartingPosition: LATEST
      KmsKeyArn: !GetAtt Secret.Arn
`
  expect(read('kms.yaml', text).functions).toMatchObject([{ triggers: [{ source: { tableName: 'Orders' } }] }])
})

test('functions in images are told apart', () => {
  const sam = `
Resources:
  Worker:
    Type: AWS::Serverless::Function
    Properties: { FunctionName: worker, PackageType: Image, ImageUri: worker:latest }
`
  const serverless = 'service: s\nprovider: { name: aws }\nfunctions: { worker: { image: app, name: worker } }'
  const terraform = {
    planned_values: {
      root_module: {
        resources: [
          {
            address: 'aws_lambda_function.f',
            mode: 'managed',
            type: 'aws_lambda_function',
            name: 'f',
            values: { function_name: 'worker', package_type: 'Image', image_uri: 'worker:latest' },
          },
        ],
      },
    },
  }
  const image = [{ name: 'worker', packageType: 'Image' }]
  expect(read('sam-image.yaml', sam).functions).toMatchObject(image)
  expect(read('sls/image.yml', serverless).functions).toMatchObject(image)
  expect(read('image.json', JSON.stringify(terraform)).functions).toMatchObject(image)
})
