import { hmacSha256, sha256 } from './sha256.ts'

export interface SigningKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials; empty if there is none. */
  readonly sessionToken: string
}

export interface UnsignedRequest {
  /** Without a query, and without characters that would have to be encoded. */
  readonly path: string
  readonly body: string
  readonly host: string
  readonly service: string
  readonly region: string
  readonly atMs: number
}

/** Signature Version 4 of a POST: the header fields to send with it. */
export function signRequest(
  { accessKeyId, secretAccessKey, sessionToken }: SigningKey,
  { path, body, host, service, region, atMs }: UnsignedRequest,
): Readonly<Record<string, string>> {
  const time = `${new Date(atMs).toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`
  const date = time.slice(0, 8)
  const fields: readonly (readonly [string, string])[] = [
    ['host', host],
    ['x-amz-date', time],
    ...(sessionToken === '' ? [] : [['x-amz-security-token', sessionToken] as const]),
  ]
  const names = fields.map(([name]) => name).join(';')
  const canonical = [
    'POST',
    path,
    '',
    ...fields.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    hex(sha256(bytes(body))),
  ].join('\n')
  const scope = `${date}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hex(sha256(bytes(canonical)))].join('\n')
  const key = [date, region, service, 'aws4_request'].reduce(
    (secret, part) => hmacSha256(secret, bytes(part)),
    bytes(`AWS4${secretAccessKey}`),
  )
  const signature = hex(hmacSha256(key, bytes(toSign)))
  return {
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    ...Object.fromEntries(fields.filter(([name]) => name !== 'host')),
  }
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function hex(digest: Uint8Array): string {
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
