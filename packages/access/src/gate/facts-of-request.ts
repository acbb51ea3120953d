import type { HttpRequest } from '@hashrange/server'
import type { RequestFacts } from '../authorization/request-context.ts'
import type { Caller } from '../identities/principal.ts'
import { canonicalFields } from '../signatures/canonical-request.ts'
import type { Principal } from '../policies/principal.ts'

/** What conditions may ask of a request. Most of it is worked out only if one does. */
export class FactsOfRequest implements RequestFacts {
  readonly principal: Principal
  readonly region: string
  readonly nowMs: number
  readonly #caller: Caller
  readonly #request: HttpRequest

  constructor(principal: Principal, caller: Caller, region: string, request: HttpRequest, nowMs: number) {
    this.principal = principal
    this.region = region
    this.nowMs = nowMs
    this.#caller = caller
    this.#request = request
  }

  /** Of the connection. What a proxy says of where a request came from is not believed. */
  get sourceIp(): string | undefined {
    return this.#request.remoteAddress?.replace(/^::ffff:(?=\d)/, '')
  }

  get isSecure(): boolean {
    return this.#request.tls !== undefined
  }

  get userAgent(): string | undefined {
    return canonicalFields(this.#request).get('user-agent')
  }

  get referer(): string | undefined {
    return canonicalFields(this.#request).get('referer')
  }

  get tokenIssuedAtMs(): number | undefined {
    return this.#caller.session?.issuedAtMs
  }

  get sourceIdentity(): string | undefined {
    return this.#caller.session?.sourceIdentity
  }
}
