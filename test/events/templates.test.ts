import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ApiClient } from '../support/api-client.ts'
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
    if (name === 'template.yaml')
      expect(server.printed).toContain('InJava  skipped: there is no bootstrap in java/')
    client.close()
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
