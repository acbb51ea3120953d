import { randomUUID } from 'node:crypto'
import type { Audit, HttpResponse, Route } from '@hashrange/server'

/** What a server does besides the API is recorded too, if it changes something or returns data. */
export function auditedRoutes(routes: readonly Route[], audit: Audit | undefined): readonly Route[] {
  if (audit === undefined) return routes
  return routes.map((route): Route => {
    return async (request) => {
      const { method, target } = request
      const response = await route(request)
      const path = target.split('?', 1)[0] ?? ''
      if (response === undefined || !path.startsWith('/_hashrange/')) return response
      if (method !== 'GET' && method !== 'HEAD') {
        const requestId = randomUUID()
        const operation = `${method} ${path.slice(0, 200)}`
        audit.record({ request, service: 'hashrange', operation, input: null, error: errorOf(response), requestId })
      }
      return response
    }
  })
}

function errorOf({ status, body }: HttpResponse): unknown {
  if (status < 400) return undefined
  return Object.assign(new Error(Buffer.from(body).toString('utf8').slice(0, 200)), { code: `Http${status}` })
}
