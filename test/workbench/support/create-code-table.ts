import { DynamoDB } from '@aws-sdk/client-dynamodb'

/** A table with a text and a number as its key, for programs that the page has written, and a client for it. */
export async function createCodeTable(endpoint: string, TableName: string): Promise<DynamoDB> {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }
  const client = new DynamoDB({ endpoint, region: 'us-east-1', credentials })
  await client.createTable({
    TableName,
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'N' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  return client
}
