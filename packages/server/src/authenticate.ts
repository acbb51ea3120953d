import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { accountIdOf } from './account-id.ts'
import type { HttpRequest } from './http/http-request.ts'

/** Whose tables a request is about; throws the service's error if the request does not say. `service` is the name under
 *  which the request must be signed: DynamoDB's unless it is given. */
export type Authenticate = (request: HttpRequest, service?: string) => Scope

/** The account that AWS's own documentation uses. */
export const sharedAccountId = '123456789012'

const cachedScopes = 1000
const usualStart = 'AWS4-HMAC-SHA256 Credential='
const usualEnd = '/aws4_request'

/** Reads the scope out of a Signature Version 4, in the header or in the query string. Signatures themselves are not
 *  verified, because no secrets are known here: every key is welcome to its own tables.
 *  `shared` gives all keys one account; regions stay apart. */
export function authenticateBySignature(options: { readonly shared: boolean }): Authenticate {
  // A client's header is the same up to the signed headers for a whole day.
  const scopes = new Map<string, Scope>()
  return (request, service = 'dynamodb') => {
    const { authorization } = request
    if (authorization === undefined) return scopeOf(readQueryCredential(request), service, options.shared)
    const end = authorization.indexOf(usualEnd)
    const prefix = end < 0 ? undefined : authorization.slice(0, end)
    const known = prefix === undefined ? undefined : scopes.get(prefix)
    if (known !== undefined && prefix?.endsWith(service) === true && isWhole(request, authorization, end))
      return known
    const scope = scopeOf(readHeaderCredential(request, authorization), service, options.shared)
    if (prefix?.startsWith(usualStart) === true) {
      if (scopes.size >= cachedScopes) scopes.clear()
      scopes.set(prefix, scope)
    }
    return scope
  }
}

/** Whether a header whose credential is known has its other parts too, in the usual order and on the usual path. */
function isWhole(request: HttpRequest, authorization: string, credentialEnd: number): boolean {
  return (
    request.target === '/' &&
    (request.amzDate !== undefined || request.date !== undefined) &&
    authorization.startsWith(', SignedHeaders=', credentialEnd + usualEnd.length) &&
    authorization.includes(', Signature=', credentialEnd)
  )
}

function readHeaderCredential(request: HttpRequest, authorization: string): string {
  if (queryOf(request.target).has('X-Amz-Algorithm')) {
    throw new ServiceError(
      'InvalidSignatureException',
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
  if (!request.amzDate && !request.date) {
    missing += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
  }
  if (missing !== '') throw incompleteSignature(`${missing}Authorization=${authorization}`)
  checkAlgorithm(authorization.slice(0, authorization.search(/[ ,]/)))
  return parameters.get('Credential') ?? ''
}

function readQueryCredential(request: HttpRequest): string {
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
  checkAlgorithm(query.get('X-Amz-Algorithm') ?? '')
  return query.get('X-Amz-Credential') ?? ''
}

function checkAlgorithm(algorithm: string): void {
  if (algorithm === 'AWS4-HMAC-SHA256' || algorithm === 'AWS4-ECDSA-P256-SHA256') return
  throw incompleteSignature(`Unsupported AWS 'algorithm': '${algorithm}' (only AWS4-HMAC-SHA256 for now). `)
}

/** `key/date/region/service/aws4_request`. */
function scopeOf(credential: string, signingName: string, shared: boolean): Scope {
  const elements = withoutTrailingSlashes(credential).split('/')
  const [accessKeyId, , region, service, terminator] = elements
  if (elements.length !== 5 || accessKeyId === undefined || region === undefined) {
    throw incompleteSignature(
      `Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '${credential}'`,
    )
  }
  let wrong = ''
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(region))
    wrong += `Credential should be scoped to a valid region, not '${region}'. `
  if (service !== signingName) wrong += `Credential should be scoped to correct service: '${signingName}'. `
  if (terminator !== 'aws4_request') {
    wrong += `Credential should be scoped with a valid terminator: 'aws4_request', not '${terminator}'. `
  }
  if (wrong !== '') throw new ServiceError('InvalidSignatureException', wrong)
  if (accessKeyId === '') {
    throw new ServiceError('UnrecognizedClientException', 'The security token included in the request is invalid.')
  }
  return { accountId: shared ? sharedAccountId : accountIdOf(accessKeyId), region }
}

/** In linear time, which a pattern for it would not take. */
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

function incompleteSignature(message: string): ServiceError {
  return new ServiceError('IncompleteSignatureException', message)
}
