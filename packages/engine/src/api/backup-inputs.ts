import type {
  BillingMode,
  GlobalSecondaryIndexInput,
  LocalSecondaryIndexInput,
  OnDemandThroughputInput,
  ProvisionedThroughputInput,
  SSESpecificationInput,
  VectorIndexInput,
} from './table-inputs.ts'

/** The inputs of operations on backups and restores, as `readInput` returns them. */
export interface BackupInputs {
  readonly UpdateContinuousBackups: UpdateContinuousBackupsInput
  readonly DescribeContinuousBackups: DescribeContinuousBackupsInput
  readonly CreateBackup: CreateBackupInput
  readonly DescribeBackup: DescribeBackupInput
  readonly DeleteBackup: DeleteBackupInput
  readonly ListBackups: ListBackupsInput
  readonly RestoreTableFromBackup: RestoreTableFromBackupInput
  readonly RestoreTableToPointInTime: RestoreTableToPointInTimeInput
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
  readonly VectorIndexOverride?: readonly VectorIndexInput[]
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
