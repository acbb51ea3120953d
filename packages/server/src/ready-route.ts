import type { HttpRequest, HttpResponse } from './http/http-request.ts'
import { nextRequestId } from './request-id.ts'
import type { Route } from './route.ts'

/** `GET /ready`: whether requests can be served now, for load balancers. `whyNot` returns a sentence if they cannot.
 *  (`/health` only says that the process is alive: a server whose store is unreachable must not be restarted for
 *  that.) */
export function readyRoute(whyNot: () => Promise<string | undefined>, patienceMs = 2_000): Route {
  return async (request) => {
    if (!isReadyRequest(request)) return undefined
    const reason = await withinTime(whyNot(), patienceMs)
    return reason === undefined ? answer(200, 'ready') : answer(503, reason)
  }
}

/** A store that keeps others waiting is not ready either. */
async function withinTime(reason: Promise<string | undefined>, patienceMs: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`The store did not answer within ${patienceMs} ms.`), patienceMs)
  })
  try {
    return await Promise.race([reason, late])
  } finally {
    clearTimeout(timer)
  }
}

function isReadyRequest({ method, target }: HttpRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (target === '/ready' || target.startsWith('/ready?'))
}

function answer(status: number, sentence: string): HttpResponse {
  return {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'x-amzn-RequestId': nextRequestId(),
    },
    body: Buffer.from(`${sentence}\n`),
  }
}
