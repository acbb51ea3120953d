import { createHash, createHmac } from 'node:crypto'
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
    headers: signed(endpoint, url, region, `Kinesis_20131202.${operation}`, body),
    body,
    // Credentials must not follow to somewhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  const answer = parsed(text)
  if (response.ok) return answer
  const type = textOf(answer['__type']) ?? `HTTP status ${response.status}`
  const error = new Error(`${operation} failed: ${textOf(answer['message']) ?? textOf(answer['Message']) ?? type}`)
  error.name = type.slice(type.indexOf('#') + 1)
  throw error
}

function textOf(value: unknown): string | undefined {
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

function signed(
  { accessKeyId, secretAccessKey, sessionToken }: KinesisEndpoint,
  { host, pathname }: URL,
  region: string,
  target: string,
  body: string,
): Record<string, string> {
  const date = new Date().toISOString().replaceAll(/[:-]|\.\d{3}/g, '')
  const day = date.slice(0, 8)
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.1',
    host,
    'x-amz-date': date,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
    'x-amz-target': target,
  }
  const names = Object.keys(headers).toSorted()
  const canonical = [
    'POST',
    pathname,
    '',
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n')
  const scope = `${day}/${region}/kinesis/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [day, region, 'kinesis', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  )
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  const { host: _, ...sent } = headers
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
