import type { Readiness } from '@hashrange/engine'
import type { HttpRequest, HttpResponse } from './http/http-request.ts'
import { nextRequestId } from './request-id.ts'
import type { Route } from './route.ts'

/** `GET /ready`: whether requests can be served now, for load balancers. A server that can serve some of them stays in
 *  use: the others serve no more. (`/health` only says that the process is alive: a server whose store is unreachable
 *  must not be restarted for that.) */
export function readyRoute(readiness: () => Promise<Readiness>, patienceMs = 2_000): Route {
  return async (request) => {
    if (!isReadyRequest(request)) return undefined
    const found = await withinTime(readiness(), patienceMs)
    if (found.serves === 'all') return answer(200, 'ready')
    return found.serves === 'some' ? answer(200, `degraded: ${found.sentence}`) : answer(503, found.sentence)
  }
}

/** A store that keeps others waiting is not ready either. */
async function withinTime(readiness: Promise<Readiness>, patienceMs: number): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Readiness>((resolve) => {
    const sentence = `The store did not answer within ${patienceMs} ms.`
    timer = setTimeout(() => resolve({ serves: 'none', sentence }), patienceMs)
  })
  try {
    return await Promise.race([readiness, late])
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
