import type { AttributeValue, Item } from '@hashrange/core'

export type { AttributeValue, Item }
export type { Scope, ScopeInfo, SignedInAs, SignedInIdentity, WorkbenchInfo } from './answers/info.ts'

// The service's own shapes, as far as the page reads them. Times are seconds since 1970.

export interface KeySchemaElement {
  readonly AttributeName: string
  readonly KeyType: 'HASH' | 'RANGE'
}

export interface AttributeDefinition {
  readonly AttributeName: string
  readonly AttributeType: 'S' | 'N' | 'B'
}

export interface Projection {
  readonly ProjectionType?: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
  readonly NonKeyAttributes?: readonly string[]
}

export interface Throughput {
  readonly ReadCapacityUnits: number
  readonly WriteCapacityUnits: number
}

export interface OnDemandThroughput {
  readonly MaxReadRequestUnits?: number
  readonly MaxWriteRequestUnits?: number
}

export interface IndexDescription {
  readonly IndexName: string
  readonly KeySchema: readonly KeySchemaElement[]
  readonly Projection: Projection
  readonly IndexStatus?: string
  readonly Backfilling?: boolean
  readonly ItemCount?: number
  readonly IndexSizeBytes?: number
  readonly ProvisionedThroughput?: Throughput
}

export interface TableDescription {
  readonly TableName: string
  readonly TableArn: string
  readonly TableStatus: string
  readonly CreationDateTime: number
  readonly KeySchema: readonly KeySchemaElement[]
  readonly AttributeDefinitions: readonly AttributeDefinition[]
  readonly ItemCount: number
  readonly TableSizeBytes: number
  readonly ProvisionedThroughput?: Throughput
  readonly OnDemandThroughput?: OnDemandThroughput
  readonly BillingModeSummary?: { readonly BillingMode: 'PROVISIONED' | 'PAY_PER_REQUEST' }
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[]
  readonly LocalSecondaryIndexes?: readonly IndexDescription[]
  readonly Replicas?: readonly object[]
  readonly StreamSpecification?: { readonly StreamEnabled: boolean; readonly StreamViewType?: string }
  readonly LatestStreamArn?: string
  readonly DeletionProtectionEnabled?: boolean
  readonly TableClassSummary?: { readonly TableClass: string }
  readonly SSEDescription?: { readonly Status: string }
  readonly RestoreSummary?: { readonly RestoreInProgress: boolean; readonly RestoreDateTime: number }
}

export interface TimeToLive {
  readonly TimeToLiveStatus: 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED'
  readonly AttributeName?: string
}
