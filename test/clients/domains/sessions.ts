import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'

/** Sessions of several kinds, each of which is over some time. */
export const sessionsTable = {
  TableName: 'Sessions',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: [
    { AttributeName: 'id', AttributeType: 'S' },
    { AttributeName: 'kind', AttributeType: 'S' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'kinds',
      KeySchema: [{ AttributeName: 'kind', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
} satisfies CreateTableCommandInput
