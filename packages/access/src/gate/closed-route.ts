import { ServiceError } from '@hashrange/core'
import type { MaybePromise } from '@hashrange/engine'
import type { HttpRequest, HttpResponse, Route } from '@hashrange/server'
import type { CallingScope } from '../identities/calling-scope.ts'
import type { Identities } from '../identities/identities.ts'
import { assertMayOperate } from './may-operate.ts'

/** The name under which requests for these are signed. */
export const operatorService = 'hashrange'

/** Who says whose request it is. */
export interface Doorkeeper {
  readonly identities: Identities
  hasToken(request: HttpRequest): boolean
  authenticate(request: HttpRequest, service: string): MaybePromise<CallingScope>
}

/** What a server has beside the services' APIs, such as metrics and reports: it is about all accounts, and so it is for whoever runs the server. They show a
 *  token, or sign as an identity of the first administrator's account that may do so. Whatever is not below these paths is not for them. */
export function closedRoute(gate: Doorkeeper, paths: readonly string[], routes: readonly Route[]): Route {
  const refusalOf = async (request: HttpRequest, path: string): Promise<string | undefined> => {
    if (gate.hasToken(request)) return undefined
    if (!(request.authorization ?? '').startsWith('AWS4-') && !request.target.includes('X-Amz-Algorithm=')) {
      return 'This server is closed. Send a token (Authorization: Bearer …), or sign the request for the service "hashrange".'
    }
    try {
      const scope = await gate.authenticate(request, operatorService)
      const action = request.method === 'GET' || request.method === 'HEAD' ? 'hashrange:Read' : 'hashrange:Operate'
      assertMayOperate(gate, scope, action, path)
      return undefined
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'AccessDeniedException') {
        return 'The identity that signed this request may not use what concerns all accounts of the server.'
      }
      if (error instanceof ServiceError) return `${error.code}: ${error.message}`
      throw error
    }
  }

  return async (request) => {
    const path = request.target.split('?', 1)[0] ?? ''
    if (request.method === 'OPTIONS' || !paths.some((below) => path === below || path.startsWith(`${below}/`))) {
      return undefined
    }
    const refusal = await refusalOf(request, path)
    if (refusal !== undefined) return refuse(refusal)
    for (const route of routes) {
      const response = await route(request)
      if (response !== undefined) return response
    }
    return undefined
  }
}

function refuse(sentence: string): HttpResponse {
  return {
    status: 401,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'WWW-Authenticate': 'Bearer realm="hashrange"',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    body: Buffer.from(`${sentence}\n`, 'utf8'),
  }
}
