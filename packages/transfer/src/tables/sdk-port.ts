import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { DatabasePort } from './database-port.ts'
import { fromSdk, toSdk } from './wire-values.ts'

export interface EndpointOptions {
  /** The address of a server; without one, AWS. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
}

/** Opens an endpoint through the AWS SDK, which is loaded on demand. Credentials come from where the SDK looks for
 *  them; a server other than AWS usually accepts any, and gets some if there are none. */
export async function openEndpoint(options: EndpointOptions): Promise<DatabasePort> {
  const sdk = await import('@aws-sdk/client-dynamodb').catch((cause: unknown) => {
    throw new Error('This needs the AWS SDK. Install it with: npm install @aws-sdk/client-dynamodb', { cause })
  })
  const { endpoint } = options
  const region = options.region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION']
  const config: DynamoDBClientConfig = {
    // A local server answers or does not; AWS may be slow for a while.
    maxAttempts: endpoint === undefined ? 10 : 3,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(region === undefined && endpoint !== undefined && { region: 'us-east-1' }),
    ...(endpoint !== undefined && !hasCredentials() && { credentials: localCredentials }),
  }
  const client = new sdk.DynamoDB(config)
  const others = new Map<string, typeof client>()
  const clientIn = (other: string): typeof client => {
    const known = others.get(other) ?? new sdk.DynamoDB({ ...config, region: other })
    others.set(other, known)
    return known
  }
  return {
    name: endpoint ?? `AWS${region === undefined ? '' : ` (${region})`}`,
    request: async (operation, input, asked) => {
      const name = operation.charAt(0).toLowerCase() + operation.slice(1)
      const asker = asked === undefined ? client : clientIn(asked)
      const method = (asker as never as Record<string, unknown>)[name]
      if (typeof method !== 'function') throw new Error(`The AWS SDK has no operation ${operation}.`)
      const answer: unknown = await (method.call(asker, toSdk(input)) as Promise<unknown>).catch(
        (error: unknown) => {
          throw explainEndpoint(error, endpoint)
        },
      )
      const { $metadata: _, ...rest } = fromSdk(answer) as Record<string, unknown>
      return rest
    },
    ...(endpoint !== undefined && { credentials: () => client.config.credentials() }),
    close: async () => {
      for (const one of [client, ...others.values()]) one.destroy()
    },
  }
}

/** Network errors name no address, or one that nobody typed. */
function explainEndpoint(error: unknown, endpoint: string | undefined): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : error.name
  if (unreachable.has(code)) {
    const message =
      endpoint === undefined
        ? `AWS does not answer (${error.message}). Check the region, and that this machine is online.`
        : `Nothing answers at ${endpoint} (${code}). Is the server running?`
    return new Error(message, { cause: error })
  }
  if (endpoint !== undefined && error instanceof SyntaxError) {
    return new Error(`The server at ${endpoint} does not have the DynamoDB API. Check the address.`, {
      cause: error,
    })
  }
  return error
}

const unreachable: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'TimeoutError',
])

const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' }

function hasCredentials(): boolean {
  return process.env['AWS_ACCESS_KEY_ID'] !== undefined || process.env['AWS_PROFILE'] !== undefined
}
