import { timingSafeEqual } from 'node:crypto'
import {
  ecdsaAlgorithm,
  invalidSignature,
  readCredentialScope,
  readPresentedSignature,
  type CredentialScope,
  type HttpRequest,
  type PresentedSignature,
} from '@hashrange/server'
import { canonicalFields, canonicalRequest } from './canonical-request.ts'
import { EcdsaKeys } from './ecdsa-keys.ts'
import { assertCurrent, readRequestTime, type RequestTime } from './request-time.ts'
import { sha256Hex } from './sha256.ts'
import { SigningKeys } from './signing-keys.ts'

/** A signature whose form is right and whose time has come; what is left is whether the secret of its key has made it. */
export interface SignatureClaim {
  readonly presented: PresentedSignature
  readonly scope: CredentialScope
  readonly service: string
  readonly isoTime: string
  /** In lower case, sorted. */
  readonly signedHeaders: readonly string[]
  readonly fields: ReadonlyMap<string, string>
  readonly securityToken: string | undefined
  /** Whether its header was read for the first time. */
  readonly isNew: boolean
}

/** The part of a header that a client repeats with every request of a kind for a whole day, as it was read the first time. */
interface KnownStart {
  readonly service: string
  readonly algorithm: string
  readonly credential: string
  readonly listed: string
  readonly scope: CredentialScope
  readonly signedHeaders: readonly string[]
}

const mostKept = 1000
const beforeSignature = ', Signature='

/** Verifies Signature Version 4 and 4A, in the service's order and with its refusals. */
export class SignatureVerifier {
  readonly #signingKeys = new SigningKeys()
  readonly #ecdsaKeys = new EcdsaKeys()
  readonly #known = new Map<string, KnownStart>()
  /** Requests come many to a second, and the time of each is given in seconds. */
  #lastTime: RequestTime = { iso: '', ms: 0 }

  /** All that can be said without the secret. */
  claimOf(request: HttpRequest, service: string, nowMs: number): SignatureClaim {
    return this.#knownClaim(request, service, nowMs) ?? this.#newClaim(request, service, nowMs)
  }

  /** Throws unless `secret` has made the signature. */
  assertSignedWith(secret: string, request: HttpRequest, claim: SignatureClaim): void {
    const { presented, scope, service, isoTime } = claim
    const canonical = canonicalRequest(request, claim.fields, claim.signedHeaders, sha256Hex(request.body))
    const toSign = `${presented.algorithm}\n${isoTime}\n${scope.signedScope}\n${sha256Hex(canonical)}`
    const isRight =
      presented.algorithm === ecdsaAlgorithm
        ? this.#ecdsaKeys.isSignedBy(scope.accessKeyId, secret, toSign, presented.signature)
        : isSame(
            this.#signingKeys.keyOf(secret, scope.accessKeyId, scope.date, scope.region, service).hex(toSign),
            presented.signature,
          )
    if (!isRight) throw mismatch(canonical, toSign)
    if (claim.isNew) this.#remember(request, presented, claim)
  }

  #newClaim(request: HttpRequest, service: string, nowMs: number): SignatureClaim {
    const presented = readPresentedSignature(request)
    const time = readRequestTime(presented)
    assertCurrent(time, presented, nowMs)
    const signedHeaders = presented.signedHeaders.toLowerCase().split(';').toSorted()
    if (!signedHeaders.includes('host')) {
      throw invalidSignature("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.")
    }
    const scope = readCredentialScope(presented, request, service, time.iso)
    const fields = canonicalFields(request)
    assertSigned(fields, signedHeaders)
    const securityToken = presented.query?.securityToken ?? request.amzSecurityToken
    return { presented, scope, service, isoTime: time.iso, signedHeaders, fields, securityToken, isNew: true }
  }

  /** The same for a header whose start was read before, if it goes on with nothing but the signature and is of the same day. */
  #knownClaim(request: HttpRequest, service: string, nowMs: number): SignatureClaim | undefined {
    const { authorization, amzDate, target, amzSecurityToken: securityToken } = request
    if (authorization === undefined || amzDate === undefined || target !== '/') return undefined
    const end = authorization.lastIndexOf(beforeSignature)
    const known = this.#known.get(authorization.slice(0, end))
    if (known === undefined || known.service !== service || !amzDate.startsWith(known.scope.date)) return undefined
    if (amzDate !== this.#lastTime.iso) {
      const time = readRequestTime({ time: amzDate })
      if (time.iso !== amzDate) return undefined
      this.#lastTime = time
    }
    assertCurrent(this.#lastTime, noQuery, nowMs)
    const { algorithm, credential, listed, scope, signedHeaders } = known
    const fields = canonicalFields(request)
    assertSigned(fields, signedHeaders)
    const signature = authorization.slice(end + beforeSignature.length)
    const presented = { algorithm, credential, signedHeaders: listed, signature, time: amzDate }
    return { presented, scope, service, isoTime: amzDate, signedHeaders, fields, securityToken, isNew: false }
  }

  /** Only what was verified: strangers cannot crowd out those who are known. */
  #remember(
    { authorization = '' }: HttpRequest,
    { algorithm, credential, signedHeaders: listed, signature, query }: PresentedSignature,
    { service, scope, signedHeaders }: SignatureClaim,
  ): void {
    const end = authorization.lastIndexOf(beforeSignature)
    const isUsual = end > 0 && authorization.slice(end + beforeSignature.length) === signature
    // The region of version 4A stands elsewhere.
    if (query !== undefined || algorithm === ecdsaAlgorithm || !isUsual || end > 2048) return
    if (this.#known.size >= mostKept) this.#known.clear()
    this.#known.set(authorization.slice(0, end), { service, scope, signedHeaders, algorithm, credential, listed })
  }
}

const noQuery = { query: undefined }

/** What names the operation, the time or the session must be signed, or a stranger could change it on the way. */
function assertSigned(fields: ReadonlyMap<string, string>, signedHeaders: readonly string[]): void {
  for (const name of fields.keys()) {
    if (name.startsWith('x-amz-') && !signedHeaders.includes(name) && !unsigned.has(name)) {
      throw invalidSignature(`'${name}' must be a 'SignedHeader' in the AWS Authorization.`)
    }
  }
}

/** What SDKs and proxies add after a request was signed, and nothing here reads. */
const unsigned: ReadonlySet<string> = new Set(['x-amz-user-agent', 'x-amz-cf-id', 'x-amz-content-sha256'])

const rightBytes = Buffer.alloc(64)
const presentedBytes = Buffer.alloc(64)

/** How long it takes says nothing of how much of a signature is right. */
function isSame(rightHex: string, presentedHex: string): boolean {
  if (presentedHex.length !== 64) return false
  rightBytes.write(rightHex, 'latin1')
  presentedBytes.write(presentedHex, 'latin1')
  return timingSafeEqual(rightBytes, presentedBytes)
}

function mismatch(canonical: string, toSign: string): Error {
  return invalidSignature(
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.' +
      `\n\nThe Canonical String for this request should have been\n'${canonical}'\n\nThe String-to-Sign should have been\n'${toSign}'\n`,
  )
}
