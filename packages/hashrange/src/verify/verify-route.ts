import { randomUUID } from 'node:crypto'
import type { Store } from '@hashrange/engine'
import { readTarget, type HttpRequest, type HttpResponse, type Route } from '@hashrange/server'
import { json, refusal } from '../local-answers.ts'
import { VerifyJob } from './verify-job.ts'

export const verificationsPath = '/_hashrange/verifications'

/** How `hashrange verify --endpoint` has a running server verify its own data, piece by piece:
 *
 *      POST   /_hashrange/verifications?table=…&repair=true   begins one, and answers its id
 *      GET    /_hashrange/verifications/ID/NUMBER             what it has found since, and at the end its report
 *      DELETE /_hashrange/verifications/ID                    ends it
 *
 *  Programs may ask, pages may not. There is one at a time: it takes time from requests. */
export function verifyRoute(store: Store): Route {
  let current: { readonly id: string; readonly job: VerifyJob } | undefined
  const forget = (id: string): void => {
    if (current?.id === id) current = undefined
  }
  return async (request) => {
    const { path, query } = readTarget(request.target)
    if (path !== verificationsPath && !path.startsWith(`${verificationsPath}/`)) return undefined
    if (request.origin !== undefined) return refusal(403, 'Web pages are not allowed to use this.')
    const [id = '', number, more] = path.slice(verificationsPath.length + 1).split('/')
    if (id === '') {
      if (request.method !== 'POST') return refusal(405, 'Start with POST.', { Allow: 'POST' })
      if (current?.job.isRunning === true)
        return refusal(409, 'Another verification is already running. Try again when it has finished.')
      const begun = randomUUID()
      const table = query.get('table') ?? undefined
      const job = new VerifyJob({ store, table, repair: query.get('repair') === 'true' }, () => forget(begun))
      current = { id: begun, job }
      return json(201, { id: begun })
    }
    if (current?.id !== id || more !== undefined) {
      return refusal(404, 'There is no such verification, or it was not read for a minute. Start again.')
    }
    return answer(request, current.job, number, () => forget(id))
  }
}

async function answer(
  request: HttpRequest,
  job: VerifyJob,
  number: string | undefined,
  forget: () => void,
): Promise<HttpResponse> {
  if (request.method === 'DELETE' && number === undefined) {
    job.stop()
    forget()
    return json(200, {})
  }
  if (request.method !== 'GET')
    return refusal(405, 'Use GET to read it, or DELETE to stop it.', { Allow: 'GET, DELETE' })
  const piece = await job.read(Number(number))
  if (piece === undefined) return refusal(409, 'That is not the next part.')
  return json(200, piece)
}
