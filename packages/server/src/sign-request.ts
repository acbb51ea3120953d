import { createHash, createHmac } from 'node:crypto'

/** What a request to another server is signed with. */
export interface SigningCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

export interface SignedPost {
  /** POST, unless it says otherwise. */
  readonly method?: string | undefined
  /** The names in its query are in order. */
  readonly url: URL
  /** Those of the service and the region that the request is for. */
  readonly service: string
  readonly region: string
  /** In small letters, without `host` and those that signing adds. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** The headers of a request that is signed with Signature Version 4. */
export function signPost(
  { accessKeyId, secretAccessKey, sessionToken }: SigningCredentials,
  { method = 'POST', url, service, region, headers: given, body }: SignedPost,
): Record<string, string> {
  const date = new Date().toISOString().replaceAll(/[:-]|\.\d{3}/g, '')
  const day = date.slice(0, 8)
  const headers: Record<string, string> = {
    ...given,
    host: url.host,
    'x-amz-date': date,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(headers).toSorted()
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
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

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
