import { ServiceError } from '@hashrange/core'
import type { Audit, AuditedCall } from '../audit.ts'
import type { Authenticate } from '../authenticate.ts'
import { decodeBody } from '../decode-body.ts'
import type { Executor } from '../executor.ts'
import type { HttpRequest, HttpResponse } from '../http/http-request.ts'
import type { Logger } from '../logger.ts'
import { withCors } from '../other-requests.ts'
import { nextRequestId } from '../request-id.ts'
import type { Activity } from '../watchdog/activity.ts'
import type { ServiceProtocol, WireError } from './service-protocol.ts'
import type { ServiceRequest, WireService } from './wire-service.ts'

export interface ServiceDispatch {
  readonly executor: Executor
  readonly authenticate: Authenticate
  readonly verifiesFirst?: boolean | undefined
  readonly logger: Logger
  readonly activity: Activity
  readonly maxBodyBytes: number
  readonly audit?: Audit | undefined
}

/** Carries out a request to a service other than DynamoDB, in whichever protocol it came. */
export async function dispatchService(
  { executor, authenticate, verifiesFirst, logger, activity, maxBodyBytes, audit }: ServiceDispatch,
  askedFor: ServiceRequest,
  request: HttpRequest,
): Promise<HttpResponse> {
  const { service, protocol } = askedFor
  const requestId = nextRequestId()
  const trace: { -readonly [part in keyof AuditedCall]?: AuditedCall[part] } = {}
  const record = (): void => {
    const { operation } = trace
    if (operation === undefined || audit?.wants(service.signingName, operation) !== true) return
    audit.record({ input: undefined, ...trace, request, service: service.signingName, operation, requestId })
  }
  try {
    const { contentEncoding } = request
    const verified = verifiesFirst === true ? await authenticate(request, service.signingName) : undefined
    const sent =
      contentEncoding === undefined || contentEncoding === protocol.ownCoding
        ? request.body
        : await decodeBody(contentEncoding, request.body, maxBodyBytes)
    const call = protocol.call(request, sent)
    if (!executor.knows(service.target, call.operation)) throw new ServiceError('UnknownOperationException', '')
    trace.operation = call.operation
    trace.input = call.input
    const scope = verified ?? (await authenticate(request, service.signingName))
    trace.scope = scope
    activity.begin(activity.numberOf(call.operation))
    const answering = executor.execute(scope, service.target, call.operation, call.input)
    activity.end()
    const answer = await answering
    trace.answer = answer
    record()
    const { status = 200, headers, body } = protocol.answer(answer, call, requestId)
    return withCors(request, { status, headers: { ...commonHeaders(requestId), ...headers }, body })
  } catch (error) {
    activity.end()
    trace.error = error
    const name = audit === undefined ? undefined : (trace.operation ?? nameOfCall(protocol, request))
    if (name !== undefined) trace.operation = name
    record()
    return withCors(request, answerServiceError(askedFor, error, logger, requestId))
  }
}

/** What a request asks for that was refused before it was read, if that costs little to say. */
function nameOfCall(protocol: ServiceProtocol, request: HttpRequest): string | undefined {
  if (request.contentEncoding !== undefined || request.body.length > 64 * 1024) return undefined
  try {
    return protocol.call(request, request.body).operation
  } catch {
    return undefined
  }
}

export function answerServiceError(
  { service, protocol }: ServiceRequest,
  error: unknown,
  logger: Logger,
  requestId = nextRequestId(),
): HttpResponse {
  const wireError = toWireError(service, error, logger)
  const { headers, body } = protocol.error(wireError, requestId)
  return { status: wireError.status, headers: { ...commonHeaders(requestId), ...headers }, body }
}

function commonHeaders(requestId: string): Record<string, string> {
  return { Server: 'Server', 'x-amzn-RequestId': requestId }
}

function toWireError(service: WireService, error: unknown, logger: Logger): WireError {
  if (!(error instanceof ServiceError)) {
    // Our own bug: the client learns nothing about it, the log everything.
    logger.error('hashrange: a request failed unexpectedly:', error)
    const unknown = 'The request processing has failed because of an unknown error, exception or failure.'
    return asWireError(service, new ServiceError('InternalServiceFault', unknown))
  }
  return asWireError(service, error)
}

function asWireError({ queryCodes, statuses: own }: WireService, error: ServiceError): WireError {
  const { code } = error
  return {
    error,
    queryCode: queryCodes?.get(code) ?? code,
    status: own?.get(code) ?? statuses.get(code) ?? 400,
  }
}

/** What any service may return. */
const statuses = new Map([
  ['InternalServiceFault', 500],
  ['RequestEntityTooLargeException', 413],
])
