import { ServiceError } from '@hashrange/core'
import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import { recordActivity } from './record-activity.ts'
import { provisionedThroughput, type ScalableResource } from './scalable-resource.ts'
import type { TargetName } from './scaling-records.ts'

export interface CapacityChange {
  readonly target: TargetName
  readonly resource: ScalableResource
  readonly capacity: number
  readonly cause: string
}

/** Sets what is provisioned, as a client would: DynamoDB's own rules hold, such as those on decreases. Tells of it among
 *  the target's activities, and answers whether it was done. */
export async function setCapacity(engine: Engine, scope: Scope, change: CapacityChange): Promise<boolean> {
  const { target, resource, capacity, cause } = change
  const current = provisionedThroughput(engine, scope, resource)
  if (current === undefined) return false
  const what = `${resource.units} capacity units to ${capacity}`
  const described = { ...target, description: `Setting ${what}.`, cause }
  const ProvisionedThroughput = {
    ReadCapacityUnits: resource.units === 'read' ? capacity : current.readUnits,
    WriteCapacityUnits: resource.units === 'write' ? capacity : current.writeUnits,
  }
  try {
    await engine.execute(scope, 'DynamoDB_20120810', 'UpdateTable', {
      TableName: resource.tableName,
      ...(resource.indexName === undefined
        ? { ProvisionedThroughput }
        : {
            GlobalSecondaryIndexUpdates: [{ Update: { IndexName: resource.indexName, ProvisionedThroughput } }],
          }),
    })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await recordActivity(engine, scope, {
      ...described,
      statusCode: 'Failed',
      statusMessage: `Failed to set ${what}. Reason: ${error.message} (Service: AmazonDynamoDBv2; Status Code: 400; Error Code: ${error.code})`,
    })
    return false
  }
  await recordActivity(engine, scope, {
    ...described,
    statusCode: 'Successful',
    statusMessage: `Successfully set ${what}. Change successfully fulfilled by dynamodb.`,
  })
  return true
}
