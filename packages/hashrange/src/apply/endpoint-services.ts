import { restRequest } from '@hashrange/lambda'
import { signPost } from '@hashrange/server'
import type { ResourcePort } from '@hashrange/templates'
import type { DatabasePort } from '@hashrange/transfer'

/** The other services of a server, at the same address. */
const signingNames: Readonly<Record<string, string>> = {
  AnyScaleFrontendService: 'application-autoscaling',
  AWSGirApiService: 'lambda',
  GraniteServiceVersion20100801: 'monitoring',
  Kinesis_20131202: 'kinesis',
}

const timeoutMs = 60_000

/** Sends requests of all services to one server. */
export function endpointServices(endpoint: string, region: string, database: DatabasePort): ResourcePort {
  return {
    call: async (target, operation, input, asked = region) => {
      const service = signingNames[target]
      const credentials = await database.credentials?.()
      if (service === undefined || credentials === undefined) return database.request(operation, input, asked)
      const rest = service === 'lambda' ? restRequest(operation, input) : undefined
      const { method, target: path, body } = rest ?? { method: 'POST', target: '/', body: JSON.stringify(input) }
      const url = new URL(`${endpoint.replace(/\/$/, '')}${path}`)
      const response = await fetch(url, {
        method,
        headers: signPost(credentials, {
          method,
          url,
          service,
          region: asked,
          headers: {
            'content-type': rest === undefined ? 'application/x-amz-json-1.1' : 'application/json',
            ...(rest === undefined && { 'x-amz-target': `${target}.${operation}` }),
          },
          body,
        }),
        ...(body !== '' && { body }),
        // Credentials must not follow to somewhere else.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const answer = readJson(await response.text())
      if (response.ok) return answer ?? {}
      throw new RefusedRequest(response, answer)
    },
  }
}

/** The account that the tables belong to, if the server says so. */
export async function accountAt(
  endpoint: string,
  region: string,
  database: DatabasePort,
): Promise<string | undefined> {
  const credentials = await database.credentials?.()
  if (credentials === undefined) return undefined
  const url = new URL(endpoint)
  const body = 'Action=GetCallerIdentity&Version=2011-06-15'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const signed = signPost(credentials, { url, service: 'sts', region, headers, body })
  const asked = fetch(url, {
    method: 'POST',
    headers: signed,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  // Whoever has no such service is asked for tables all the same.
  const text = await asked.then((response) => response.text()).catch(() => '')
  return /<Account>(\d{12})<\/Account>/.exec(text)?.[1]
}

/** What the other server says. */
class RefusedRequest extends Error {
  readonly code: string

  constructor(response: Response, answer: Readonly<Record<string, unknown>> | undefined) {
    const type = response.headers.get('x-amzn-errortype') ?? answer?.['__type']
    const words = answer?.['message'] ?? answer?.['Message']
    super(typeof words === 'string' && words !== '' ? words : `HTTP status ${response.status}`)
    // A server that does not have the service answers in many ways.
    this.code = typeof type === 'string' ? (type.split('#').at(-1) ?? type) : 'UnknownOperationException'
  }
}

function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
