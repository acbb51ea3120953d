import { ServiceError } from '@hashrange/core'
import type { HttpRequest } from './http/http-request.ts'

/** What a request says about its signature: Signature Version 4 or 4A, in the header or in the query string. Nothing
 *  is verified yet. */
export interface PresentedSignature {
  readonly algorithm: string
  readonly credential: string
  /** Names with semicolons between them. */
  readonly signedHeaders: string
  readonly signature: string
  /** `X-Amz-Date`, or `Date` in HTTP's format. */
  readonly time: string
  /** Of a query string, which may be valid for longer than a header. */
  readonly query?: { readonly expires: string | null; readonly securityToken: string | null } | undefined
}

/** What the credential of a signature names. */
export interface CredentialScope {
  readonly accessKeyId: string
  /** `YYYYMMDD`. */
  readonly date: string
  /** Version 4A names a set of regions instead; the first is used. */
  readonly region: string
  /** All but the access key, as it is signed. */
  readonly signedScope: string
}

export const hmacAlgorithm = 'AWS4-HMAC-SHA256'
export const ecdsaAlgorithm = 'AWS4-ECDSA-P256-SHA256'

/** Throws the service's error for a request without a signature, or without some of its parts. */
export function readPresentedSignature(request: HttpRequest): PresentedSignature {
  const { authorization } = request
  return authorization === undefined ? readQuery(request) : readHeader(request, authorization)
}

function readHeader(request: HttpRequest, authorization: string): PresentedSignature {
  if (request.target !== '/' && queryOf(request.target).has('X-Amz-Algorithm')) {
    throw invalidSignature(
      "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
    )
  }
  if (!authorization.startsWith('AWS4-')) throw missingToken()
  const parameters = new Map<string, string>()
  for (const part of authorization.split(/[ ,]+/).slice(1)) {
    const equals = part.indexOf('=')
    if (equals > 0) parameters.set(part.slice(0, equals), part.slice(equals + 1))
  }
  let missing = ''
  for (const name of ['Credential', 'Signature', 'SignedHeaders']) {
    if (!parameters.get(name)) missing += `Authorization header requires '${name}' parameter. `
  }
  const time = request.amzDate || request.date
  if (!time) missing += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
  if (missing !== '') throw incompleteSignature(`${missing}Authorization=${authorization}`)
  return {
    algorithm: authorization.slice(0, authorization.search(/[ ,]/)),
    credential: parameters.get('Credential') ?? '',
    signedHeaders: parameters.get('SignedHeaders') ?? '',
    signature: parameters.get('Signature') ?? '',
    time: time ?? '',
  }
}

function readQuery(request: HttpRequest): PresentedSignature {
  const query = queryOf(request.target)
  if (!query.has('X-Amz-Algorithm')) throw missingToken()
  let missing = ''
  for (const name of [
    'X-Amz-Algorithm',
    'X-Amz-Credential',
    'X-Amz-Signature',
    'X-Amz-SignedHeaders',
    'X-Amz-Date',
  ]) {
    if (!query.get(name)) missing += `AWS query-string parameters must include '${name}'. `
  }
  if (missing !== '') throw incompleteSignature(`${missing}Re-examine the query-string parameters.`)
  return {
    algorithm: query.get('X-Amz-Algorithm') ?? '',
    credential: query.get('X-Amz-Credential') ?? '',
    signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
    signature: query.get('X-Amz-Signature') ?? '',
    time: query.get('X-Amz-Date') ?? '',
    query: { expires: query.get('X-Amz-Expires'), securityToken: query.get('X-Amz-Security-Token') },
  }
}

/** `key/date/region/service/aws4_request`, or without the region in version 4A. `isoTime` is the time of the request,
 *  whose day must be the credential's; without it the day is not checked. */
export function readCredentialScope(
  { algorithm, credential }: PresentedSignature,
  request: HttpRequest,
  signingName: string,
  isoTime?: string,
): CredentialScope {
  const isEcdsa = algorithm === ecdsaAlgorithm
  if (!isEcdsa && algorithm !== hmacAlgorithm) {
    throw incompleteSignature(`Unsupported AWS 'algorithm': '${algorithm}' (only AWS4-HMAC-SHA256 for now). `)
  }
  const elements = withoutTrailingSlashes(credential).split('/')
  if (isEcdsa) elements.splice(2, 0, regionOfSet(request))
  const [accessKeyId, date, region, service, terminator] = elements
  if (elements.length !== 5 || accessKeyId === undefined || date === undefined || region === undefined) {
    throw incompleteSignature(
      `Credential must have exactly ${isEcdsa ? 4 : 5} slash-delimited elements, e.g. keyid/date/${isEcdsa ? '' : 'region/'}service/term, got '${credential}'`,
    )
  }
  let wrong = ''
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(region))
    wrong += `Credential should be scoped to a valid region, not '${region}'. `
  if (service !== signingName) wrong += `Credential should be scoped to correct service: '${signingName}'. `
  if (terminator !== 'aws4_request') {
    wrong += `Credential should be scoped with a valid terminator: 'aws4_request', not '${terminator}'. `
  }
  if (isoTime !== undefined && date !== isoTime.slice(0, 8)) {
    wrong += `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${date}' != '${isoTime.slice(0, 8)}', from '${isoTime}'.`
  }
  if (wrong !== '') throw invalidSignature(wrong)
  if (accessKeyId === '') throw unrecognizedClient()
  const signedScope = isEcdsa ? `${date}/${service}/${terminator}` : `${date}/${region}/${service}/${terminator}`
  return { accessKeyId, date, region, signedScope }
}

/** `X-Amz-Region-Set` names regions, or patterns of them. One server serves all regions: it uses the first. */
function regionOfSet(request: HttpRequest): string {
  const set =
    request.amzRegionSet ??
    (request.target === '/' ? undefined : queryOf(request.target).get('X-Amz-Region-Set')) ??
    ''
  const named = set.split(',').map((region) => region.trim())
  return named.find((region) => region !== '' && !region.includes('*')) ?? 'us-east-1'
}

/** In linear time, which a regular expression would not take. */
function withoutTrailingSlashes(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '/') end--
  return text.slice(0, end)
}

function queryOf(target: string): URLSearchParams {
  const start = target.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : target.slice(start + 1))
}

function missingToken(): ServiceError {
  return new ServiceError('MissingAuthenticationTokenException', 'Request is missing Authentication Token')
}

export function unrecognizedClient(): ServiceError {
  return new ServiceError('UnrecognizedClientException', 'The security token included in the request is invalid.')
}

export function invalidSignature(message: string): ServiceError {
  return new ServiceError('InvalidSignatureException', message)
}

export function incompleteSignature(message: string): ServiceError {
  return new ServiceError('IncompleteSignatureException', message)
}
