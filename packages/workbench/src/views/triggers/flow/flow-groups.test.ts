import { expect, test } from 'vitest'
import { flowGroups } from './flow-groups.ts'

const arn = 'arn:aws:dynamodb:us-east-1:123456789012:table/shop'

test('triggers and pipes are shown behind the stream, destinations and webhooks behind the change log', () => {
  const groups = flowGroups({
    tableName: 'shop',
    stream: { arn: `${arn}/stream/now`, viewType: 'NEW_IMAGE', isEnabled: true },
    consumers: [
      {
        kind: 'webhook',
        id: 'w',
        origin: 'https://example.com',
        status: 'ACTIVE',
        delivered: 0,
        lastDeliveredAtMs: null,
        problem: null,
      },
      {
        kind: 'pipe',
        id: 'p',
        name: 'p',
        isEnabled: true,
        enrichmentArn: 'arn:aws:lambda:us-east-1:123456789012:function:enrich',
        targetArn: 'arn:aws:dynamodb:us-east-1:123456789012:table/copies',
        problem: null,
      },
    ],
  })
  expect(groups.map(({ id, detail, rows }) => [id, detail, rows.map(({ stations }) => stations)])).toEqual([
    [
      'stream',
      'new image',
      [
        [
          { kind: 'function', name: 'enrich' },
          { kind: 'table', name: 'copies' },
        ],
      ],
    ],
    ['log', 'every change', [[{ kind: 'address', name: 'https://example.com' }]]],
  ])
})

test('a table whose stream was never turned on has no stream in the picture', () => {
  expect(flowGroups({ tableName: 'shop', stream: null, consumers: [] })).toEqual([])
})
