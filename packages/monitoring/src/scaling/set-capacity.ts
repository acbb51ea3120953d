import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { recordActivity } from './record-activity.ts'
import { provisionedThroughput, type ScalableResource } from '../resources/scalable-resource.ts'
import type { TargetName } from '../records/scaling-records.ts'
import type { Monitoring } from '../monitoring.ts'

export interface CapacityChange {
  readonly target: TargetName
  readonly resource: ScalableResource
  readonly capacity: number
  readonly cause: string
}

/** Sets the provisioned capacity, as a client would: DynamoDB's own rules apply, such as those on decreases. Records
 *  it among the target's activities, and returns whether it was done. */
export async function setCapacity(monitoring: Monitoring, scope: Scope, change: CapacityChange): Promise<boolean> {
  const { target, resource, capacity, cause } = change
  const current = provisionedThroughput(monitoring, scope, resource)
  if (current === undefined) return false
  const what = `${resource.units} capacity units to ${capacity}`
  const described = { ...target, description: `Setting ${what}.`, cause }
  const ProvisionedThroughput = {
    ReadCapacityUnits: resource.units === 'read' ? capacity : current.readUnits,
    WriteCapacityUnits: resource.units === 'write' ? capacity : current.writeUnits,
  }
  try {
    await monitoring.execute(scope, 'DynamoDB_20120810', 'UpdateTable', {
      TableName: resource.tableName,
      ...(resource.indexName === undefined
        ? { ProvisionedThroughput }
        : {
            GlobalSecondaryIndexUpdates: [{ Update: { IndexName: resource.indexName, ProvisionedThroughput } }],
          }),
    })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await recordActivity(monitoring, scope, {
      ...described,
      statusCode: 'Failed',
      statusMessage: `Failed to set ${what}. Reason: ${error.message} (Service: AmazonDynamoDBv2; Status Code: 400; Error Code: ${error.code})`,
    })
    return false
  }
  await recordActivity(monitoring, scope, {
    ...described,
    statusCode: 'Successful',
    statusMessage: `Successfully set ${what}. Change successfully fulfilled by dynamodb.`,
  })
  return true
}
