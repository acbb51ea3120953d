import { ServiceError } from '@hashrange/core'
import type { MaybePromise } from '@hashrange/engine'
import type { HttpRequest, HttpResponse, Route } from '@hashrange/server'
import { RequestContext } from '../authorization/request-context.ts'
import { CallerPolicies } from '../identities/caller-policies.ts'
import type { CallingScope } from '../identities/calling-scope.ts'
import { evaluate } from '../policies/evaluate.ts'
import type { Identities } from '../identities/identities.ts'

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
  const policies = new CallerPolicies()

  const refusalOf = async (request: HttpRequest, path: string): Promise<string | undefined> => {
    if (gate.hasToken(request)) return undefined
    if (!(request.authorization ?? '').startsWith('AWS4-') && !request.target.includes('X-Amz-Algorithm=')) {
      return 'This server is closed. Send a token (Authorization: Bearer …), or sign the request for the service "hashrange".'
    }
    try {
      const scope = await gate.authenticate(request, operatorService)
      return mayUse(gate, policies, scope, request, path)
        ? undefined
        : 'The identity that signed this request may not use what concerns all accounts of the server.'
    } catch (error) {
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

/** `hashrange:Read` on what changes nothing, and `hashrange:Operate` on the rest. */
function mayUse(
  gate: Doorkeeper,
  policies: CallerPolicies,
  { accountId, region, caller, facts }: CallingScope,
  { method }: HttpRequest,
  path: string,
): boolean {
  const { book } = gate.identities
  if (accountId !== book.homeAccountId) return false
  const action = method === 'GET' || method === 'HEAD' ? 'hashrange:Read' : 'hashrange:Operate'
  const resource = `arn:aws:hashrange:${region}:${accountId}:${path.slice(1)}`
  const { outcome } = evaluate({
    principal: facts.principal,
    action: action.toLowerCase(),
    resource,
    context: new RequestContext(facts, { action, resource }, undefined),
    policies: policies.of(book, caller),
  })
  return outcome === 'allowed'
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
