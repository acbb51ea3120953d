import { describe, expect, test } from 'vitest'
import type { TableDescription } from '../../../api-types.ts'
import { limitsOf, limitsProblem, throughputInput, unitsOf, unitsProblem } from './throughput-input.ts'

const provisioned = {
  TableName: 'shop',
  ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: 4 },
  GlobalSecondaryIndexes: [
    { IndexName: 'gsi1', ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 } },
    { IndexName: 'gsi2', ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 3 } },
  ],
} as unknown as TableDescription
const onDemand = { ...provisioned, BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' as const } }

describe('a change of capacity', () => {
  test('is nothing where nothing changes', () => {
    expect(throughputInput(provisioned, 'PROVISIONED', unitsOf(provisioned), limitsOf(provisioned))).toBeUndefined()
    expect(throughputInput(onDemand, 'PAY_PER_REQUEST', unitsOf(onDemand), limitsOf(onDemand))).toBeUndefined()
  })

  test('names only what changes', () => {
    const units = { ...unitsOf(provisioned), gsi2: { read: '8', write: '3' } }
    expect(throughputInput(provisioned, 'PROVISIONED', units, limitsOf(provisioned))).toEqual({
      TableName: 'shop',
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: 'gsi2', ProvisionedThroughput: { ReadCapacityUnits: 8, WriteCapacityUnits: 3 } } },
      ],
    })
  })

  test('from on-demand names the units of everything', () => {
    expect(throughputInput(onDemand, 'PROVISIONED', unitsOf(onDemand), limitsOf(onDemand))).toMatchObject({
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: 4 },
      GlobalSecondaryIndexUpdates: [{}, {}],
    })
  })

  test('limits what is used on demand, and lifts the limit', () => {
    const limited = { ...onDemand, OnDemandThroughput: { MaxReadRequestUnits: 40, MaxWriteRequestUnits: -1 } }
    expect(limitsOf(limited)).toEqual({ read: '40', write: '' })
    expect(throughputInput(limited, 'PAY_PER_REQUEST', unitsOf(limited), { read: '', write: '7' })).toEqual({
      TableName: 'shop',
      OnDemandThroughput: { MaxReadRequestUnits: -1, MaxWriteRequestUnits: 7 },
    })
    expect(limitsProblem({ read: '0', write: '' })).toMatch(/whole number/)
  })

  test('needs whole units', () => {
    expect(unitsProblem('PROVISIONED', { '': { read: '1.5', write: '1' } })).toMatch(/whole/)
    expect(unitsProblem('PAY_PER_REQUEST', { '': { read: '', write: '' } })).toBeUndefined()
  })
})
