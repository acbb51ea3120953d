import { expect, test } from 'vitest'
import { alarmsOfTable, conditionText, isOfTable, placeText, type Alarm } from './scaling-facts.ts'

const alarm: Alarm = {
  AlarmName: 'hot',
  StateValue: 'OK',
  MetricName: 'WriteThrottleEvents',
  Statistic: 'Sum',
  ComparisonOperator: 'GreaterThanThreshold',
  Threshold: 0,
  Period: 60,
  EvaluationPeriods: 1,
  Dimensions: [{ Name: 'TableName', Value: 'shop' }],
}

test('what is about a table is told apart from what is about one with a longer name', () => {
  expect(isOfTable('table/shop/index/GSI1', 'shop')).toBe(true)
  expect(isOfTable('table/shop-2', 'shop')).toBe(false)
  expect(alarmsOfTable([alarm], 'shop')).toHaveLength(1)
  expect(alarmsOfTable([alarm], 'sho')).toHaveLength(0)
})

test('places and conditions are told in words', () => {
  const ScalableDimension = 'dynamodb:index:WriteCapacityUnits'
  expect(placeText({ ResourceId: 'table/shop/index/GSI1', ScalableDimension })).toBe('Writes of GSI1')
  expect(conditionText(alarm)).toBe('Sum of WriteThrottleEvents > 0, 1 × 60 s')
})
