import type {
  CreateTableCommandInput,
  UpdateContinuousBackupsCommandInput,
  UpdateTimeToLiveCommandInput,
} from '@aws-sdk/client-dynamodb'
import type { ModelDescription, TableDescription } from '../description.ts'
import { createTableInput } from './create-table-inputs.ts'

export type SetUpRequest =
  | { readonly operation: 'CreateTable'; readonly input: CreateTableCommandInput }
  | { readonly operation: 'UpdateTimeToLive'; readonly input: UpdateTimeToLiveCommandInput }
  | { readonly operation: 'UpdateContinuousBackups'; readonly input: UpdateContinuousBackupsCommandInput }

/** All requests that make the tables of a model, in order. On AWS, wait for a table to be ACTIVE before those that follow its
 *  CreateTable. */
export function setUpRequests(description: ModelDescription): SetUpRequest[] {
  return description.tables.flatMap(requestsFor)
}

function requestsFor(table: TableDescription): SetUpRequest[] {
  const requests: SetUpRequest[] = [{ operation: 'CreateTable', input: createTableInput(table) }]
  if (table.ttlAttribute !== undefined) {
    const TimeToLiveSpecification = { Enabled: true, AttributeName: table.ttlAttribute }
    requests.push({ operation: 'UpdateTimeToLive', input: { TableName: table.name, TimeToLiveSpecification } })
  }
  if (table.pointInTimeRecovery === true) {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
    requests.push({
      operation: 'UpdateContinuousBackups',
      input: { TableName: table.name, PointInTimeRecoverySpecification },
    })
  }
  return requests
}
