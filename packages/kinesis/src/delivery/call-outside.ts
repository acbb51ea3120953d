import { signPost } from '@hashrange/server'
import type { KinesisEndpoint } from '../kinesis.ts'

const timeoutMs = 30_000

/** Calls an operation of Kinesis at another endpoint, signed with Signature Version 4. An error has the name of the
 *  service's exception. */
export async function callOutside(
  endpoint: KinesisEndpoint,
  region: string,
  operation: string,
  input: object,
): Promise<Readonly<Record<string, unknown>>> {
  const url = new URL(endpoint.url)
  const body = JSON.stringify(input)
  const response = await fetch(url, {
    method: 'POST',
    headers: signPost(endpoint, {
      url,
      service: 'kinesis',
      region,
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Kinesis_20131202.${operation}` },
      body,
    }),
    body,
    // Credentials must not follow to somewhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  const answer = parsed(text)
  if (response.ok) return answer
  const type = textOrNothing(answer['__type']) ?? `HTTP status ${response.status}`
  const error = new Error(
    `${operation} failed: ${textOrNothing(answer['message']) ?? textOrNothing(answer['Message']) ?? type}`,
  )
  error.name = type.slice(type.indexOf('#') + 1)
  throw error
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
