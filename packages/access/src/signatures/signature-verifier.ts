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
import { assertCurrent, readRequestTime } from './request-time.ts'
import { hmacSha256, sha256Hex } from './sha256.ts'
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
}

/** Verifies Signature Version 4 and 4A, in the service's order and with its refusals. */
export class SignatureVerifier {
  readonly #signingKeys = new SigningKeys()
  readonly #ecdsaKeys = new EcdsaKeys()
  /** The header of a client is the same up to its signature for all requests of a kind and a day. */
  readonly #lists = new Map<string, readonly string[]>()

  /** All that can be said without the secret. */
  claimOf(request: HttpRequest, service: string, nowMs: number): SignatureClaim {
    const presented = readPresentedSignature(request)
    const time = readRequestTime(presented)
    assertCurrent(time, presented, nowMs)
    const signedHeaders = this.#namesIn(presented.signedHeaders)
    if (!signedHeaders.includes('host')) {
      throw invalidSignature("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.")
    }
    const scope = readCredentialScope(presented, request, service, time.iso)
    const fields = canonicalFields(request)
    assertSigned(fields, signedHeaders)
    const securityToken = presented.query?.securityToken ?? request.amzSecurityToken
    return { presented, scope, service, isoTime: time.iso, signedHeaders, fields, securityToken }
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
            hmacSha256(
              this.#signingKeys.keyOf(secret, scope.accessKeyId, scope.date, scope.region, service),
              toSign,
            ),
            presented.signature,
          )
    if (!isRight) throw mismatch(canonical, toSign)
  }

  #namesIn(list: string): readonly string[] {
    const known = this.#lists.get(list)
    if (known !== undefined) return known
    const names = list.toLowerCase().split(';').toSorted()
    if (this.#lists.size >= 100) this.#lists.clear()
    this.#lists.set(list, names)
    return names
  }
}

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

function isSame(right: Buffer, presentedHex: string): boolean {
  if (presentedHex.length !== 64) return false
  const presented = Buffer.from(presentedHex, 'hex')
  return presented.length === right.length && timingSafeEqual(right, presented)
}

function mismatch(canonical: string, toSign: string): Error {
  return invalidSignature(
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.' +
      `\n\nThe Canonical String for this request should have been\n'${canonical}'\n\nThe String-to-Sign should have been\n'${toSign}'\n`,
  )
}
