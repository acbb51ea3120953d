import { describe, expect, test } from 'vitest'
import { dataModel } from '../export/data-model.ts'
import { loadSource, typeErrorsOf } from '../testing/load-source.ts'
import { shopDescription } from '../testing/shop-description.ts'
import { modelSource } from './model-source.ts'
import { readDataModel } from './read-data-model.ts'

describe('a dynamodb_data_model.json', async () => {
  const exported: unknown = JSON.parse(JSON.stringify(await dataModel(shopDescription)))
  const { description, notes } = readDataModel(exported, 'shop')
  const source = modelSource(description, notes)

  test('that we exported has the same tables, entities and patterns again', () => {
    const loaded = loadSource(source).description
    expect(loaded.entities.map(({ name, key }) => [name, key.partition.text, key.sort?.text])).toEqual(
      expect.arrayContaining(
        shopDescription.entities.map(({ name, key }) => [name, key.partition.text, key.sort?.text]),
      ) as unknown,
    )
    const told = (model: typeof loaded): unknown =>
      model.patterns.map(({ name, operation, action, index, entities, order, limit, via }) => ({
        name,
        operation,
        action,
        index,
        entities: entities.toSorted(),
        order,
        limit,
        via,
      }))
    expect(told(loaded)).toEqual(told(shopDescription))
    expect(loaded.tables[0]).toMatchObject({ name: 'shop', stream: 'NEW_AND_OLD_IMAGES', deletionProtection: true })
  })

  test('becomes a model file without type errors', () => {
    expect(typeErrorsOf(source)).toBe('')
  })
})

describe('one that the tool made', () => {
  const item = (user: string, post: string): object => ({
    PutRequest: {
      Item: {
        user_id: { S: user },
        sort: { S: `POST#${post}` },
        post_id: { S: post },
        created_at: { S: '2026-01-02T03:04:05Z' },
        likes: { N: '3' },
      },
    },
  })
  const { description, notes } = readDataModel(
    {
      tables: [
        {
          TableName: 'Posts',
          AttributeDefinitions: ['user_id', 'sort', 'created_at'].map((AttributeName) => ({
            AttributeName,
            AttributeType: 'S',
          })),
          KeySchema: [
            { AttributeName: 'user_id', KeyType: 'HASH' },
            { AttributeName: 'sort', KeyType: 'RANGE' },
          ],
          GlobalSecondaryIndexes: [
            {
              IndexName: 'Recent',
              KeySchema: [
                { AttributeName: 'user_id', KeyType: 'HASH' },
                { AttributeName: 'created_at', KeyType: 'RANGE' },
              ],
              Projection: { ProjectionType: 'ALL' },
            },
          ],
          BillingMode: 'PAY_PER_REQUEST',
        },
      ],
      items: { Posts: [item('ana', 'p001'), item('ben', 'p002')] },
      access_patterns: [
        {
          pattern: '1',
          description: 'Posts of a user (newest first)',
          table: 'Posts',
          index: 'Recent',
          dynamodb_operation: 'Query',
          implementation:
            'aws dynamodb query --table-name Posts --index-name Recent --key-condition-expression \'#u = :u\' --expression-attribute-values \'{":u":{"S":"ana"}}\' --no-scan-index-forward --limit 20',
        },
        {
          pattern: '2',
          description: 'Like a post',
          table: 'Posts',
          dynamodb_operation: 'UpdateItem',
          implementation: `aws dynamodb update-item --table-name Posts --key '{"user_id":{"S":"ana"},"sort":{"S":"POST#p001"}}'`,
        },
        { pattern: '3', description: 'Send a mail', reason: 'Not a database' },
      ],
    },
    'posts',
  )
  const source = modelSource(description, notes)

  test('has its entities by the words in their keys', () => {
    expect(source).toContain("const Post = entity('Post'")
    expect(source).toContain(".key({ pk: '{user_id}', sk: 'POST#{post_id}' })")
    expect(source).toContain(".index('Recent', { pk: '{user_id}', sk: '{created_at}' })")
    expect(source).toContain("created_at: s.iso('second')")
  })

  test('has the patterns that it can, and notes the others', () => {
    expect(source).toContain('postsOfAUser: p.query({')
    expect(source).toContain("likeAPost: p.update('Post'")
    expect(notes.join()).toContain('"Send a mail" was left out')
  })

  test('loads, without type errors', () => {
    expect(loadSource(source).description.patterns).toMatchObject([
      { index: 'Recent', order: 'descending', limit: 20 },
      { action: 'update' },
    ])
    expect(typeErrorsOf(source)).toBe('')
  })
})
