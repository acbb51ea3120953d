/** A file of NoSQL Workbench, in which everything that is a text is this one. */
export function nosqlWorkbenchFile(text: string): string {
  return JSON.stringify({
    ModelName: text,
    ModelMetadata: { AWSService: 'Amazon DynamoDB', Version: '3.0', Description: text, Author: text },
    DataModel: [
      {
        TableName: text,
        KeyAttributes: {
          PartitionKey: { AttributeName: text, AttributeType: 'S' },
          SortKey: { AttributeName: `${text}2`, AttributeType: 'S' },
        },
        NonKeyAttributes: [{ AttributeName: `${text}3`, AttributeType: 'S' }],
        TableFacets: [
          {
            FacetName: text,
            KeyAttributeAlias: { PartitionKeyAlias: text, SortKeyAlias: text },
            TableData: [{ [text]: { S: text }, [`${text}2`]: { S: text }, [`${text}3`]: { S: text } }],
            NonKeyAttributes: [`${text}3`],
          },
        ],
        GlobalSecondaryIndexes: [],
        BillingMode: 'PAY_PER_REQUEST',
      },
    ],
  })
}
