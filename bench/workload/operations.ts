/** What is measured, in the order in which it is shown. */
export const operationNames = [
  'GetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'BatchWriteItem',
  'TransactWriteItems',
] as const

export type OperationName = (typeof operationNames)[number]

export const itemsPerPartition = 200
export const itemsPerQuery = 20
export const itemsPerBatch = 25
const itemsPerTransaction = 4

/** One table with one global index. */
export function createTableInput(tableName: string): object {
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributeDefinitions('customer', 'order', 'product', 'placed'),
    KeySchema: keySchema('customer', 'order'),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-product',
        KeySchema: keySchema('product', 'placed'),
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  }
}

/** An operation's input with marks such as `<customer+3>`, which each request fills in: see request-template.ts.
 *  Writes replace items that exist and rewrite their index entries, so that a table keeps its size while it is measured. */
export function operationInput(operation: OperationName, tableName: string, itemCount: number): object {
  // Far apart, so that the items of one request stand in different partitions.
  const spread = (count: number): number[] =>
    Array.from({ length: count }, (_, n) => Math.floor((n * itemCount) / count))
  switch (operation) {
    case 'GetItem':
      return { TableName: tableName, Key: key(0) }
    case 'Query':
      return {
        TableName: tableName,
        KeyConditionExpression: 'customer = :customer',
        ExpressionAttributeValues: { ':customer': key(0).customer },
        Limit: itemsPerQuery,
      }
    case 'PutItem':
      return { TableName: tableName, Item: item(0) }
    case 'UpdateItem':
      return conditionalUpdate(tableName, 0)
    case 'BatchWriteItem':
      return batchOfPuts(tableName, spread(itemsPerBatch))
    case 'TransactWriteItems': {
      const [first = 0, second = 0, third = 0, fourth = 0] = spread(itemsPerTransaction)
      return {
        TransactItems: [
          { Put: { TableName: tableName, Item: item(first) } },
          { Put: { TableName: tableName, Item: item(second) } },
          { Update: conditionalUpdate(tableName, third) },
          {
            ConditionCheck: {
              TableName: tableName,
              Key: key(fourth),
              ConditionExpression: 'attribute_exists(customer)',
            },
          },
        ],
      }
    }
    default:
      throw new Error(`There is no input for ${String(operation satisfies never)}.`)
  }
}

/** The next 25 items, for filling a table in order. */
export function loadInput(tableName: string): object {
  return batchOfPuts(
    tableName,
    Array.from({ length: itemsPerBatch }, (_, n) => n),
  )
}

/** A line of an export, or of what is to be imported. */
export function lineInput(): { readonly Item: object } {
  return { Item: item(0) }
}

/** A table with the same items, and no index. */
export function importTableInput(bucket: string, tableName: string): object {
  return {
    S3BucketSource: { S3Bucket: bucket },
    InputFormat: 'DYNAMODB_JSON',
    InputCompressionType: 'GZIP',
    TableCreationParameters: {
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: attributeDefinitions('customer', 'order'),
      KeySchema: keySchema('customer', 'order'),
    },
  }
}

function batchOfPuts(tableName: string, offsets: readonly number[]): object {
  return { RequestItems: { [tableName]: offsets.map((offset) => ({ PutRequest: { Item: item(offset) } })) } }
}

function conditionalUpdate(tableName: string, offset: number): object {
  return {
    TableName: tableName,
    Key: key(offset),
    UpdateExpression: 'SET quantity = quantity + :one, note = :note',
    ConditionExpression: '#status = :open AND quantity >= :zero',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':one': { N: '1' },
      ':zero': { N: '0' },
      ':open': { S: 'OPEN' },
      ':note': { S: note },
    },
  }
}

function key(offset: number): { readonly customer: object; readonly order: object } {
  return { customer: { S: `customer#<customer+${offset}>` }, order: { S: `order#<order+${offset}>` } }
}

const note = 'Leave with the neighbour on the left if nobody is at home; ring twice, the bell is quiet. '

/** About 300 bytes by the service's rules. */
function item(offset: number): object {
  return {
    ...key(offset),
    product: { S: `product#<product+${offset}>` },
    placed: { S: `2026-11-15#<order+${offset}>` },
    revision: { N: `1<request+${offset}>` },
    status: { S: 'OPEN' },
    quantity: { N: '3' },
    total: { N: '129.95' },
    paid: { BOOL: true },
    address: { M: { street: { S: '12 Long Lane' }, city: { S: 'Wellington' }, code: { S: '6011' } } },
    tags: { SS: ['gift', 'fragile'] },
    note: { S: note },
  }
}

function attributeDefinitions(...names: readonly string[]): object[] {
  return names.map((name) => ({ AttributeName: name, AttributeType: 'S' }))
}

function keySchema(hash: string, range: string): object[] {
  return [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ]
}
