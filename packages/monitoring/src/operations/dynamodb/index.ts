import type { ServiceOperation } from '@hashrange/engine'
import type { DynamodbOperation } from '../../api/operations.ts'
import type { Monitoring } from '../../monitoring.ts'
import { describeContributorInsights } from './describe-contributor-insights.ts'
import { describeGlobalTableSettings } from './describe-global-table-settings.ts'
import { describeTableReplicaAutoScaling } from './describe-table-replica-auto-scaling.ts'
import { listContributorInsights } from './list-contributor-insights.ts'
import { updateContributorInsights } from './update-contributor-insights.ts'
import { updateGlobalTableSettings } from './update-global-table-settings.ts'
import { updateTableReplicaAutoScaling } from './update-table-replica-auto-scaling.ts'

export const dynamodb: Readonly<Record<DynamodbOperation, ServiceOperation<Monitoring>>> = {
  DescribeContributorInsights: describeContributorInsights,
  DescribeGlobalTableSettings: describeGlobalTableSettings,
  DescribeTableReplicaAutoScaling: describeTableReplicaAutoScaling,
  ListContributorInsights: listContributorInsights,
  UpdateContributorInsights: updateContributorInsights,
  UpdateGlobalTableSettings: updateGlobalTableSettings,
  UpdateTableReplicaAutoScaling: updateTableReplicaAutoScaling,
}
