import type { LegacyOperator } from '@hashrange/core'

/** An attribute value whose JSON types have been checked, and nothing else: it may have no member or several, its
 *  number may be no number. Only the functions that read values in core look into it. */
export interface RawAttributeValue {
  readonly S?: string
  readonly N?: string
  readonly B?: string
  readonly SS?: readonly string[]
  readonly NS?: readonly string[]
  readonly BS?: readonly string[]
  readonly M?: RawItem
  readonly L?: readonly RawAttributeValue[]
  readonly BOOL?: boolean
  readonly NULL?: boolean
}

export type RawItem = Readonly<Record<string, RawAttributeValue>>

/** The input of an operation that has no type of its own here (yet). */
export type UntypedInput = Readonly<Record<string, unknown>>

export type InputOf<Operation extends string> = Operation extends keyof Inputs ? Inputs[Operation] : UntypedInput

/** What `readInput` gives each operation that the engine has. */
export interface Inputs {
  readonly BatchExecuteStatement: BatchExecuteStatementInput
  readonly BatchGetItem: BatchGetItemInput
  readonly BatchWriteItem: BatchWriteItemInput
  readonly CreateBackup: CreateBackupInput
  readonly CreateTable: CreateTableInput
  readonly DeleteBackup: DeleteBackupInput
  readonly DeleteItem: DeleteItemInput
  readonly DeleteTable: DeleteTableInput
  readonly DescribeBackup: DescribeBackupInput
  readonly DescribeContinuousBackups: DescribeContinuousBackupsInput
  readonly DescribeContributorInsights: DescribeContributorInsightsInput
  readonly DescribeEndpoints: DescribeEndpointsInput
  readonly DescribeExport: DescribeExportInput
  readonly DescribeImport: DescribeImportInput
  readonly DescribeLimits: DescribeLimitsInput
  readonly DescribeStream: DescribeStreamInput
  readonly DescribeTable: DescribeTableInput
  readonly DescribeTableReplicaAutoScaling: DescribeTableReplicaAutoScalingInput
  readonly DescribeTimeToLive: DescribeTimeToLiveInput
  readonly ExportTableToPointInTime: ExportTableToPointInTimeInput
  readonly ExecuteStatement: ExecuteStatementInput
  readonly ExecuteTransaction: ExecuteTransactionInput
  readonly GetItem: GetItemInput
  readonly ImportTable: ImportTableInput
  readonly GetRecords: GetRecordsInput
  readonly GetShardIterator: GetShardIteratorInput
  readonly ListStreams: ListStreamsInput
  readonly ListBackups: ListBackupsInput
  readonly ListContributorInsights: ListContributorInsightsInput
  readonly ListExports: ListExportsInput
  readonly ListImports: ListImportsInput
  readonly ListTables: ListTablesInput
  readonly ListTagsOfResource: ListTagsOfResourceInput
  readonly PutItem: PutItemInput
  readonly Query: QueryInput
  readonly RestoreTableFromBackup: RestoreTableFromBackupInput
  readonly RestoreTableToPointInTime: RestoreTableToPointInTimeInput
  readonly Scan: ScanInput
  readonly TagResource: TagResourceInput
  readonly TransactGetItems: TransactGetItemsInput
  readonly TransactWriteItems: TransactWriteItemsInput
  readonly UntagResource: UntagResourceInput
  readonly UpdateContinuousBackups: UpdateContinuousBackupsInput
  readonly UpdateContributorInsights: UpdateContributorInsightsInput
  readonly UpdateItem: UpdateItemInput
  readonly UpdateTable: UpdateTableInput
  readonly UpdateTableReplicaAutoScaling: UpdateTableReplicaAutoScalingInput
  readonly UpdateTimeToLive: UpdateTimeToLiveInput
}

export type ReturnConsumedCapacity = 'INDEXES' | 'TOTAL' | 'NONE'
export type ReturnItemCollectionMetrics = 'SIZE' | 'NONE'
export type ReturnValues = 'NONE' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW'
export type ReturnValuesOnConditionCheckFailure = 'ALL_OLD' | 'NONE'
export type Select = 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'SPECIFIC_ATTRIBUTES' | 'COUNT'
export type ConditionalOperator = 'AND' | 'OR'
export type ComparisonOperator = LegacyOperator

export interface ExpressionPlaceholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: RawItem
}

