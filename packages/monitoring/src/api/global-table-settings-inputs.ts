import type { AutoScalingSettingsUpdateInput } from './replica-auto-scaling-inputs.ts'

export interface DescribeGlobalTableSettingsInput {
  readonly GlobalTableName: string
}

export interface UpdateGlobalTableSettingsInput {
  readonly GlobalTableName: string
  readonly GlobalTableBillingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST'
  readonly GlobalTableProvisionedWriteCapacityUnits?: number
  readonly GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate?: AutoScalingSettingsUpdateInput
  readonly GlobalTableGlobalSecondaryIndexSettingsUpdate?: readonly {
    readonly IndexName: string
    readonly ProvisionedWriteCapacityUnits?: number
    readonly ProvisionedWriteCapacityAutoScalingSettingsUpdate?: AutoScalingSettingsUpdateInput
  }[]
  readonly ReplicaSettingsUpdate?: readonly ReplicaSettingsUpdateInput[]
}

export interface ReplicaSettingsUpdateInput {
  readonly RegionName: string
  readonly ReplicaProvisionedReadCapacityUnits?: number
  readonly ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate?: AutoScalingSettingsUpdateInput
  readonly ReplicaGlobalSecondaryIndexSettingsUpdate?: readonly {
    readonly IndexName: string
    readonly ProvisionedReadCapacityUnits?: number
    readonly ProvisionedReadCapacityAutoScalingSettingsUpdate?: AutoScalingSettingsUpdateInput
  }[]
  readonly ReplicaTableClass?: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'
}
