import type { DynamoDB, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { loadSdk } from '../load-sdk.ts'
import { Mistake } from '../mistake.ts'

/** The SDK's client for a place: the address of a server, or aws. A server other than AWS usually accepts any credentials, and gets
 *  some if there are none. */
export function openClient(endpoint: string, region: string | undefined): DynamoDB {
  if (endpoint !== 'aws' && !/^https?:\/\//.test(endpoint))
    throw new Mistake(`"${endpoint}" is not a place. Give an address such as http://127.0.0.1:8000, or aws.`)
  const isAws = endpoint === 'aws'
  const where = region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION']
  const hasKeys = process.env['AWS_ACCESS_KEY_ID'] !== undefined || process.env['AWS_PROFILE'] !== undefined
  const config: DynamoDBClientConfig = {
    maxAttempts: isAws ? 10 : 3,
    ...(!isAws && { endpoint, region: where ?? 'us-east-1' }),
    ...(isAws && where !== undefined && { region: where }),
    ...(!isAws && !hasKeys && { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
  }
  const client = new (loadSdk().DynamoDB)(config)
  // It copies every request and response for a log that nobody reads.
  client.middlewareStack.remove('loggerMiddleware')
  return client
}
