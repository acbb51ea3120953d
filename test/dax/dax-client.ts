import { createRequire } from 'node:module'
import type { DynamoDB } from '@aws-sdk/client-dynamodb'

/** AWS's client for DAX. It has DynamoDB's methods for items. */
export type DaxClient = Pick<
  DynamoDB,
  | 'getItem'
  | 'putItem'
  | 'updateItem'
  | 'deleteItem'
  | 'query'
  | 'scan'
  | 'batchGetItem'
  | 'batchWriteItem'
  | 'transactGetItems'
  | 'transactWriteItems'
> & { shutdown(): void }

const { Dax } = createRequire(import.meta.url)('@amazon-dax-sdk/client-dax') as {
  readonly Dax: new (config: object) => DaxClient
}

export function daxClient(
  endpoint: string | undefined,
  credentials = { accessKeyId: 'local', secretAccessKey: 'local' },
  more: object = {},
): DaxClient {
  return new Dax({ endpoint, region: 'us-east-1', credentials, requestTimeout: 30_000, maxRetries: 10, ...more })
}
