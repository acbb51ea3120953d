import { toJsonBytes } from '@hashrange/engine'
import { assertWithinBudget, readTarget, renderError, type HttpRequest, type HttpResponse } from '@hashrange/server'
import { ApiRefusal, isJsonObject, type ApiHandler, type JsonObject, type WorkbenchContext } from './api-handler.ts'
import { RemoteError } from './connections/forward.ts'
import type { Visitors } from './visitors/visitors.ts'
import { isFromHere } from './is-from-here.ts'
import { safetyHeaders } from './page-headers.ts'

/** The workbench's own API. Only its own page can use it, and only for its visitors: no header lets another
 *  origin read a response, and a request that another page could send unasked is rejected before it is read. */
export async function answerApi(
  context: WorkbenchContext,
  visitors: Visitors,
  handlers: ReadonlyMap<string, ApiHandler>,
  request: HttpRequest,
  path: string,
): Promise<HttpResponse> {
  try {
    assertOwnPage(request)
    if (visitors.session !== undefined && path.startsWith(sessionPath)) {
      assertJson(request)
      const { answer, headers } = await visitors.session(
        request,
        path.slice(sessionPath.length),
        readObject(request.body),
      )
      return respond(200, toJsonBytes(answer), headers)
    }
    const visitor = visitors.visitorOf(request)
    assertJson(request)
    const [name = '', ...rest] = path.split('/').map(decodeURIComponent)
    const handler = handlers.get(name)
    if (handler === undefined) throw new ApiRefusal(404, 'NotFound', `The workbench API has no "${name}".`)
    const answer = await handler(context, {
      path: rest,
      query: readTarget(request.target).query,
      body: readObject(request.body),
      isFromHere: isFromHere(request),
      request,
      visitor,
    })
    return respond(200, answer === undefined ? Buffer.from('{}') : toJsonBytes(answer))
  } catch (error) {
    if (error instanceof ApiRefusal) {
      const body = toJsonBytes({ __type: error.code, message: error.message })
      return respond(error.status, body, error.status === 401 ? { 'WWW-Authenticate': 'HashrangeWorkbench' } : {})
    }
    // In the other database's words.
    if (error instanceof RemoteError) return respond(error.status, toJsonBytes(error.members))
    if (error instanceof URIError) {
      return respond(400, toJsonBytes({ __type: 'BadRequest', message: 'The address is malformed.' }))
    }
    const { status, body } = renderError(error, context.logger)
    return respond(status, body)
  }
}

const sessionPath = 'session/'

/** A browser says which page a request is from. */
function assertOwnPage(request: HttpRequest): void {
  const { origin, secFetchSite, host } = request
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    throw foreign("Only the workbench's own page can use this API, not a page from another origin.")
  }
  if (secFetchSite !== undefined && secFetchSite !== 'same-origin') {
    throw foreign("Only the workbench's own page can use this API, not a page from another site.")
  }
  if (request.method !== 'POST')
    throw new ApiRefusal(405, 'MethodNotAllowed', 'The workbench API only takes POST requests.')
}

/** Another page cannot send this header or this content type without permission, which is never given. */
function assertJson(request: HttpRequest): void {
  const essence = (request.contentType ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (essence !== 'application/json') {
    throw new ApiRefusal(415, 'UnsupportedMediaType', 'The workbench API only takes application/json.')
  }
}

function foreign(sentence: string): ApiRefusal {
  return new ApiRefusal(403, 'ForeignRequest', sentence)
}

function readObject(body: Buffer): JsonObject {
  if (body.length === 0) return {}
  assertWithinBudget(body)
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    throw new ApiRefusal(400, 'BadRequest', 'The request is not valid JSON.')
  }
  if (!isJsonObject(value))
    throw new ApiRefusal(400, 'BadRequest', 'The request must be a JSON object, such as {}.')
  return value
}

function respond(status: number, body: Uint8Array, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return {
    status,
    headers: {
      ...safetyHeaders,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
      ...headers,
    },
    body: body.length === 0 ? Buffer.from('{}') : body,
  }
}
