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
