import { crc32 } from '@hashrange/engine'
import type { HttpRequest, HttpResponse } from './http/http-request.ts'
import { nextRequestId } from './request-id.ts'
import { signedService } from './unknown-operation.ts'

const unknownBody = Buffer.from('<UnknownOperationException/>\n')
const healthPaths = new Set(['/', '/health', '/healthz'])

/** Requests that are not operations: health checks (the service answers with the name by which it was called), a
 *  browser's preflights, and everything without an answer. */
export function answerOther(request: HttpRequest): HttpResponse {
  const { method } = request
  if (method === 'OPTIONS' && request.origin !== undefined) return answerPreflight(request)
  const service = signedService(request.authorization)
  if (service !== undefined && service !== 'dynamodb') return noSuchService(request, service)
  if ((method === 'GET' || method === 'HEAD') && healthPaths.has(request.target.split('?', 1)[0] ?? '')) {
    return plainAnswer(request, 200, Buffer.from(`healthy: ${request.host ?? 'localhost'} `))
  }
  return notFound(request)
}

/** SDKs are often pointed here as a whole, by `AWS_ENDPOINT_URL`: those of other services learn why they get no answer. */
function noSuchService(request: HttpRequest, service: string): HttpResponse {
  const message = `This is a hashrange server. It does not serve ${service}: give the client of that service another endpoint.`
  const isJson = request.contentType?.includes('json') === true
  const body = isJson
    ? JSON.stringify({ __type: 'UnknownOperationException', message })
    : `<ErrorResponse><Error><Code>UnknownOperationException</Code><Message>${message}</Message></Error></ErrorResponse>`
  const answer = plainAnswer(request, 404, Buffer.from(body))
  const contentType = isJson ? 'application/json' : 'text/xml'
  const headers = { 'Content-Type': contentType, 'x-amzn-ErrorType': 'UnknownOperationException' }
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

export function notFound(request: HttpRequest): HttpResponse {
  return plainAnswer(request, 404, unknownBody)
}

/** Pages in a browser may call the service directly. Those that may not do not get this far (`access/guard.ts`), so
 *  whoever is answered may read the response. */
export function withCors(request: HttpRequest, response: HttpResponse): HttpResponse {
  if (request.origin === undefined) return response
  const headers = {
    ...response.headers,
    'Access-Control-Allow-Origin': request.origin,
    Vary: 'Origin',
    'Access-Control-Expose-Headers': 'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,x-amz-crc32,Date',
  }
  return { ...response, headers }
}

function answerPreflight(request: HttpRequest): HttpResponse {
  const { accessControlRequestHeaders: allowedHeaders, accessControlRequestMethod: allowedMethods } = request
  const headers: Record<string, string> = { 'x-amzn-RequestId': nextRequestId() }
  if (allowedHeaders !== undefined) headers['Access-Control-Allow-Headers'] = allowedHeaders
  if (allowedMethods !== undefined) headers['Access-Control-Allow-Methods'] = allowedMethods
  headers['Access-Control-Max-Age'] = '172800'
  // Browsers also ask for this permission for a page on the internet that the operator has allowed, because they keep
  // such pages away from private networks.
  headers['Access-Control-Allow-Private-Network'] = 'true'
  return withCors(request, { status: 200, headers, body: Buffer.alloc(0) })
}

function plainAnswer(request: HttpRequest, status: number, body: Buffer): HttpResponse {
  const headers = { Server: 'Server', 'x-amzn-RequestId': nextRequestId(), 'x-amz-crc32': String(crc32(body)) }
  return withCors(request, { status, headers, body })
}
