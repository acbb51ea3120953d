const key = { pk: { S: 'a' }, sk: { S: 'b' } }
const item = { ...key, a: { N: '1' } }
const expressions = {
  ExpressionAttributeNames: { '#n': 'a' },
  ExpressionAttributeValues: { ':v': { N: '1' } },
}

/** Inputs that operations accept, so that what is made large in them is looked at. An operation that is not here begins with what its shape requires. */
export const baseInputs: Readonly<Record<string, unknown>> = {
  BatchExecuteStatement: { Statements: [{ Statement: "SELECT * FROM cost WHERE pk = 'a' AND sk = 'b'" }] },
  BatchGetItem: { RequestItems: { cost: { Keys: [key] } } },
  BatchWriteItem: { RequestItems: { cost: [{ PutRequest: { Item: item } }] } },
  CreateTable: {
    TableName: 'other',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  },
  DeleteItem: { TableName: 'cost', Key: key },
  ExecuteStatement: { Statement: "SELECT * FROM cost WHERE pk = 'a'" },
  ExecuteTransaction: {
    TransactStatements: [{ Statement: "SELECT * FROM cost WHERE pk = 'a' AND sk = 'b'" }],
  },
  GetItem: { TableName: 'cost', Key: key },
  PutItem: { TableName: 'cost', Item: item },
  Query: {
    TableName: 'cost',
    KeyConditionExpression: 'pk = :v',
    ExpressionAttributeValues: { ':v': { S: 'a' } },
  },
  Scan: { TableName: 'cost' },
  TransactGetItems: { TransactItems: [{ Get: { TableName: 'cost', Key: key } }] },
  TransactWriteItems: {
    TransactItems: [{ Update: { TableName: 'cost', Key: key, UpdateExpression: 'SET #n = :v', ...expressions } }],
  },
  UpdateItem: { TableName: 'cost', Key: key, UpdateExpression: 'SET #n = :v', ...expressions },
  GetMetricData: {
    StartTime: 1_790_000_000,
    EndTime: 1_790_003_600,
    MetricDataQueries: [
      {
        Id: 'm1',
        MetricStat: {
          Metric: {
            Namespace: 'AWS/DynamoDB',
            MetricName: 'ConsumedReadCapacityUnits',
            Dimensions: [{ Name: 'TableName', Value: 'cost' }],
          },
          Period: 60,
          Stat: 'Sum',
        },
      },
    ],
  },
  GetMetricStatistics: {
    Namespace: 'AWS/DynamoDB',
    MetricName: 'ConsumedReadCapacityUnits',
    StartTime: 1_790_000_000,
    EndTime: 1_790_003_600,
    Period: 60,
    Statistics: ['Sum'],
  },
  PutMetricAlarm: {
    AlarmName: 'cost',
    Namespace: 'AWS/DynamoDB',
    MetricName: 'ConsumedReadCapacityUnits',
    Period: 60,
    Statistic: 'Sum',
    EvaluationPeriods: 1,
    Threshold: 1,
    ComparisonOperator: 'GreaterThanThreshold',
  },
}
