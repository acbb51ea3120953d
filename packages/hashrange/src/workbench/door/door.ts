import type { HttpRequest } from '@hashrange/server'
import type { JsonObject } from '../api-handler.ts'
import type { Visitor } from './visitor.ts'

/** Who may use the API of the page. */
export interface Door {
  /** Throws an `ApiRefusal` with status 401 unless a request is somebody's who may. */
  visitorOf(request: HttpRequest): Visitor
  /** `session/<action>`: signing in and out, where there is such a thing. */
  readonly session?: (request: HttpRequest, action: string, body: JsonObject) => Promise<SessionAnswer>
}

export interface SessionAnswer {
  readonly answer: object
  readonly headers: Readonly<Record<string, string>>
}