/** The conditions from before there were expressions. */
export interface LegacyExpected {
  readonly ConditionalOperator?: ConditionalOperator
  readonly Expected?: Readonly<Record<string, ExpectedAttributeValueInput>>
}

export interface ExpectedAttributeValueInput {
  readonly AttributeValueList?: readonly RawAttributeValue[]
  readonly ComparisonOperator?: ComparisonOperator
  readonly Exists?: boolean
  readonly Value?: RawAttributeValue
}

export interface ConditionInput {
  readonly AttributeValueList?: readonly RawAttributeValue[]
  readonly ComparisonOperator: ComparisonOperator
}

export interface AttributeValueUpdateInput {
  readonly Action?: 'ADD' | 'PUT' | 'DELETE'
  readonly Value?: RawAttributeValue
}

export interface PutItemInput extends ExpressionPlaceholders, LegacyExpected {
  readonly TableName: string
  readonly Item: RawItem
  readonly ConditionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
  readonly ReturnValues?: ReturnValues
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface DeleteItemInput extends ExpressionPlaceholders, LegacyExpected {
  readonly TableName: string
  readonly Key: RawItem
  readonly ConditionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
  readonly ReturnValues?: ReturnValues
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface UpdateItemInput extends ExpressionPlaceholders, LegacyExpected {
  readonly TableName: string
  readonly Key: RawItem
  readonly AttributeUpdates?: Readonly<Record<string, AttributeValueUpdateInput>>
  readonly ConditionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
  readonly ReturnValues?: ReturnValues
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
  readonly UpdateExpression?: string
}

export interface GetItemInput {
  readonly TableName: string
  readonly Key: RawItem
  readonly AttributesToGet?: readonly string[]
  readonly ConsistentRead?: boolean
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ProjectionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface QueryInput extends ExpressionPlaceholders {
  readonly TableName: string
  readonly AttributesToGet?: readonly string[]
  readonly ConditionalOperator?: ConditionalOperator
  readonly ConsistentRead?: boolean
  readonly ExclusiveStartKey?: RawItem
  readonly FilterExpression?: string
  readonly IndexName?: string
  readonly KeyConditionExpression?: string
  readonly KeyConditions?: Readonly<Record<string, ConditionInput>>
  readonly Limit?: number
  readonly ProjectionExpression?: string
  readonly QueryFilter?: Readonly<Record<string, ConditionInput>>
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ScanIndexForward?: boolean
  readonly Select?: Select
}

export interface ScanInput extends ExpressionPlaceholders {
  readonly TableName: string
  readonly AttributesToGet?: readonly string[]
  readonly ConditionalOperator?: ConditionalOperator
  readonly ConsistentRead?: boolean
  readonly ExclusiveStartKey?: RawItem
  readonly FilterExpression?: string
  readonly IndexName?: string
  readonly Limit?: number
  readonly ProjectionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ScanFilter?: Readonly<Record<string, ConditionInput>>
  readonly Segment?: number
  readonly Select?: Select
  readonly TotalSegments?: number
}

export interface BatchGetItemInput {
  readonly RequestItems: Readonly<Record<string, KeysAndAttributesInput>>
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface KeysAndAttributesInput {
  readonly Keys: readonly RawItem[]
  readonly AttributesToGet?: readonly string[]
  readonly ConsistentRead?: boolean
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ProjectionExpression?: string
}

export interface BatchWriteItemInput {
  readonly RequestItems: Readonly<Record<string, readonly WriteRequestInput[]>>
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
}

export interface WriteRequestInput {
  readonly PutRequest?: { readonly Item: RawItem }
  readonly DeleteRequest?: { readonly Key: RawItem }
}

export interface TransactWriteItemsInput {
  readonly TransactItems: readonly TransactWriteItemInput[]
  readonly ClientRequestToken?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
}

export interface TransactWriteItemInput {
  readonly ConditionCheck?: TransactConditionCheckInput
  readonly Put?: TransactPutInput
  readonly Delete?: TransactDeleteInput
  readonly Update?: TransactUpdateInput
}

interface TransactAction extends ExpressionPlaceholders {
  readonly TableName: string
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface TransactConditionCheckInput extends TransactAction {
  readonly Key: RawItem
  readonly ConditionExpression: string
}

export interface TransactPutInput extends TransactAction {
  readonly Item: RawItem
  readonly ConditionExpression?: string
}

export interface TransactDeleteInput extends TransactAction {
  readonly Key: RawItem
  readonly ConditionExpression?: string
}

export interface TransactUpdateInput extends TransactAction {
  readonly Key: RawItem
  readonly ConditionExpression?: string
  readonly UpdateExpression: string
}

export interface TransactGetItemsInput {
  readonly TransactItems: readonly { readonly Get: TransactGetInput }[]
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface TransactGetInput {
  readonly TableName: string
  readonly Key: RawItem
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ProjectionExpression?: string
}

export type BillingMode = 'PROVISIONED' | 'PAY_PER_REQUEST'

export interface AttributeDefinitionInput {
  readonly AttributeName: string
  readonly AttributeType: 'S' | 'N' | 'B'
}

export interface KeySchemaElementInput {
  readonly AttributeName: string
  readonly KeyType: 'HASH' | 'RANGE'
}

export interface ProjectionInput {
  readonly ProjectionType?: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
  readonly NonKeyAttributes?: readonly string[]
}

export interface ProvisionedThroughputInput {
  readonly ReadCapacityUnits: number
  readonly WriteCapacityUnits: number
}

export interface OnDemandThroughputInput {
  readonly MaxReadRequestUnits?: number
  readonly MaxWriteRequestUnits?: number
}

export interface WarmThroughputInput {
  readonly ReadUnitsPerSecond?: number
  readonly WriteUnitsPerSecond?: number
}

export interface LocalSecondaryIndexInput {
  readonly IndexName: string
  readonly KeySchema: readonly KeySchemaElementInput[]
  readonly Projection: ProjectionInput
}

export interface GlobalSecondaryIndexInput extends LocalSecondaryIndexInput {
  readonly OnDemandThroughput?: OnDemandThroughputInput
  readonly ProvisionedThroughput?: ProvisionedThroughputInput
  readonly WarmThroughput?: WarmThroughputInput
}

export interface StreamSpecificationInput {
  readonly StreamEnabled: boolean
  readonly StreamViewType?: 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES' | 'KEYS_ONLY'
}

export interface SSESpecificationInput {
  readonly Enabled?: boolean
  readonly KMSMasterKeyId?: string
  readonly SSEType?: 'AES256' | 'KMS'
}

/** The service checks tags in words of its own, so that even their presence is not certain here. */
export interface TagInput {
  readonly Key?: string
  readonly Value?: string
}

/** What tables have from their creation on and can change later. */
interface TableSettings {
  readonly BillingMode?: BillingMode
  readonly DeletionProtectionEnabled?: boolean
  readonly OnDemandThroughput?: OnDemandThroughputInput
  readonly ProvisionedThroughput?: ProvisionedThroughputInput
  readonly SSESpecification?: SSESpecificationInput
  readonly StreamSpecification?: StreamSpecificationInput
  readonly TableClass?: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'
  readonly WarmThroughput?: WarmThroughputInput
}

export interface CreateTableInput extends TableSettings {
  readonly TableName: string
  readonly AttributeDefinitions: readonly AttributeDefinitionInput[]
  readonly KeySchema: readonly KeySchemaElementInput[]
  readonly GlobalSecondaryIndexes?: readonly GlobalSecondaryIndexInput[]
  readonly LocalSecondaryIndexes?: readonly LocalSecondaryIndexInput[]
  readonly ResourcePolicy?: string
  readonly Tags?: readonly TagInput[]
  readonly VectorIndexes?: readonly unknown[]
}

export interface UpdateTableInput extends TableSettings {
  readonly TableName: string
  readonly AttributeDefinitions?: readonly AttributeDefinitionInput[]
  readonly GlobalSecondaryIndexUpdates?: readonly GlobalSecondaryIndexUpdateInput[]
  readonly ReplicaUpdates?: readonly unknown[]
  readonly VectorIndexUpdates?: readonly unknown[]
}

export interface GlobalSecondaryIndexUpdateInput {
  readonly Create?: GlobalSecondaryIndexInput
  readonly Update?: UpdateGlobalSecondaryIndexInput
  readonly Delete?: { readonly IndexName: string }
}

export interface UpdateGlobalSecondaryIndexInput {
  readonly IndexName: string
  readonly OnDemandThroughput?: OnDemandThroughputInput
  readonly ProvisionedThroughput?: ProvisionedThroughputInput
  readonly WarmThroughput?: WarmThroughputInput
}

export interface DescribeTableInput {
  readonly TableName: string
}

export interface DeleteTableInput {
  readonly TableName: string
}

export interface ListTablesInput {
  readonly ExclusiveStartTableName?: string
  readonly Limit?: number
}

export interface TagResourceInput {
  readonly ResourceArn: string
  readonly Tags: readonly TagInput[]
}

export interface UntagResourceInput {
  readonly ResourceArn: string
  readonly TagKeys: readonly string[]
}

export interface ListTagsOfResourceInput {
  readonly ResourceArn: string
  readonly NextToken?: string
}

/** Some operations ask for nothing. */
export type DescribeLimitsInput = UntypedInput
export type DescribeEndpointsInput = UntypedInput

export interface ListStreamsInput {
  readonly TableName?: string
  readonly Limit?: number
  readonly ExclusiveStartStreamArn?: string
}

export interface DescribeStreamInput {
  readonly StreamArn: string
  readonly Limit?: number
  readonly ExclusiveStartShardId?: string
  readonly ShardFilter?: ShardFilterInput
}

export interface ShardFilterInput {
  readonly Type?: 'CHILD_SHARDS'
  readonly ShardId?: string
}

export interface GetShardIteratorInput {
  readonly StreamArn: string
  readonly ShardId: string
  readonly ShardIteratorType: ShardIteratorType
  readonly SequenceNumber?: string
}

export type ShardIteratorType = 'TRIM_HORIZON' | 'LATEST' | 'AT_SEQUENCE_NUMBER' | 'AFTER_SEQUENCE_NUMBER'

export interface GetRecordsInput {
  readonly ShardIterator: string
  readonly Limit?: number
}

export interface UpdateTimeToLiveInput {
  readonly TableName: string
  readonly TimeToLiveSpecification: { readonly Enabled: boolean; readonly AttributeName: string }
}

export interface DescribeTimeToLiveInput {
  readonly TableName: string
}

export interface UpdateContinuousBackupsInput {
  readonly TableName: string
  readonly PointInTimeRecoverySpecification: {
    readonly PointInTimeRecoveryEnabled: boolean
    readonly RecoveryPeriodInDays?: number
  }
}

export interface DescribeContinuousBackupsInput {
  readonly TableName: string
}

export interface CreateBackupInput {
  readonly TableName: string
  readonly BackupName: string
}

export interface DescribeBackupInput {
  readonly BackupArn: string
}

export interface DeleteBackupInput {
  readonly BackupArn: string
}

export interface ListBackupsInput {
  readonly TableName?: string
  readonly Limit?: number
  /** Times are in seconds. */
  readonly TimeRangeLowerBound?: number
  readonly TimeRangeUpperBound?: number
  readonly ExclusiveStartBackupArn?: string
  readonly BackupType?: 'USER' | 'SYSTEM' | 'AWS_BACKUP' | 'ALL'
}

/** How a restored table may differ from its source. */
export interface RestoreOverrides {
  readonly BillingModeOverride?: BillingMode
  readonly GlobalSecondaryIndexOverride?: readonly GlobalSecondaryIndexInput[]
  readonly LocalSecondaryIndexOverride?: readonly LocalSecondaryIndexInput[]
  readonly ProvisionedThroughputOverride?: ProvisionedThroughputInput
  readonly OnDemandThroughputOverride?: OnDemandThroughputInput
  readonly SSESpecificationOverride?: SSESpecificationInput
}

export interface RestoreTableFromBackupInput extends RestoreOverrides {
  readonly TargetTableName: string
  readonly BackupArn: string
}

export interface RestoreTableToPointInTimeInput extends RestoreOverrides {
  readonly SourceTableArn?: string
  readonly SourceTableName?: string
  readonly TargetTableName: string
  readonly UseLatestRestorableTime?: boolean
  /** In seconds. */
  readonly RestoreDateTime?: number
}

export interface ExportTableToPointInTimeInput {
  readonly TableArn: string
  readonly ExportTime?: number
  readonly ClientToken?: string
  readonly S3Bucket: string
  readonly S3BucketOwner?: string
  readonly S3Prefix?: string
  readonly S3SseAlgorithm?: 'AES256' | 'KMS'
  readonly S3SseKmsKeyId?: string
  readonly ExportFormat?: 'DYNAMODB_JSON' | 'ION'
  readonly ExportType?: 'FULL_EXPORT' | 'INCREMENTAL_EXPORT'
  readonly IncrementalExportSpecification?: {
    readonly ExportFromTime?: number
    readonly ExportToTime?: number
    readonly ExportViewType?: 'NEW_IMAGE' | 'NEW_AND_OLD_IMAGES'
  }
}

export interface DescribeExportInput {
  readonly ExportArn: string
}

export interface ListExportsInput {
  readonly TableArn?: string
  readonly MaxResults?: number
  readonly NextToken?: string
}

export interface ImportTableInput {
  readonly ClientToken?: string
  readonly S3BucketSource: S3BucketSourceInput
  readonly InputFormat: 'DYNAMODB_JSON' | 'ION' | 'CSV'
  readonly InputFormatOptions?: {
    readonly Csv?: { readonly Delimiter?: string; readonly HeaderList?: readonly string[] }
  }
  readonly InputCompressionType?: 'GZIP' | 'ZSTD' | 'NONE'
  readonly TableCreationParameters: TableCreationParametersInput
}

export interface S3BucketSourceInput {
  readonly S3BucketOwner?: string
  readonly S3Bucket: string
  readonly S3KeyPrefix?: string
}

export type TableCreationParametersInput = Pick<
  CreateTableInput,
  | 'TableName'
  | 'AttributeDefinitions'
  | 'KeySchema'
  | 'BillingMode'
  | 'ProvisionedThroughput'
  | 'OnDemandThroughput'
  | 'SSESpecification'
  | 'GlobalSecondaryIndexes'
  | 'VectorIndexes'
>

export interface DescribeImportInput {
  readonly ImportArn: string
}

export interface ListImportsInput {
  readonly TableArn?: string
  readonly PageSize?: number
  readonly NextToken?: string
}

export interface ExecuteStatementInput {
  readonly Statement: string
  readonly Parameters?: readonly RawAttributeValue[]
  readonly ConsistentRead?: boolean
  readonly Limit?: number
  readonly NextToken?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface BatchStatementRequestInput {
  readonly Statement: string
  readonly Parameters?: readonly RawAttributeValue[]
  readonly ConsistentRead?: boolean
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface BatchExecuteStatementInput {
  readonly Statements: readonly BatchStatementRequestInput[]
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface ParameterizedStatementInput {
  readonly Statement: string
  readonly Parameters?: readonly RawAttributeValue[]
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface ExecuteTransactionInput {
  readonly TransactStatements: readonly ParameterizedStatementInput[]
  readonly ClientRequestToken?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface DescribeContributorInsightsInput {
  readonly TableName: string
  readonly IndexName?: string
}

export interface UpdateContributorInsightsInput {
  readonly TableName: string
  readonly IndexName?: string
  readonly ContributorInsightsAction: 'ENABLE' | 'DISABLE'
  readonly ContributorInsightsMode?: 'ACCESSED_AND_THROTTLED_KEYS' | 'THROTTLED_KEYS'
}

export interface ListContributorInsightsInput {
  readonly TableName?: string
  readonly NextToken?: string
  readonly MaxResults?: number
}

export interface DescribeTableReplicaAutoScalingInput {
  readonly TableName: string
}

export interface UpdateTableReplicaAutoScalingInput {
  readonly TableName: string
  readonly ProvisionedWriteCapacityAutoScalingUpdate?: AutoScalingSettingsUpdateInput
  readonly GlobalSecondaryIndexUpdates?: readonly {
    readonly IndexName?: string
    readonly ProvisionedWriteCapacityAutoScalingUpdate?: AutoScalingSettingsUpdateInput
  }[]
  readonly ReplicaUpdates?: readonly {
    readonly RegionName: string
    readonly ReplicaProvisionedReadCapacityAutoScalingUpdate?: AutoScalingSettingsUpdateInput
    readonly ReplicaGlobalSecondaryIndexUpdates?: readonly {
      readonly IndexName?: string
      readonly ProvisionedReadCapacityAutoScalingUpdate?: AutoScalingSettingsUpdateInput
    }[]
  }[]
}

export interface AutoScalingSettingsUpdateInput {
  readonly MinimumUnits?: number
  readonly MaximumUnits?: number
  readonly AutoScalingDisabled?: boolean
  readonly AutoScalingRoleArn?: string
  readonly ScalingPolicyUpdate?: {
    readonly PolicyName?: string
    readonly TargetTrackingScalingPolicyConfiguration: {
      readonly DisableScaleIn?: boolean
      readonly ScaleInCooldown?: number
      readonly ScaleOutCooldown?: number
      readonly TargetValue: number
    }
  }
}
