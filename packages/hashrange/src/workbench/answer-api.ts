import { toJsonBytes } from '@hashrange/engine'
import { renderError, type HttpRequest, type HttpResponse } from '@hashrange/server'
import { ApiRefusal, type ApiHandler, type WorkbenchContext } from './api-handler.ts'
import { safetyHeaders } from './page-headers.ts'

/** The workbench's own API. It is spoken to by its own page alone: no header lets another origin read an answer, and a
 *  request that another page could send unasked is refused before it is looked at. */
export async function answerApi(
  context: WorkbenchContext,
  handlers: ReadonlyMap<string, ApiHandler>,
  request: HttpRequest,
  path: string,
): Promise<HttpResponse> {
  try {
    assertOwnPage(request)
    const [name = '', ...rest] = path.split('/').map(decodeURIComponent)
    const handler = handlers.get(name)
    if (handler === undefined) throw new ApiRefusal(404, 'NotFound', `The workbench has no "${name}" to ask.`)
    const answer = await handler(context, {
      path: rest,
      query: queryOf(request.target),
      body: readJson(request.body),
    })
    return respond(200, answer === undefined ? Buffer.from('{}') : toJsonBytes(answer))
  } catch (error) {
    if (error instanceof ApiRefusal) {
      return respond(error.status, toJsonBytes({ __type: error.code, message: error.message }))
    }
    if (error instanceof URIError) {
      return respond(400, toJsonBytes({ __type: 'BadRequest', message: 'The address is malformed.' }))
    }
    const { status, body } = renderError(error, context.logger)
    return respond(status, body)
  }
}

/** Requests that other pages can make a browser send have a foreign origin, or lack the header and the content type that
 *  need a permission which is never given. */
function assertOwnPage(request: HttpRequest): void {
  const { origin, secFetchSite, host } = request
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    throw foreign('The workbench answers its own page alone, not one of another origin.')
  }
  if (secFetchSite !== undefined && secFetchSite !== 'same-origin') {
    throw foreign('The workbench answers its own page alone, not one of another site.')
  }
  if (request.method !== 'POST')
    throw new ApiRefusal(405, 'MethodNotAllowed', 'The API of the workbench takes POST.')
  if (request.workbench === undefined) {
    throw foreign('The header x-hashrange-workbench is missing: send it with the value 1.')
  }
  const essence = (request.contentType ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (essence !== 'application/json') {
    throw new ApiRefusal(415, 'UnsupportedMediaType', 'The API of the workbench takes application/json.')
  }
}

function foreign(sentence: string): ApiRefusal {
  return new ApiRefusal(403, 'ForeignRequest', sentence)
}

function queryOf(target: string): URLSearchParams {
  const start = target.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : target.slice(start + 1))
}

function readJson(body: Buffer): unknown {
  if (body.length === 0) return {}
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new ApiRefusal(400, 'BadRequest', 'The request is not JSON.')
  }
}

function respond(status: number, body: Uint8Array): HttpResponse {
  return {
    status,
    headers: {
      ...safetyHeaders,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
    },
    body: body.length === 0 ? Buffer.from('{}') : body,
  }
}
