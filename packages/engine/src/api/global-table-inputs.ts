/** The inputs of the operations on global tables of version 2017.11.29. */
export interface GlobalTableInputs {
  readonly CreateGlobalTable: CreateGlobalTableInput
  readonly UpdateGlobalTable: UpdateGlobalTableInput
  readonly DescribeGlobalTable: DescribeGlobalTableInput
  readonly ListGlobalTables: ListGlobalTablesInput
}

export interface CreateGlobalTableInput {
  readonly GlobalTableName: string
  readonly ReplicationGroup: readonly { readonly RegionName?: string }[]
}

export interface UpdateGlobalTableInput {
  readonly GlobalTableName: string
  readonly ReplicaUpdates: readonly {
    readonly Create?: { readonly RegionName: string }
    readonly Delete?: { readonly RegionName: string }
  }[]
}

export interface DescribeGlobalTableInput {
  readonly GlobalTableName: string
}

export interface ListGlobalTablesInput {
  readonly ExclusiveStartGlobalTableName?: string
  readonly Limit?: number
  readonly RegionName?: string
}
