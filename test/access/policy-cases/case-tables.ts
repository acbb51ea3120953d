/** The tables that the cases are about, as CreateTable makes them. */
export const caseTables: readonly object[] = [
  {
    TableName: 'GameScores',
    AttributeDefinitions: [
      { AttributeName: 'UserId', AttributeType: 'S' },
      { AttributeName: 'GameTitle', AttributeType: 'S' },
      { AttributeName: 'TopScoreDateTime', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'UserId', KeyType: 'HASH' },
      { AttributeName: 'GameTitle', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'TopScoreDateTimeIndex',
        KeySchema: [
          { AttributeName: 'GameTitle', KeyType: 'HASH' },
          { AttributeName: 'TopScoreDateTime', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    Tags: [{ Key: 'team', Value: 'red' }],
  },
  {
    TableName: 'Music',
    AttributeDefinitions: [{ AttributeName: 'Artist', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'Artist', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  },
]
