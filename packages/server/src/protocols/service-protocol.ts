import type { ServiceError } from '@hashrange/core'
import type { HttpRequest } from '../http/http-request.ts'

/** One of the protocols in which clients communicate with services. */
export interface ServiceProtocol {
  /** The `Content-Encoding` that it undoes itself, because it knows what was signed. */
  readonly ownCoding?: string
  /** The operation that the request names; may throw a ServiceError. */
  call(request: HttpRequest, body: Buffer): ServiceCall
  /** A result of the service, in which times are `Date`s, maps may be `Map`s and binary data is `Uint8Array`s, as bytes. */
  answer(answer: unknown, call: ServiceCall, requestId: string): ServiceAnswer
  error(error: WireError, requestId: string): ServiceAnswer
}

export interface ServiceCall {
  readonly operation: string
  /** In the form of parsed JSON. */
  readonly input: unknown
}

export interface ServiceAnswer {
  /** 200 by default, for an answer that is not an error. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** An error in the terms that all protocols share. */
export interface WireError {
  readonly error: ServiceError
  /** The code of the Query protocol, which the other protocols report in a header. */
  readonly queryCode: string
  readonly status: number
}
