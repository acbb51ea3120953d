import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ApiClient } from '../support/api-client.ts'
import { hashrangeMain } from '../support/hashrange-main.ts'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import { kinesis } from '../system/kinesis-client.ts'

const sam = `
AWSTemplateFormatVersion: '2010-09-09'
Transform: AWS::Serverless-2016-10-31
Globals:
  Function:
    Timeout: 20
    Runtime: nodejs20.x
    Environment: { Variables: { COMMON: shared } }
Resources:
  OrdersTable:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: Orders
      AttributeDefinitions: [{ AttributeName: pk, AttributeType: S }]
      KeySchema: [{ AttributeName: pk, KeyType: HASH }]
      BillingMode: PAY_PER_REQUEST
      StreamSpecification: { StreamViewType: NEW_IMAGE }
  ClicksStream:
    Type: AWS::Kinesis::Stream
    Properties: { Name: clicks, ShardCount: 2 }
  OnOrder:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: src/
      Handler: app.handler
      Environment: { Variables: { TABLE: !Ref OrdersTable } }
      Events:
        Changes:
          Type: DynamoDB
          Properties:
            Stream: !GetAtt OrdersTable.StreamArn
            StartingPosition: TRIM_HORIZON
            BatchSize: 10
            FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] }
        Clicks:
          Type: Kinesis
          Properties: { Stream: !GetAtt ClicksStream.Arn, StartingPosition: TRIM_HORIZON }
        Api: { Type: Api, Properties: { Path: /, Method: get } }
  InJava:
    Type: AWS::Serverless::Function
    Properties: { CodeUri: java/, Handler: App, Runtime: java21 }
  InImage:
    Type: AWS::Serverless::Function
    Properties: { PackageType: Image, ImageUri: app }
`

const serverless = `
service: shop
provider: { name: aws, runtime: nodejs20.x, stage: dev, timeout: 20 }
functions:
  onOrder:
    handler: src/app.handler
    environment: { TABLE: { Ref: OrdersTable }, COMMON: shared }
    events:
      - stream:
          type: dynamodb
          arn: { Fn::GetAtt: [OrdersTable, StreamArn] }
          batchSize: 10
          filterPatterns: [{ eventName: [INSERT] }]
      - stream: { type: kinesis, arn: { Fn::GetAtt: [ClicksStream, Arn] } }
resources:
  Resources:
    ClicksStream: { Type: AWS::Kinesis::Stream, Properties: { Name: clicks, ShardCount: 2 } }
    OrdersTable:
      Type: AWS::DynamoDB::Table
      Properties:
        TableName: Orders
        AttributeDefinitions: [{ AttributeName: pk, AttributeType: S }]
        KeySchema: [{ AttributeName: pk, KeyType: HASH }]
        BillingMode: PAY_PER_REQUEST
        StreamSpecification: { StreamViewType: NEW_IMAGE }
`

test.each([
  ['template.yaml', sam, 'OnOrder'],
  ['serverless.yml', serverless, 'shop-dev-onOrder'],
])('the functions of %s get the changes of its tables', async (name, text, functionName) => {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-templates-'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, name), text)
  writeFileSync(
    join(folder, 'src', 'app.mjs'),
    `export const handler = async ({ Records }) => {
       for (const { eventName, dynamodb, kinesis } of Records)
         if (kinesis) console.log('click of', kinesis.partitionKey)
         else console.log(eventName, dynamodb.Keys.pk.S, process.env.TABLE, process.env.COMMON)
     }`,
  )
  // The tables of a template belong to this key, unless another is in the environment; the client's is the same.
  const server = HashrangeProcess.start(['--memory', '--shared', '--port', '0', '--apply', join(folder, name)])
  try {
    const port = await server.ready()
    const client = new ApiClient({ port, timeoutMs: 30_000 })
    for (const value of ['1', '2'])
      await client.call('PutItem', { TableName: 'Orders', Item: { pk: { S: 'a' }, value: { N: value } } })
    await client.call('PutItem', { TableName: 'Orders', Item: { pk: { S: 'b' } } })
    await expect.poll(() => server.printed).toContain(`${functionName} | INSERT b Orders shared`)
    // They may be in different shards.
    await expect.poll(() => server.printed).toContain(`${functionName} | INSERT a Orders shared`)
    expect(server.printed).not.toContain('MODIFY')
    const click = { StreamName: 'clicks', PartitionKey: 'ana', Data: 'e30=' }
    await kinesis(`http://127.0.0.1:${port}`, 'PutRecord', click)
    await expect.poll(() => server.printed).toContain(`${functionName} | click of ana`)
    expect(server.printed).toContain(`${functionName}  runs here, for changes of Orders, records of clicks`)
    if (name === 'template.yaml') {
      expect(server.printed).toMatch(/InJava {2}skipped: there is no bootstrap in .*java/)
      expect(server.printed).toContain('InImage  skipped: images are not run here')
    } else await applyInline(folder, port, server)
    client.close()
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

const inline = (word: string): string => `
Resources:
  Inline:
    Type: AWS::Lambda::Function
    Properties:
      FunctionName: inline
      Runtime: nodejs20.x
      Timeout: 20
      Handler: index.handler
      Role: !GetAtt Role.Arn
      Code: { ZipFile: "exports.handler = async (e) => console.log('${word}', e.Records.length)" }
  Changes:
    Type: AWS::Lambda::EventSourceMapping
    Properties:
      FunctionName: !GetAtt Inline.Arn
      EventSourceArn: arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/latest
      StartingPosition: TRIM_HORIZON
  Role: { Type: AWS::IAM::Role }
`

/** To a server that runs, functions are sent. */
async function applyInline(folder: string, port: number, server: HashrangeProcess): Promise<void> {
  const file = join(folder, 'inline.yaml')
  const apply = async (...words: string[]): Promise<string> => {
    const place = ['--endpoint', `http://127.0.0.1:${port}`, '--region', 'us-east-1']
    const { stdout } = await run(process.execPath, [hashrangeMain, 'apply', file, ...place, ...words])
    return stdout
  }
  writeFileSync(file, inline('seen'))
  expect(await apply()).toMatch(/function inline +created\n +event source of inline +created/)
  await expect.poll(() => server.printed).toContain('inline | seen')
  writeFileSync(file, inline('anew'))
  const shown = await apply('--diff')
  expect(shown).toMatch(/function inline +would be updated: updates the code\n +event source of inline +unchanged/)
}

const run = promisify(execFile)
