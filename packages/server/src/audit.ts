import type { Scope } from '@hashrange/engine'
import type { HttpRequest } from './http/http-request.ts'

/** One call of an operation, and how it ended. */
export interface AuditedCall {
  readonly request: HttpRequest
  /** The name under which requests to the service are signed, such as `dynamodb`. */
  readonly service: string
  readonly operation: string
  /** Whose tables it was about; undefined if the request failed before that was known. */
  readonly scope?: Scope | undefined
  readonly input: unknown
  readonly answer?: unknown
  readonly error?: unknown
  /** As the client saw it. */
  readonly requestId: string
}

/** Keeps a record of calls. It is called while requests are handled, so it returns immediately and never throws. */
export interface Audit {
  /** Whether calls of an operation are recorded at all: others cost nothing. */
  wants(service: string, operation: string): boolean
  record(call: AuditedCall): void
}
