import { expect, test } from 'vitest'
import { withoutEmptyThroughput } from './without-empty-throughput.ts'

test('throughput without a number is as if it were not there', () => {
  const OnDemandThroughput = { MaxReadRequestUnits: 5 }
  expect(withoutEmptyThroughput({ TableName: 'music', WarmThroughput: {}, OnDemandThroughput })).toEqual({
    TableName: 'music',
    OnDemandThroughput,
  })
  expect(
    withoutEmptyThroughput({ TableName: 'music', OnDemandThroughput: {}, BillingMode: 'PROVISIONED' }),
  ).toEqual({
    TableName: 'music',
    BillingMode: 'PROVISIONED',
  })
})

test('any other change stays as it is', () => {
  const input = { TableName: 'music', WarmThroughput: { ReadUnitsPerSecond: 13_000 } }
  expect(withoutEmptyThroughput(input)).toBe(input)
})
