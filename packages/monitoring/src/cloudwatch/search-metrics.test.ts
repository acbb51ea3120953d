import { expect, test } from 'vitest'
import { parseSearch } from './search-metrics.ts'

const metric = {
  namespace: 'AWS/DynamoDB',
  metricName: 'SuccessfulRequestLatency',
  dimensions: [
    { Name: 'TableName', Value: 'orders-prod' },
    { Name: 'Operation', Value: 'GetItem' },
  ],
}

test.each([
  ['{AWS/DynamoDB,TableName,Operation}', true],
  ['{"AWS/DynamoDB", "Operation", "TableName"} MetricName="SuccessfulRequestLatency"', true],
  ['{AWS/DynamoDB,TableName}', false],
  ['{AWS/EC2,TableName,Operation}', false],
  ['{AWS/DynamoDB,TableName,Operation} MetricName="Successful"', false],
  ['{AWS/DynamoDB,TableName,Operation} MetricName=successful', true],
  ['{AWS/DynamoDB,TableName,Operation} latency prod', true],
  ['{AWS/DynamoDB,TableName,Operation} latency NOT prod', false],
  ['{AWS/DynamoDB,TableName,Operation} TableName=("other" OR "orders-prod") Operation=getitem', true],
  ['{AWS/DynamoDB,TableName,Operation} (test OR prod) AND NOT (Query OR Scan)', true],
  ['{AWS/DynamoDB,TableName,Operation} IndexName=x', false],
])('%s', (text, expected) => {
  expect(parseSearch(text)(metric)).toBe(expected)
})

test.each(['', 'MetricName=x', '{', '{a', '{a} (b', '{a} b)', '{a} b=', `{a} ${'('.repeat(1000)}b`])(
  '%s is refused',
  (text) => {
    expect(() => parseSearch(text)).toThrow('a search')
  },
)
