import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** A database in which to try a model. The checker is given one, so that it knows of no concrete database. */
export interface TrialDatabase {
  readonly client: DynamoDBClient
  close(): Promise<void>
}
