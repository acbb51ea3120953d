import type { HttpRequest } from '@hashrange/server'
import { canonicalFields, canonicalRequest } from '../signatures/canonical-request.ts'
import { basicIso } from '../signatures/request-time.ts'
import { sha256Hex } from '../signatures/sha256.ts'
import { SigningKeys } from '../signatures/signing-keys.ts'

export interface SigningOptions {
  readonly accessKeyId: string
  readonly secret: string
  readonly securityToken?: string
  readonly atMs: number
  readonly service?: string
  readonly region?: string
  readonly body?: string
  /** `X-Amz-Target`. */
  readonly operation?: string
  readonly fields?: readonly string[]
  readonly method?: string
  readonly target?: string
}

const keys = new SigningKeys()

/** A request that is signed as an SDK would. */
export function signedRequest(options: SigningOptions): HttpRequest {
  const { accessKeyId, secret, securityToken, atMs, service = 'dynamodb', region = 'eu-west-1' } = options
  const { body = '{}', operation, method = 'POST', target = '/', fields: more = [] } = options
  const amzDate = basicIso(atMs)
  const fields = [
    'Host: localhost:8000',
    'Content-Type: application/x-amz-json-1.0',
    `X-Amz-Date: ${amzDate}`,
    ...more,
  ]
  if (operation !== undefined) fields.push(`X-Amz-Target: ${operation}`)
  if (securityToken !== undefined) fields.push(`X-Amz-Security-Token: ${securityToken}`)
  const unsigned: HttpRequest = {
    method,
    target,
    body: Buffer.from(body),
    host: 'localhost:8000',
    contentType: 'application/x-amz-json-1.0',
    amzDate,
    amzTarget: operation,
    amzSecurityToken: securityToken,
    fields,
  }
  const names = [...canonicalFields(unsigned).keys()].toSorted()
  const canonical = canonicalRequest(unsigned, canonicalFields(unsigned), names, sha256Hex(unsigned.body), service)
  const date = amzDate.slice(0, 8)
  const scope = `${date}/${region}/${service}/aws4_request`
  const key = keys.keyOf(secret, accessKeyId, date, region, service)
  const toSign = `AWS4-HMAC-SHA256\n${amzDate}\n${scope}\n${sha256Hex(canonical)}`
  const signature = key.hex(toSign)
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...unsigned, authorization, fields: [...fields, `Authorization: ${authorization}`] }
}
