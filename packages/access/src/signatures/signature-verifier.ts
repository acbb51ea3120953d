import { timingSafeEqual } from 'node:crypto'
import {
  ecdsaAlgorithm,
  hmacAlgorithm,
  invalidSignature,
  readCredentialScope,
  readPresentedSignature,
  type CredentialScope,
  type HttpRequest,
} from '@hashrange/server'
import { canonicalFields, canonicalRequest, fieldName } from './canonical-request.ts'
import { EcdsaKeys } from './ecdsa-keys.ts'
import { HeaderLayout } from './header-layout.ts'
import { assertCurrent, readRequestTime, type RequestTime } from './request-time.ts'
import { sha256Hex, type HmacKey } from './sha256.ts'
import { SigningKeys } from './signing-keys.ts'

/** A signature whose form is right and whose time has come; what is left is whether the secret of its key has made it. */
export interface SignatureClaim {
  readonly algorithm: string
  readonly signature: string
  readonly scope: CredentialScope
  readonly service: string
  readonly isoTime: string
  /** In lower case, sorted. */
  readonly signedHeaders: readonly string[]
  readonly securityToken: string | undefined
  /** If the start of its header was read before. */
  readonly known?: KnownStart | undefined
}

/** The part of a header that a client repeats with every request of a kind for a whole day, as it was read the first time. */
interface KnownStart {
  readonly start: string
  readonly service: string
  readonly scope: CredentialScope
  readonly signedHeaders: readonly string[]
  readonly layout: HeaderLayout
  /** The secret that has made its signature, and what was derived from it. */
  secret: string
  key: HmacKey
}

const mostKept = 1000
const beforeSignature = ', Signature='
const signatureLength = 64

/** Verifies Signature Version 4 and 4A, in the service's order and with its refusals. */
export class SignatureVerifier {
  readonly #signingKeys = new SigningKeys()
  readonly #ecdsaKeys = new EcdsaKeys()
  readonly #known = new Map<string, KnownStart>()
  #lastKnown: KnownStart | undefined
  /** Requests come many to a second, and the time of each is given in seconds. */
  #lastTime: RequestTime = { iso: '', ms: 0 }

  /** All that can be said without the secret. */
  claimOf(request: HttpRequest, service: string, nowMs: number): SignatureClaim {
    return this.#knownClaim(request, service, nowMs) ?? newClaim(request, service, nowMs)
  }

  /** Throws unless `secret` has made the signature. */
  assertSignedWith(secret: string, request: HttpRequest, claim: SignatureClaim): void {
    if (claim.known !== undefined && this.#isKnownSignature(secret, request, claim, claim.known)) return
    const { algorithm, signature, scope, signedHeaders } = claim
    const hash = sha256Hex(request.body)
    const canonical = canonicalRequest(request, canonicalFields(request), signedHeaders, hash, claim.service)
    const toSign = toBeSigned(claim, sha256Hex(canonical))
    const isRight =
      algorithm === ecdsaAlgorithm
        ? this.#ecdsaKeys.isSignedBy(scope.accessKeyId, secret, toSign, signature)
        : isSame(this.#keyOf(secret, claim).hex(toSign), signature)
    if (!isRight) throw mismatch(canonical, toSign)
    if (claim.known === undefined) this.#remember(secret, request, claim)
  }

  /** The same, for a header in a known layout. What it does not find right is looked at in full: the refusal says what was expected. */
  #isKnownSignature(secret: string, request: HttpRequest, claim: SignatureClaim, known: KnownStart): boolean {
    const hash = known.layout.hashOf(request.fields ?? [], sha256Hex(request.body))
    if (hash === undefined) return false
    if (known.secret !== secret) {
      known.key = this.#keyOf(secret, claim)
      known.secret = secret
    }
    return isSame(known.key.hex(toBeSigned(claim, hash)), claim.signature)
  }

  #keyOf(secret: string, { scope, service }: SignatureClaim): HmacKey {
    return this.#signingKeys.keyOf(secret, scope.accessKeyId, scope.date, scope.region, service)
  }

