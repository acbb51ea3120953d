import { randomUUID } from 'node:crypto'
import type { Scope } from '@hashrange/engine'
import type { Audit, HttpRequest, HttpResponse, Route } from '@hashrange/server'

/** Who has sent a request, on a server that knows. */
type OperatorOf = (request: HttpRequest) => Promise<Scope | undefined>

/** What a server does besides the API is recorded too, if it changes something or returns data. */
export function auditedRoutes(
  routes: readonly Route[],
  audit: Audit | undefined,
  operatorOf?: OperatorOf,
): readonly Route[] {
  if (audit === undefined) return routes
  return routes.map((route): Route => {
    return async (request) => {
      const { method, target } = request
      const response = await route(request)
      const path = target.split('?', 1)[0] ?? ''
      if (response === undefined || !path.startsWith('/_hashrange/')) return response
      // Servers of other regions ask all the time: only what was rejected is worth a record.
      if (path.startsWith('/_hashrange/replication/') && response.status < 400) return response
      if (method !== 'GET' && method !== 'HEAD') {
        const requestId = randomUUID()
        const operation = `${method} ${path.slice(0, 200)}`
        const scope = await operatorOf?.(request)
        const error = errorOf(response)
        audit.record({ request, service: 'hashrange', operation, scope, input: null, error, requestId })
      }
      return response
    }
  })
}

function errorOf({ status, body }: HttpResponse): unknown {
  if (status < 400) return undefined
  return Object.assign(new Error(Buffer.from(body).toString('utf8').slice(0, 200)), { code: `Http${status}` })
}
