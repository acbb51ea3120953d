import type { HttpRequest } from '@hashrange/server'
import type { JsonObject } from '../api-handler.ts'
import type { Visitor } from './visitor.ts'

/** Finds out who sends a request of the page. */
export interface Visitors {
  /** Throws an `ApiRefusal` with status 401 unless the sender of the request may use the API. */
  visitorOf(request: HttpRequest): Visitor
  /** `session/<action>`: signing in and out, where there is such a thing. */
  readonly session?: (request: HttpRequest, action: string, body: JsonObject) => Promise<SessionAnswer>
}

export interface SessionAnswer {
  readonly answer: object
  readonly headers: Readonly<Record<string, string>>
}
