import { randomUUID } from 'node:crypto'
import type { Store } from '@hashrange/engine'
import { readTarget, type HttpRequest, type HttpResponse, type Route } from '@hashrange/server'
import { json, refusal } from '../local-answers.ts'
import { CompactJob } from './compact-job.ts'

export const compactionsPath = '/_hashrange/compactions'

/** How `hashrange compact --endpoint` has a running server compact its own data file:
 *
 *      POST   /_hashrange/compactions      begins one, and answers its id
 *      GET    /_hashrange/compactions/ID   how far it has come, and at the end what it came to
 *      DELETE /_hashrange/compactions/ID   gives it up
 *
 *  Programs may ask, pages may not. There is one at a time. */
export function compactRoute(store: Store): Route {
  let current: { readonly id: string; readonly job: CompactJob } | undefined
  return async (request) => {
    const { path } = readTarget(request.target)
    if (path !== compactionsPath && !path.startsWith(`${compactionsPath}/`)) return undefined
    if (request.origin !== undefined) return refusal(403, 'Web pages are not allowed to use this.')
    const id = path.slice(compactionsPath.length + 1)
    if (id === '') {
      if (request.method !== 'POST') return refusal(405, 'Start with POST.', { Allow: 'POST' })
      if (store.compact === undefined) {
        return refusal(
          400,
          'This server keeps its data in PostgreSQL, which reuses and returns space itself (VACUUM).',
        )
      }
      if (current?.job.isOver === false)
        return refusal(409, 'Another compaction is already running. Try again when it has finished.')
      current = { id: randomUUID(), job: new CompactJob(store.compact.bind(store)) }
      return json(201, { id: current.id })
    }
    if (current?.id !== id) return refusal(404, 'There is no such compaction.')
    return answer(request, current.job)
  }
}

async function answer(request: HttpRequest, job: CompactJob): Promise<HttpResponse> {
  if (request.method === 'DELETE') {
    job.stop()
    return json(200, {})
  }
  if (request.method !== 'GET')
    return refusal(405, 'Use GET to read it, or DELETE to stop it.', { Allow: 'GET, DELETE' })
  return json(200, await job.state())
}
