import { describe, expect, test } from 'vitest'
import {
  addIndexInput,
  createTableInput,
  draftProblems,
  emptyDraft,
  emptyIndex,
  type TableDraft,
} from './table-draft.ts'

const draft: TableDraft = { ...emptyDraft, name: 'shop', partitionKey: { name: 'PK', type: 'S' } }

describe('a draft of a table', () => {
  test('becomes the smallest request that says it', () => {
    expect(draftProblems(draft)).toEqual({})
    expect(createTableInput(draft)).toEqual({
      TableName: 'shop',
      AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
  })

  test('declares an attribute once, whichever keys it is part of', () => {
    const index = {
      ...emptyIndex(1, 'global'),
      name: 'gsi1',
      partitionKeys: [draft.partitionKey],
      attributes: 'a, b,a',
    }
    const input = createTableInput({
      ...draft,
      billing: 'PROVISIONED',
      indexes: [{ ...index, projection: 'INCLUDE' }],
      stream: 'NEW_IMAGE',
    })
    expect(input).toMatchObject({
      AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      GlobalSecondaryIndexes: [
        {
          IndexName: 'gsi1',
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['a', 'b'] },
          ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
        },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    })
  })

  test('says what is missing and where', () => {
    expect(draftProblems(emptyDraft)).toMatchObject({
      name: 'Enter a name.',
      partitionKey: expect.stringMatching(/A table needs/),
    })
    expect(draftProblems({ ...draft, name: 'a b c' })['name']).toMatch(/Letters/)
    expect(draftProblems({ ...draft, sortKey: draft.partitionKey })['sortKey']).toMatch(
      /cannot be the same attribute/,
    )
    expect(draftProblems({ ...draft, billing: 'PROVISIONED', readUnits: '0' })).toHaveProperty('readUnits')
    expect(draftProblems({ ...draft, indexes: [emptyIndex(7, 'local')] })).toMatchObject({
      'index.7.name': expect.stringMatching(/sort key/),
      'index.7.sortKey': expect.stringMatching(/needs a sort key/),
    })
    const index = { ...emptyIndex(1, 'global'), name: 'gsi', partitionKeys: [{ name: 'PK', type: 'N' } as const] }
    expect(draftProblems({ ...draft, indexes: [index] })['types']).toMatch(/same type/)
  })

  test('of an index has all attributes of its keys, in their order', () => {
    const key = (name: string) => ({ name, type: 'S' }) as const
    const index = {
      ...emptyIndex(1, 'global'),
      name: 'byPlace',
      partitionKeys: [key('country'), key('city')],
      sortKeys: [key('street'), key(''), key('house')],
    }
    expect(draftProblems({ ...draft, indexes: [index] })).toEqual({})
    expect(createTableInput({ ...draft, indexes: [index] })).toMatchObject({
      AttributeDefinitions: ['PK', 'country', 'city', 'street', 'house'].map((AttributeName) => ({
        AttributeName,
      })),
      GlobalSecondaryIndexes: [
        {
          KeySchema: [
            { AttributeName: 'country', KeyType: 'HASH' },
            { AttributeName: 'city', KeyType: 'HASH' },
            { AttributeName: 'street', KeyType: 'RANGE' },
            { AttributeName: 'house', KeyType: 'RANGE' },
          ],
        },
      ],
    })
    const twice = { ...index, sortKeys: [key('city')] }
    expect(draftProblems({ ...draft, indexes: [twice] })['index.1.sortKey']).toBe('"city" is in the key twice.')
  })

  test('of an index names the new attributes beside the known ones', () => {
    const index = {
      ...emptyIndex(1, 'global'),
      name: 'gsi1',
      partitionKeys: [{ name: 'GSI1PK', type: 'S' } as const],
    }
    const known = [{ AttributeName: 'PK', AttributeType: 'S' }]
    expect(addIndexInput('shop', known, index, 'PAY_PER_REQUEST')).toEqual({
      TableName: 'shop',
      AttributeDefinitions: [...known, { AttributeName: 'GSI1PK', AttributeType: 'S' }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'gsi1',
            KeySchema: [{ AttributeName: 'GSI1PK', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    })
  })
})
