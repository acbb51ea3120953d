import type { MaybePromise, Scope } from '@hashrange/engine'
import { accountIdOf } from './account-id.ts'
import type { HttpRequest } from './http/http-request.ts'
import { readCredentialScope, readPresentedSignature } from './presented-signature.ts'

/** Whose tables a request is about; throws the service's error if the request does not say. `service` is the name for
 *  which the request must be signed, DynamoDB's by default. Only a server that knows secrets ever has to wait for
 *  them. */
export type Authenticate = (request: HttpRequest, service?: string) => MaybePromise<Scope>

/** The account that AWS's own documentation uses, and the region that its tools use by default. */
export const sharedAccountId = '123456789012'
const sharedRegion = 'us-east-1'

/** Whether all clients have the same tables: `true` whatever their access key and region are, `keys` whatever their
 *  access key is. */
export type Sharing = boolean | 'keys'

const cachedScopes = 1000
const usualStart = 'AWS4-HMAC-SHA256 Credential='
const usualEnd = '/aws4_request'

/** Reads the scope from a Signature Version 4, in the header or in the query string. Signatures themselves are not
 *  verified, because no secrets are known here: every key gets its own tables in each region, unless they are
 *  shared. */
export function authenticateBySignature(options: {
  readonly shared: Sharing
}): (request: HttpRequest, service?: string) => Scope {
  // A client's header is the same up to the signed headers for a whole day.
  const scopes = new Map<string, Scope>()
  return (request, service = 'dynamodb') => {
    const { authorization } = request
    if (authorization === undefined) return scopeOf(request, service, options.shared)
    const end = authorization.indexOf(usualEnd)
    const prefix = end < 0 ? undefined : authorization.slice(0, end)
    const known = prefix === undefined ? undefined : scopes.get(prefix)
    if (known !== undefined && prefix?.endsWith(service) === true && isWhole(request, authorization, end))
      return known
    const scope = scopeOf(request, service, options.shared)
    if (prefix?.startsWith(usualStart) === true) {
      if (scopes.size >= cachedScopes) scopes.clear()
      scopes.set(prefix, scope)
    }
    return scope
  }
}

/** Whether a header whose credential is known also has its other parts, in the usual order. */
function isWhole(request: HttpRequest, authorization: string, credentialEnd: number): boolean {
  return (
    request.target === '/' &&
    (request.amzDate !== undefined || request.date !== undefined) &&
    authorization.startsWith(', SignedHeaders=', credentialEnd + usualEnd.length) &&
    authorization.includes(', Signature=', credentialEnd)
  )
}

function scopeOf(request: HttpRequest, service: string, shared: Sharing): Scope {
  const { accessKeyId, region } = readCredentialScope(readPresentedSignature(request), request, service)
  return scopeOfKey(accessKeyId, region, shared)
}

/** Whose tables a client with this access key, in this region, sees. */
export function scopeOfKey(accessKeyId: string, region: string, shared: Sharing): Scope {
  return {
    accountId: shared === false ? accountIdOf(accessKeyId) : sharedAccountId,
    region: shared === true ? sharedRegion : region,
  }
}
