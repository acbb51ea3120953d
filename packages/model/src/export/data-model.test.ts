import { open } from 'hashrange'
import { describe, expect, test } from 'vitest'
import { shopDescription } from '../testing/shop-description.ts'
import { dataModel } from './data-model.ts'
import { exampleRequest } from './request/example-request.ts'
import { awsCli } from './request/aws-cli.ts'
import { putRequests } from './sample/dynamodb-json.ts'
import { sampleData } from './sample/sample-data.ts'
import { setUpRequests } from './set-up-requests.ts'

const samples = sampleData(shopDescription)

describe('the example of a pattern', () => {
  test.each(shopDescription.patterns)('$name is a request that the database answers', async (pattern) => {
    await using db = await open()
    for (const { operation, input } of setUpRequests(shopDescription)) await db.execute(operation, input)
    const isCreate = pattern.action === 'transact'
    for (const [table, requests] of Object.entries(isCreate ? {} : putRequests(samples))) {
      for (let i = 0; i < requests.length; i += 25) {
        await db.execute('BatchWriteItem', { RequestItems: { [table]: requests.slice(i, i + 25) } })
      }
    }
    const request = await exampleRequest(shopDescription, pattern, samples)
    expect(request?.operation).toBe(pattern.operation)
    const answer = await db.execute(pattern.operation, request?.input ?? {})
    if (pattern.operation === 'GetItem') expect(answer['Item']).toBeDefined()
    if (pattern.operation === 'Query') expect(answer['Count']).toBeGreaterThan(0)
  })

  test('is a command that a shell takes apart as it was meant', () => {
    expect(
      awsCli({
        operation: 'GetItem',
        input: { TableName: 'shop', Key: { pk: { S: "it's" } }, ConsistentRead: true, ScanIndexForward: false },
      }),
    ).toBe(
      `aws dynamodb get-item --table-name shop --key '{"pk":{"S":"it'\\''s"}}' --consistent-read --no-scan-index-forward`,
    )
  })
})

describe('dynamodb_data_model.json', () => {
  test('has its three sections', async () => {
    const model = await dataModel(shopDescription)
    expect(model).toMatchObject({
      tables: [{ TableName: 'shop' }, { TableName: 'shop-events' }],
      items: { shop: expect.any(Array) as unknown, 'shop-events': expect.any(Array) as unknown },
    })
    expect(model['access_patterns']).toContainEqual(
      expect.objectContaining({
        pattern: 'recentOrders',
        table: 'shop',
        index: null,
        dynamodb_operation: 'Query',
        implementation: expect.stringMatching(
          /^aws dynamodb query --table-name shop --key-condition-expression '#pk = :pk AND begins_with\(#sk, :sk\)'/,
        ) as unknown,
      }),
    )
  })

  test('keeps what a file from before says besides', async () => {
    const base = { author: 'me', access_patterns: [{ pattern: 'recentOrders', priority: 1 }] }
    const kept = await dataModel(shopDescription, { base })
    expect(kept).toMatchObject({ author: 'me' })
    expect(kept['access_patterns']).toContainEqual(
      expect.objectContaining({ pattern: 'recentOrders', priority: 1, dynamodb_operation: 'Query' }),
    )
  })
})
