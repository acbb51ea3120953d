import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** A database for trying out a model. The checker gets one as an argument, so it knows no concrete database. */
export interface TrialDatabase {
  readonly client: DynamoDBClient
  close(): Promise<void>
}
