/** The inputs of operations on tables, as `readInput` returns them. */
export interface TableInputs {
  readonly CreateTable: CreateTableInput
  readonly UpdateTable: UpdateTableInput
  readonly DescribeTable: DescribeTableInput
  readonly DeleteTable: DeleteTableInput
  readonly ListTables: ListTablesInput
  readonly TagResource: TagResourceInput
  readonly UntagResource: UntagResourceInput
  readonly ListTagsOfResource: ListTagsOfResourceInput
  readonly UpdateTimeToLive: UpdateTimeToLiveInput
  readonly DescribeTimeToLive: DescribeTimeToLiveInput
  readonly PutResourcePolicy: PutResourcePolicyInput
  readonly GetResourcePolicy: GetResourcePolicyInput
  readonly DeleteResourcePolicy: DeleteResourcePolicyInput
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

/** The service checks tags with messages of its own, so that even their presence is not certain here. */
export interface TagInput {
  readonly Key?: string
  readonly Value?: string
}

/** Settings that a table has from the start and that can be changed later. */
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
  readonly VectorIndexes?: readonly VectorIndexInput[]
  readonly GlobalTableSourceArn?: string
}

export interface UpdateTableInput extends TableSettings {
  readonly TableName: string
  readonly AttributeDefinitions?: readonly AttributeDefinitionInput[]
  readonly GlobalSecondaryIndexUpdates?: readonly GlobalSecondaryIndexUpdateInput[]
  readonly ReplicaUpdates?: readonly ReplicaUpdateInput[]
  readonly MultiRegionConsistency?: 'EVENTUAL' | 'STRONG'
  readonly GlobalTableWitnessUpdates?: readonly WitnessUpdateInput[]
  readonly GlobalTableSettingsReplicationMode?: 'ENABLED' | 'DISABLED' | 'ENABLED_WITH_OVERRIDES'
  readonly VectorIndexUpdates?: readonly VectorIndexUpdateInput[]
}

export interface VectorIndexInput {
  readonly IndexName: string
  readonly VectorAttribute: { readonly AttributeName: string }
  readonly SearchSchema?: readonly {
    readonly AttributeName: string
    readonly SearchSchemaElementType: 'HASH' | 'INLINE_FILTER'
  }[]
  readonly Projection: ProjectionInput
  readonly Dimensions: number
  readonly DistanceFunction: 'COSINE' | 'DOT_PRODUCT' | 'EUCLIDEAN'
}

export interface VectorIndexUpdateInput {
  readonly Create?: VectorIndexInput
  readonly Delete?: { readonly IndexName: string }
}

export interface ReplicaUpdateInput {
  readonly Create?: CreateReplicaInput
  readonly Update?: UpdateReplicaInput
  readonly Delete?: { readonly RegionName: string }
}

export interface WitnessUpdateInput {
  readonly Create?: { readonly RegionName: string }
  readonly Delete?: { readonly RegionName: string }
}

interface ReadThroughputOverrides {
  readonly ProvisionedThroughputOverride?: { readonly ReadCapacityUnits?: number }
  readonly OnDemandThroughputOverride?: { readonly MaxReadRequestUnits?: number }
}

export interface CreateReplicaInput extends ReadThroughputOverrides {
  readonly RegionName: string
  readonly KMSMasterKeyId?: string
  readonly GlobalSecondaryIndexes?: readonly ReplicaIndexInput[]
  readonly TableClassOverride?: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'
}

export type UpdateReplicaInput = CreateReplicaInput

export interface ReplicaIndexInput extends ReadThroughputOverrides {
  readonly IndexName: string
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

export interface UpdateTimeToLiveInput {
  readonly TableName: string
  readonly TimeToLiveSpecification: { readonly Enabled: boolean; readonly AttributeName: string }
}

export interface DescribeTimeToLiveInput {
  readonly TableName: string
}

export interface PutResourcePolicyInput {
  readonly ResourceArn: string
  readonly Policy: string
  readonly ExpectedRevisionId?: string
  readonly ConfirmRemoveSelfResourceAccess?: boolean
}

export interface GetResourcePolicyInput {
  readonly ResourceArn: string
}

export interface DeleteResourcePolicyInput {
  readonly ResourceArn: string
  readonly ExpectedRevisionId?: string
}