  /** For a header whose start was read before, if it goes on with nothing but the signature, is of the same day, and has the same fields beside it. */
  #knownClaim(request: HttpRequest, service: string, nowMs: number): SignatureClaim | undefined {
    const { method, authorization, amzDate, target, amzSecurityToken: securityToken } = request
    if (authorization === undefined || amzDate === undefined || target !== '/' || method !== 'POST')
      return undefined
    const end = authorization.length - signatureLength - beforeSignature.length
    const known = this.#findKnown(authorization, end)
    if (known === undefined || known.service !== service || !amzDate.startsWith(known.scope.date)) return undefined
    if (!known.layout.fits(request.fields)) return undefined
    if (amzDate !== this.#lastTime.iso) {
      const time = readRequestTime({ time: amzDate })
      if (time.iso !== amzDate) return undefined
      this.#lastTime = time
    }
    assertCurrent(this.#lastTime, noQuery, nowMs)
    const { scope, signedHeaders } = known
    const signature = authorization.slice(end + beforeSignature.length)
    return {
      algorithm: hmacAlgorithm,
      signature,
      scope,
      service,
      isoTime: amzDate,
      signedHeaders,
      securityToken,
      known,
    }
  }

  #findKnown(authorization: string, end: number): KnownStart | undefined {
    if (end <= 0 || !authorization.startsWith(beforeSignature, end)) return undefined
    const last = this.#lastKnown
    // To compare it with one is faster than to look it up, and requests of a client follow each other.
    if (last !== undefined && last.start.length === end && authorization.slice(0, end) === last.start) return last
    const known = this.#known.get(authorization.slice(0, end))
    if (known !== undefined) this.#lastKnown = known
    return known
  }

  /** Only what was verified: strangers cannot crowd out those who are known. */
  #remember(secret: string, request: HttpRequest, claim: SignatureClaim): void {
    const { authorization = '', target, method, fields = [], amzDate } = request
    const { algorithm, service, scope, signature, signedHeaders, isoTime } = claim
    const end = authorization.length - signatureLength - beforeSignature.length
    const start = authorization.slice(0, end)
    const isUsual = end > 0 && end <= 2048 && authorization === `${start}${beforeSignature}${signature}`
    // The region of version 4A stands elsewhere.
    if (!isUsual || algorithm !== hmacAlgorithm || target !== '/' || method !== 'POST' || amzDate !== isoTime)
      return
    const layout = HeaderLayout.of(fields, signedHeaders)
    if (layout === undefined) return
    if (this.#known.size >= mostKept) this.#known.clear()
    const key = this.#keyOf(secret, claim)
    const known = { start, service, scope, signedHeaders, layout, secret, key }
    this.#known.set(start, known)
    this.#lastKnown = known
  }
}

function newClaim(request: HttpRequest, service: string, nowMs: number): SignatureClaim {
  const presented = readPresentedSignature(request)
  const { algorithm, signature } = presented
  const time = readRequestTime(presented)
  assertCurrent(time, presented, nowMs)
  const signedHeaders = presented.signedHeaders.toLowerCase().split(';').toSorted()
  if (!signedHeaders.includes('host')) {
    throw invalidSignature("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.")
  }
  const scope = readCredentialScope(presented, request, service, time.iso)
  assertSigned(request, signedHeaders)
  const securityToken = presented.query?.securityToken ?? request.amzSecurityToken
  return { algorithm, signature, scope, service, isoTime: time.iso, signedHeaders, securityToken }
}

function toBeSigned({ algorithm, isoTime, scope }: SignatureClaim, hash: string): string {
  return `${algorithm}\n${isoTime}\n${scope.signedScope}\n${hash}`
}

const noQuery = { query: undefined }

/** What names the operation, the time or the session must be signed, or a stranger could change it on the way. */
function assertSigned({ fields = [] }: HttpRequest, signedHeaders: readonly string[]): void {
  for (const name of fields.map(fieldName)) {
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
