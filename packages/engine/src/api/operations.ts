/** The operations of each service, by the prefix of the `X-Amz-Target` header that names them. */
export const operationsByTarget = {
  DynamoDB_20120810: [
    'BatchExecuteStatement',
    'BatchGetItem',
    'BatchWriteItem',
    'CreateBackup',
    'CreateGlobalTable',
    'CreateTable',
    'DeleteBackup',
    'DeleteItem',
    'DeleteResourcePolicy',
    'DeleteTable',
    'DescribeBackup',
    'DescribeContinuousBackups',
    'DescribeContributorInsights',
    'DescribeEndpoints',
    'DescribeExport',
    'DescribeGlobalTable',
    'DescribeGlobalTableSettings',
    'DescribeImport',
    'DescribeKinesisStreamingDestination',
    'DescribeLimits',
    'DescribeTable',
    'DescribeTableReplicaAutoScaling',
    'DescribeTimeToLive',
    'DisableKinesisStreamingDestination',
    'EnableKinesisStreamingDestination',
    'ExecuteStatement',
    'ExecuteTransaction',
    'ExportTableToPointInTime',
    'GetItem',
    'GetResourcePolicy',
    'ImportTable',
    'ListBackups',
    'ListContributorInsights',
    'ListExports',
    'ListGlobalTables',
    'ListImports',
    'ListTables',
    'ListTagsOfResource',
    'PutItem',
    'PutResourcePolicy',
    'Query',
    'RestoreTableFromBackup',
    'RestoreTableToPointInTime',
    'Scan',
    'SearchVectors',
    'TagResource',
    'TransactGetItems',
    'TransactWriteItems',
    'UntagResource',
    'UpdateContinuousBackups',
    'UpdateContributorInsights',
    'UpdateGlobalTable',
    'UpdateGlobalTableSettings',
    'UpdateItem',
    'UpdateKinesisStreamingDestination',
    'UpdateTable',
    'UpdateTableReplicaAutoScaling',
    'UpdateTimeToLive',
  ],
  DynamoDBStreams_20120810: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'],
} as const

export type TargetPrefix = keyof typeof operationsByTarget
export type OperationName = (typeof operationsByTarget)[TargetPrefix][number]

const operationsByFullTarget: ReadonlyMap<string, OperationName> = new Map(
  Object.entries(operationsByTarget).flatMap(([prefix, names]) => names.map((name) => [`${prefix}.${name}`, name])),
)

/** The operation that an `X-Amz-Target` header such as `DynamoDB_20120810.GetItem` names. */
export function operationOfTarget(target: string): OperationName | undefined {
  return operationsByFullTarget.get(target)
}
