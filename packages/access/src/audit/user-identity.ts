import type { Scope } from '@hashrange/engine'
import type { HttpRequest } from '@hashrange/server'

/** Who has made a call, as CloudTrail tells it. */
export interface UserIdentity {
  /** `Unknown` is whoever has not proved who they are: all callers of an open server. `Operator` is not CloudTrail's: it is whoever has shown a token of the
   *  server. */
  readonly type: 'Root' | 'IAMUser' | 'AssumedRole' | 'Operator' | 'Unknown'
  readonly principalId?: string | undefined
  readonly arn?: string | undefined
  readonly accountId?: string | undefined
  readonly accessKeyId?: string | undefined
  readonly userName?: string | undefined
  readonly sessionContext?: unknown
  /** Of a bearer token. */
  readonly credentialId?: string | undefined
}

/** Whoever a request says that it is from. Nothing has been verified. */
export function claimedIdentity(request: HttpRequest, scope: Scope | undefined): UserIdentity {
  const accessKeyId = claimedKey(request)
  return {
    type: 'Unknown',
    ...(accessKeyId !== undefined && { principalId: accessKeyId }),
    ...(scope !== undefined && { accountId: scope.accountId }),
    ...(accessKeyId !== undefined && { accessKeyId }),
  }
}

/** The access key in the header or in the query string of a signature. A key is no secret; what is no key is not repeated. */
function claimedKey({ authorization, target }: HttpRequest): string | undefined {
  const inHeader = /^AWS4-[A-Z0-9-]+\s+(?:.*,\s*)?Credential=([\w.-]{1,128})\//.exec(
    authorization?.slice(0, 4096) ?? '',
  )
  const inQuery = /[?&]X-Amz-Credential=([\w.-]{1,128})(?:\/|%2F)/i.exec(target.slice(0, 4096))
  return inHeader?.[1] ?? inQuery?.[1]
}
