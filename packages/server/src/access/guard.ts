import { ServiceError } from '@hashrange/core'
import { renderError } from '../errors.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/http-request.ts'
import type { Logger } from '../logger.ts'
import { answerServiceError } from '../protocols/dispatch-service.ts'
import { serviceAskedFor, type WireService } from '../protocols/wire-service.ts'
import { nextRequestId } from '../request-id.ts'
import type { AccessPolicy } from './access-policy.ts'

/** How many different rejections are logged: a stranger must not be able to fill the log. */
const mostTold = 20

/** Passes on what the policy allows, on every route and in every protocol, and answers the rest itself: a program in
 *  its own protocol, so that its client can show the message. */
export function guarded(
  handler: HttpHandler,
  policy: AccessPolicy,
  logger: Logger,
  services: readonly WireService[] = [],
): HttpHandler {
  const told = new Set<string>()
  return (request) => {
    const refusal = policy.refusalOf(request)
    if (refusal === undefined) return handler(request)
    if (told.size < mostTold && !told.has(refusal)) {
      told.add(refusal)
      const isLast = told.size === mostTold
      logger.error(
        `hashrange: rejected a request. ${refusal}${isLast ? ' Further warnings of this kind are suppressed.' : ''}`,
      )
    }
    return refuse(services, request, refusal, logger)
  }
}

function refuse(
  services: readonly WireService[],
  request: HttpRequest,
  sentence: string,
  logger: Logger,
): HttpResponse {
  const error = new ServiceError('AccessDeniedException', sentence)
  const askedFor = serviceAskedFor(services, request)
  if (askedFor !== undefined) return { ...answerServiceError(askedFor, error, logger), status: 403 }
  if (request.method === 'POST') return answer('application/x-amz-json-1.0', renderError(error, logger).body)
  return answer('text/plain; charset=utf-8', Buffer.from(`${sentence}\n`))
}

function answer(contentType: string, body: Buffer): HttpResponse {
  const headers = {
    'Content-Type': contentType,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'x-amzn-RequestId': nextRequestId(),
  }
  return { status: 403, headers, body }
}
