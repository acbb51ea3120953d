import { expect, test } from 'vitest'
import { entity, model, s } from '../index.ts'
import { coverModel } from './cover-model.ts'
import { readCalls } from './read-calls.ts'

const Order = entity('Order', { id: s.ulid(), region: s.string(), status: s.string(), total: s.int() })
  .key({ pk: 'ORDER#{id}', sk: 'ORDER' })
  .index('byRegion', { pk: ['region', 'status'], sk: ['total'] })
const orders = model({
  name: 'orders',
  entities: { Order },
  patterns: (p) => ({
    ofRegion: p.query({ on: 'byRegion', pk: ['region', 'status'] }),
    ofTotal: p.query({ on: 'byRegion', pk: ['region', 'status'], sk: ['total'] }),
  }),
})

test('a query of an index with several partition keys is not one of a sort key', () => {
  const query = (keyConditionExpression: string) =>
    JSON.stringify({
      eventTime: '2026-01-01T00:00:00Z',
      eventSource: 'dynamodb.amazonaws.com',
      eventName: 'Query',
      requestParameters: { tableName: 'orders', indexName: 'byRegion', keyConditionExpression },
    })
  const partition = '#region = :region AND #status = :status'
  const log = [partition, `${partition} AND #total = :total`, `${partition} AND #total >= :total`].map(query)
  const { patterns, uncovered } = coverModel(orders.description, readCalls(log.join('\n')))
  expect(patterns.map(({ pattern, calls }) => [pattern, calls])).toEqual([
    ['ofRegion', 1],
    ['ofTotal', 1],
  ])
  expect(uncovered).toEqual([{ what: 'Query of a range in orders, index byRegion', calls: 1 }])
})
