import { ServiceError } from '@hashrange/core'
import type { Authenticate } from '../authenticate.ts'
import { decodeBody } from '../decode-body.ts'
import type { Executor } from '../executor.ts'
import type { HttpRequest, HttpResponse } from '../http/http-request.ts'
import type { Logger } from '../logger.ts'
import { withCors } from '../other-requests.ts'
import { nextRequestId } from '../request-id.ts'
import { activityNumberOf, type Activity } from '../watchdog/activity.ts'
import { signingNames, type ServiceProtocol, type WireError } from './service-protocol.ts'

export interface ServiceDispatch {
  readonly executor: Executor
  readonly authenticate: Authenticate
  readonly logger: Logger
  readonly activity: Activity
  readonly maxBodyBytes: number
}

/** Carries out a request to Application Auto Scaling or to CloudWatch, in whichever protocol it came. */
export async function dispatchService(
  { executor, authenticate, logger, activity, maxBodyBytes }: ServiceDispatch,
  protocol: ServiceProtocol,
  request: HttpRequest,
): Promise<HttpResponse> {
  const requestId = nextRequestId()
  try {
    const { contentEncoding } = request
    const sent =
      contentEncoding === undefined ? request.body : await decodeBody(contentEncoding, request.body, maxBodyBytes)
    const call = protocol.call(request, sent)
    if (!executor.knows(call.target, call.operation)) throw new ServiceError('UnknownOperationException', '')
    const scope = authenticate(request, signingNames[call.target])
    activity.begin(activityNumberOf(call.operation))
    const answering = executor.execute(scope, call.target, call.operation, call.input)
    activity.end()
    const answer = await answering
    const { headers, body } = protocol.answer(answer, call, requestId)
    return withCors(request, { status: 200, headers: { ...commonHeaders(requestId), ...headers }, body })
  } catch (error) {
    activity.end()
    return withCors(request, answerServiceError(protocol, error, logger, requestId))
  }
}

export function answerServiceError(
  protocol: ServiceProtocol,
  error: unknown,
  logger: Logger,
  requestId = nextRequestId(),
): HttpResponse {
  const wireError = toWireError(error, logger)
  const { headers, body } = protocol.error(wireError, requestId)
  return { status: wireError.status, headers: { ...commonHeaders(requestId), ...headers }, body }
}

function commonHeaders(requestId: string): Record<string, string> {
  return { Server: 'Server', 'x-amzn-RequestId': requestId }
}

function toWireError(error: unknown, logger: Logger): WireError {
  if (!(error instanceof ServiceError)) {
    // Ours to repair: the client learns nothing of the inside, the log everything.
    logger.error('hashrange: a request failed unexpectedly:', error)
    const unknown = 'The request processing has failed because of an unknown error, exception or failure.'
    return {
      error: new ServiceError('InternalServiceFault', unknown),
      queryCode: 'InternalServiceError',
      status: 500,
    }
  }
  const { code } = error
  return { error, queryCode: queryCodes.get(code) ?? code, status: statuses.get(code) ?? 400 }
}

/** Where the Query protocol's code differs from the exception's name in CloudWatch's API model. */
const queryCodes = new Map([
  ['InternalServiceFault', 'InternalServiceError'],
  ['InvalidFormatFault', 'InvalidFormat'],
  ['InvalidParameterCombinationException', 'InvalidParameterCombination'],
  ['InvalidParameterValueException', 'InvalidParameterValue'],
  ['LimitExceededFault', 'LimitExceeded'],
  ['MissingRequiredParameterException', 'MissingParameter'],
  ['SerializationException', 'MalformedInput'],
  ['UnknownOperationException', 'InvalidAction'],
  ['ValidationException', 'ValidationError'],
])

const statuses = new Map([
  ['InternalServiceFault', 500],
  ['RequestEntityTooLargeException', 413],
  ['ResourceNotFound', 404],
])
