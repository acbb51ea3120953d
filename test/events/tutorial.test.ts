import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { zipOf } from '@hashrange/templates'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import { needsAwsCli, run } from '../support/programs.ts'
import { describeIf } from '../support/requirement.ts'

/** The service's tutorial for streams and Lambda, with its own words but for the endpoint, and but for the function, which
 *  publishes nothing: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.Lambda.Tutorial.html */
describeIf(needsAwsCli, 'The tutorial of streams and Lambda with the AWS CLI', () => {
  let folder: string
  let server: HashrangeProcess
  let endpoint: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hashrange-tutorial-'))
    server = HashrangeProcess.start(['--memory', '--port', '0', '--no-workbench'])
    endpoint = `http://127.0.0.1:${await server.ready()}`
  })

  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** `more` has blanks in it. */
  const aws = async (command: string, ...more: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
    const words = [...command.trim().split(/\s+/), ...more, '--endpoint-url', endpoint]
    const { code, stdout, stderr } = await run('aws', words, '', folder)
    expect(code, stderr).toBe(0)
    return stdout.trim() === '' ? {} : (JSON.parse(stdout) as Readonly<Record<string, unknown>>)
  }

  test('runs to its end', async () => {
    const created = await aws(`dynamodb create-table
      --table-name BarkTable
      --attribute-definitions AttributeName=Username,AttributeType=S AttributeName=Timestamp,AttributeType=S
      --key-schema AttributeName=Username,KeyType=HASH AttributeName=Timestamp,KeyType=RANGE
      --provisioned-throughput ReadCapacityUnits=5,WriteCapacityUnits=5
      --stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES`)
    const { LatestStreamArn: streamArn } = created['TableDescription'] as { LatestStreamArn: string }

    const trust = {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    }
    writeFileSync(join(folder, 'trust-relationship.json'), JSON.stringify(trust))
    const { Role: role } = await aws(`iam create-role --role-name WooferLambdaRole --path /service-role/
      --assume-role-policy-document file://trust-relationship.json`)
    const { Arn: roleArn } = role as { Arn: string }

    const text = `'use strict';
      exports.handler = (event, context, callback) => {
        event.Records.forEach((record) => {
          console.log('Stream record: ', JSON.stringify(record, null, 2));
          if (record.eventName == 'INSERT') {
            console.log('Bark from ' + JSON.stringify(record.dynamodb.NewImage.Username.S));
          }
        });
        callback(null, \`Successfully processed \${event.Records.length} records.\`);
      };`
    writeFileSync(
      join(folder, 'publishNewBark.zip'),
      zipOf([{ name: 'publishNewBark.js', content: Buffer.from(text) }]),
    )
    await aws(`lambda create-function --region us-east-1 --function-name publishNewBark
      --zip-file fileb://publishNewBark.zip --role ${roleArn} --handler publishNewBark.handler
      --timeout 5 --runtime nodejs20.x`)

    const image = { Username: { S: 'Jane Doe' }, Timestamp: { S: '2016-11-18:12:09:36' }, Message: { S: 'Woof' } }
    const record = { eventID: '7d', eventName: 'INSERT', dynamodb: { NewImage: image, SequenceNumber: '1' } }
    writeFileSync(join(folder, 'payload.json'), JSON.stringify({ Records: [record] }))
    const { stdout: version, stderr } = await run('aws', ['--version'])
    const isSecond = `${version}${stderr}`.startsWith('aws-cli/2')
    await aws(`lambda invoke --function-name publishNewBark --payload file://payload.json
      ${isSecond ? '--cli-binary-format raw-in-base64-out' : ''} output.txt`)
    expect(readFileSync(join(folder, 'output.txt'), 'utf8')).toBe('"Successfully processed 1 records."')

    await aws(`lambda create-event-source-mapping --region us-east-1 --function-name publishNewBark
      --event-source ${streamArn} --batch-size 1 --starting-position TRIM_HORIZON`)
    const item = '{"Username":{"S":"Bob"},"Timestamp":{"S":"2016-11-18:14:32:17"},"Message":{"S":"Testing..."}}'
    await aws('dynamodb put-item --table-name BarkTable --item', item)
    await expect.poll(() => server.printed).toContain('publishNewBark | Bark from "Bob"')
    const { EventSourceMappings: mappings } = await aws('lambda list-event-source-mappings')
    expect(mappings).toMatchObject([{ State: 'Enabled', EventSourceArn: streamArn }])

    // The second tutorial: only some of the changes.
    const [{ UUID: uuid }] = mappings as readonly [{ UUID: string }]
    const Pattern = JSON.stringify({ eventName: ['INSERT'], dynamodb: { NewImage: { Message: { S: ['Howl'] } } } })
    const criteria = JSON.stringify({ Filters: [{ Pattern }] })
    const updated = await aws(`lambda update-event-source-mapping --uuid ${uuid} --filter-criteria`, criteria)
    expect(updated).toMatchObject({ FilterCriteria: { Filters: [{ Pattern }] } })
    const barks = ['Woof', 'Howl'].map((Message) => ({
      PutRequest: {
        Item: { Username: { S: `Fan of ${Message}` }, Timestamp: { S: '1' }, Message: { S: Message } },
      },
    }))
    await aws('dynamodb batch-write-item --request-items', JSON.stringify({ BarkTable: barks }))
    await expect.poll(() => server.printed).toContain('publishNewBark | Bark from "Fan of Howl"')
    expect(server.printed).not.toContain('Bark from "Fan of Woof"')
  })
})
