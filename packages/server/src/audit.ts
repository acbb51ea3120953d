import type { Scope } from '@hashrange/engine'
import type { HttpRequest } from './http/http-request.ts'

/** One call of an operation, and how it ended. */
export interface AuditedCall {
  readonly request: HttpRequest
  /** The name under which requests to the service are signed, such as `dynamodb`. */
  readonly service: string
  readonly operation: string
  /** Whose tables it was about; nothing if the request did not get so far as to say it. */
  readonly scope?: Scope | undefined
  readonly input: unknown
  readonly answer?: unknown
  readonly error?: unknown
  /** As the client was told it. */
  readonly requestId: string
}

/** Keeps a record of calls. It is asked on the path of requests, and so answers at once and never throws. */
export interface Audit {
  /** Whether calls of an operation are recorded at all: the others cost nothing. */
  wants(service: string, operation: string): boolean
  record(call: AuditedCall): void
}
