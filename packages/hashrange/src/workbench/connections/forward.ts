import { signPost } from '@hashrange/server'
import { ApiRefusal } from '../api-handler.ts'
import type { Connection } from './connection.ts'
import type { RemoteRoute } from './remote-route.ts'

export interface ForwardedOperation {
  readonly target: string
  readonly operation: string
  readonly region: string
  /** Whether it may be sent twice. */
  readonly isReading: boolean
  readonly body: unknown
}

/** An error of the other database, in its own words. */
export class RemoteError extends Error {
  readonly code: string
  readonly status: number
  /** All of it, as it came. */
  readonly members: Readonly<Record<string, unknown>>

  constructor(status: number, members: Readonly<Record<string, unknown>>) {
    const type = typeof members['__type'] === 'string' ? members['__type'] : 'UnknownError'
    const words = members['message'] ?? members['Message']
    super(typeof words === 'string' && words !== '' ? words : type)
    this.code = type.slice(type.indexOf('#') + 1)
    this.name = this.code
    // The page knows 401 and 403 as answers of its own server.
    this.status = status >= 500 ? 502 : 400
    this.members = members
  }
}

const timeoutMs = 70_000
/** The service returns at most 16 MB. */
const mostBytes = 40_000_000

/** Sends one operation to another database, and returns its answer as it came. Nothing else is passed on: what is not an
 *  answer of DynamoDB's API stays here. */
export async function forward(
  connection: Connection,
  route: RemoteRoute,
  sent: ForwardedOperation,
): Promise<Buffer> {
  const credentials = await route.credentials()
  const url = sent.target.startsWith('DynamoDBStreams') ? route.streamsUrl : route.url
  const body = JSON.stringify(sent.body)
  const ask = (): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: {
        ...signPost(credentials, {
          url,
          service: 'dynamodb',
          region: sent.region,
          headers: {
            'content-type': 'application/x-amz-json-1.0',
            'x-amz-target': `${sent.target}.${sent.operation}`,
          },
          body,
        }),
        'user-agent': 'hashrange-workbench',
      },
      body,
      // Neither credentials nor requests follow to somewhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
  let response: Response
  try {
    // A connection that was kept open may have been closed at the other end.
    response = sent.isReading ? await ask().catch(() => ask()) : await ask()
  } catch (error) {
    throw unreachable(connection, url, error)
  }
  const bytes = await readBody(response, connection)
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  if (response.ok && isJson) return bytes.length === 0 ? Buffer.from('{}') : bytes
  throw new RemoteError(response.status, membersOf(bytes, isJson) ?? notDynamoDb(connection, response.status))
}

async function readBody(response: Response, connection: Connection): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    const bytes: Uint8Array = chunk
    length += bytes.length
    if (length > mostBytes) {
      throw new ApiRefusal(502, 'ConnectionFailed', `${connection.name} sent an answer that is too large.`)
    }
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function membersOf(bytes: Buffer, isJson: boolean): Readonly<Record<string, unknown>> | undefined {
  if (!isJson) return undefined
  try {
    const parsed: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof parsed === 'object' && parsed !== null && '__type' in parsed ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

function notDynamoDb({ name }: Connection, status: number): Readonly<Record<string, unknown>> {
  return {
    __type: 'ConnectionFailed',
    message: `What answers at the address of ${name} does not have the DynamoDB API (status ${status}). Check the address of the connection.`,
  }
}

function unreachable({ name, kind }: Connection, url: URL, error: unknown): ApiRefusal {
  const { cause } = error instanceof Error ? error : {}
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer'
  const advice = kind === 'aws' ? 'Check the region, and that this machine is online.' : 'Is the server running?'
  return new ApiRefusal(502, 'ConnectionFailed', `${name} does not answer at ${url.origin} (${code}). ${advice}`)
}
