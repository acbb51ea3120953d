import { valueAt } from '../transform/input-template.ts'
import type { ApiDestinationRecord, ConnectionParameter, ConnectionRecord } from './destination-record.ts'
import type { HttpCall } from './http-caller.ts'

/** What a pipe adds to the requests to its target. A value that begins with `$` stands for a value of the event. */
export interface HttpParameters {
  readonly PathParameterValues?: readonly string[]
  readonly HeaderParameters?: Readonly<Record<string, string>>
  readonly QueryStringParameters?: Readonly<Record<string, string>>
}

/** Fields that belong to the connection between the two machines. */
const notOurs = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'te', 'trailer', 'upgrade'])
const bodiless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The request that takes one event to an API destination. What the connection says comes last, so that nothing in an
 *  event can replace it. */
export function httpCallOf(
  destination: ApiDestinationRecord,
  connection: ConnectionRecord,
  parameters: HttpParameters,
  event: unknown,
  input: unknown,
  token?: string,
): HttpCall {
  const { InvocationHttpParameters: own = {} } = connection.authParameters
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Amazon/EventBridge/ApiDestinations',
  }
  const set = ([name, value]: readonly [string, string]): void => {
    const key = name.toLowerCase()
    // Values of events may be anything; a header field is one line of ASCII.
    if (!notOurs.has(key) && /^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(key))
      headers[key] = value.replaceAll(/[^\t\x20-\x7e]/g, ' ')
  }
  for (const pair of resolved(parameters.HeaderParameters, event)) set(pair)
  for (const pair of pairsOf(own.HeaderParameters)) set(pair)
  for (const pair of authorization(connection)) set(pair)
  if (token !== undefined) set(['authorization', token])
  const method = destination.method
  return {
    method,
    url: urlOf(destination.endpoint, parameters, pairsOf(own.QueryStringParameters), event),
    headers,
    body: bodiless.has(method) ? '' : bodyOf(input, pairsOf(own.BodyParameters)),
  }
}

function authorization({ authParameters }: ConnectionRecord): readonly (readonly [string, string])[] {
  const { BasicAuthParameters: basic, ApiKeyAuthParameters: key } = authParameters
  if (key !== undefined) return [[key.ApiKeyName, key.ApiKeyValue]]
  if (basic === undefined) return []
  return [['authorization', `Basic ${Buffer.from(`${basic.Username}:${basic.Password}`).toString('base64')}`]]
}

function urlOf(
  endpoint: string,
  { PathParameterValues = [], QueryStringParameters }: HttpParameters,
  own: readonly (readonly [string, string])[],
  event: unknown,
): string {
  const values = PathParameterValues.map((value) => encodeURIComponent(valueText(value, event)))
  let used = 0
  const url = new URL(endpoint.replaceAll('*', () => values[used++] ?? ''))
  for (const [name, value] of [...resolved(QueryStringParameters, event), ...own]) url.searchParams.set(name, value)
  return url.href
}

function bodyOf(input: unknown, own: readonly (readonly [string, string])[]): string {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  if (isObject && own.length > 0) return JSON.stringify({ ...input, ...Object.fromEntries(own) })
  return typeof input === 'string' ? input : JSON.stringify(input ?? {})
}

function resolved(
  parameters: Readonly<Record<string, string>> = {},
  event: unknown,
): readonly (readonly [string, string])[] {
  return Object.entries(parameters).map(([name, value]) => [valueText(name, event), valueText(value, event)])
}

function valueText(value: string, event: unknown): string {
  if (!value.startsWith('$')) return value
  const found = valueAt(event, value)
  return typeof found === 'string' ? found : found === undefined ? '' : JSON.stringify(found)
}

export function pairsOf(parameters: readonly ConnectionParameter[] = []): readonly (readonly [string, string])[] {
  return parameters.map(({ Key = '', Value = '' }) => [Key, Value])
}
