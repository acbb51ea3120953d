import type { HttpHandler, HttpRequest } from '@hashrange/server'

/** A request as the AWS SDK v3 passes it to its handler. */
export interface SdkHttpRequest {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[] | null>> | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface SdkHttpResponse {
  statusCode: number
  headers: Record<string, string>
  body: Uint8Array
}

interface HandleOptions {
  readonly abortSignal?: { readonly aborted: boolean } | undefined
}

/** The SDK's transport, turned inwards: what it would send is dispatched here, by the same code that serves HTTP. */
export class InProcessHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' }
  readonly #dispatch: HttpHandler

  constructor(dispatch: HttpHandler) {
    this.#dispatch = dispatch
  }

  async handle(request: SdkHttpRequest, options: HandleOptions = {}): Promise<{ response: SdkHttpResponse }> {
    if (options.abortSignal?.aborted === true) throw abortError()
    const { status, headers, body } = await this.#dispatch(toHttpRequest(request))
    return {
      response: {
        statusCode: status,
        headers: lowerCased(headers),
        // Its own view: the SDK changes the prototype of what it gets.
        body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength),
      },
    }
  }

  /** The SDK's connection settings mean nothing here. */
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): Record<string, never> {
    return {}
  }

  /** Destroying a client leaves the database open: others may use it. */
  destroy(): void {}
}

function toHttpRequest(request: SdkHttpRequest): HttpRequest {
  const { method, path, headers } = request
  const known: { -readonly [name in keyof HttpRequest]?: string | undefined } = {}
  const fields: string[] = []
  for (const name in headers) {
    const value = headers[name] ?? ''
    const member = members.get(name.toLowerCase())
    if (member !== undefined) known[member] = value
    fields.push(`${name}: ${value}`)
  }
  const { contentType, amzTarget, authorization, amzDate, amzSecurityToken, host } = known
  const signature = { authorization, amzDate, amzSecurityToken, host, fields }
  return {
    method,
    target: path + queryOf(request),
    contentType,
    amzTarget,
    body: toBuffer(request.body),
    ...signature,
  }
}

/** DynamoDB has no queries. */
function queryOf({ query }: SdkHttpRequest): string {
  const parameters = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((one): [string, string] => [name, String(one)]),
  )
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`
}

/** The header fields that something reads. */
const members: ReadonlyMap<string, SignedMember> = new Map([
  ['authorization', 'authorization'],
  ['content-type', 'contentType'],
  ['host', 'host'],
  ['x-amz-date', 'amzDate'],
  ['x-amz-security-token', 'amzSecurityToken'],
  ['x-amz-target', 'amzTarget'],
])

type SignedMember = 'amzDate' | 'amzSecurityToken' | 'amzTarget' | 'authorization' | 'contentType' | 'host'

function toBuffer(body: unknown): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (body === undefined || body === null) return Buffer.alloc(0)
  throw new TypeError('The body of a DynamoDB request is a string or bytes.')
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  const lower: Record<string, string> = {}
  for (const name in headers) lower[name.toLowerCase()] = headers[name] ?? ''
  return lower
}

function abortError(): Error {
  const error = new Error('Request aborted')
  error.name = 'AbortError'
  return error
}
