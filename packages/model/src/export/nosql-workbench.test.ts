import { describe, expect, test } from 'vitest'
import { shopDescription } from '../testing/shop-description.ts'
import { noSqlWorkbench, workbenchDate } from './nosql-workbench.ts'

const exportedAt = new Date('2026-03-04T15:07:00Z')

describe('a model for NoSQL Workbench', () => {
  const model = noSqlWorkbench(shopDescription, { exportedAt })

  test('has what the program insists on', () => {
    expect(model).toMatchObject({
      ModelName: 'shop',
      ModelMetadata: {
        AWSService: 'Amazon DynamoDB',
        Version: '3.0',
        DateCreated: 'Mar 04, 2026, 03:07 PM',
        Description: shopDescription.description,
      },
    })
  })

  test('has a facet with data for each kind of item', () => {
    expect(model).toMatchObject({
      DataModel: [
        {
          TableName: 'shop',
          KeyAttributes: { PartitionKey: { AttributeName: 'pk', AttributeType: 'S' } },
          TableFacets: [
            {
              FacetName: 'Customer',
              KeyAttributeAlias: { PartitionKeyAlias: 'CUSTOMER#{customerId}', SortKeyAlias: 'PROFILE' },
              TableData: expect.arrayContaining([expect.objectContaining({ sk: { S: 'PROFILE' } })]) as unknown,
            },
            { FacetName: 'Customer.email' },
            { FacetName: 'Order' },
            { FacetName: 'Line' },
          ],
          BillingMode: 'PAY_PER_REQUEST',
          DataAccess: { MySql: {} },
        },
        { BillingMode: 'PROVISIONED', ProvisionedCapacitySettings: { ProvisionedThroughput: {} } },
      ],
    })
  })

  test('names every attribute of its data', () => {
    const [table] = model['DataModel'] as unknown as {
      NonKeyAttributes: { AttributeName: string; AttributeType: string }[]
      TableFacets: { TableData: Record<string, Record<string, unknown>>[] }[]
    }[]
    const types = new Map(table?.NonKeyAttributes.map((each) => [each.AttributeName, each.AttributeType]))
    for (const row of table?.TableFacets.flatMap(({ TableData }) => TableData) ?? []) {
      for (const [name, value] of Object.entries(row)) {
        if (name !== 'pk' && name !== 'sk') expect([name, types.get(name)]).toEqual([name, Object.keys(value)[0]])
      }
    }
  })

  test('keeps what it does not know of a model from before', () => {
    const base = {
      Extra: 1,
      ModelMetadata: { Author: 'Ana', DateCreated: 'Jan 01, 2020, 09:00 AM', Licence: 'MIT' },
      DataModel: [
        {
          TableName: 'shop',
          Colour: 'red',
          TableFacets: [{ FacetName: 'Line', Note: 'x', TableData: [{ pk: { S: 'mine' } }] }],
          GlobalSecondaryIndexes: [{ IndexName: 'gsi1', Warm: true }],
        },
      ],
    }
    expect(noSqlWorkbench(shopDescription, { base, exportedAt })).toMatchObject({
      Extra: 1,
      ModelMetadata: {
        Author: 'Ana',
        DateCreated: 'Jan 01, 2020, 09:00 AM',
        DateLastModified: 'Mar 04, 2026, 03:07 PM',
        Licence: 'MIT',
      },
      DataModel: [
        {
          Colour: 'red',
          TableFacets: expect.arrayContaining([
            expect.objectContaining({ FacetName: 'Line', Note: 'x', TableData: [{ pk: { S: 'mine' } }] }),
          ]) as unknown,
          GlobalSecondaryIndexes: expect.arrayContaining([
            expect.objectContaining({ IndexName: 'gsi1', Warm: true }),
          ]) as unknown,
        },
        {},
      ],
    })
  })
})

test('dates are written as the program writes them', () => {
  expect(workbenchDate(new Date('2025-04-19T06:28:00Z'))).toBe('Apr 19, 2025, 06:28 AM')
  expect(workbenchDate(new Date('2025-12-01T00:05:00Z'))).toBe('Dec 01, 2025, 12:05 AM')
})
