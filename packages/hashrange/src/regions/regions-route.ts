import type { Engine, ReplicationReport } from '@hashrange/engine'
import { readTarget, type HttpRequest, type HttpResponse, type Route } from '@hashrange/server'
import type { LinkStatus } from './link-status.ts'
import { json, refusal } from '../local-answers.ts'
import { mostLagMs, regionActions } from './region-actions.ts'

export const regionsPath = '/_hashrange/regions'
export const conflictsPath = '/_hashrange/conflicts'

/** How `hashrange region` and `hashrange conflicts` reach a running server:
 *
 *      GET  /_hashrange/regions                               what is wrong with regions, and what must still be sent
 *      POST /_hashrange/regions/isolate?region=eu-west-1      and heal, down, up
 *      POST /_hashrange/regions/lag?region=eu-west-1&ms=3000
 *      GET  /_hashrange/conflicts?table=…                     writes that were lost to writes of other regions
 *
 *  Programs may ask, pages may not. */
export function regionsRoute(engine: Engine, servers?: () => readonly LinkStatus[]): Route {
  return async (request) => {
    const { path, query } = readTarget(request.target)
    const isConflicts = path === conflictsPath
    if (!isConflicts && path !== regionsPath && !path.startsWith(`${regionsPath}/`)) return undefined
    if (request.origin !== undefined) return refusal(403, 'Web pages are not allowed to use this.')
    if (isConflicts || path === regionsPath) {
      if (request.method !== 'GET') return refusal(405, 'Use GET.', { Allow: 'GET' })
      return json(
        200,
        isConflicts
          ? await engine.conflicts(undefined, query.get('table') ?? undefined)
          : await reportOf(engine, servers),
      )
    }
    return act(engine, request, path.slice(regionsPath.length + 1), query, servers)
  }
}

/** What is known about regions, with the servers of those that are elsewhere. */
export interface RegionsReport extends ReplicationReport {
  readonly servers?: readonly LinkStatus[]
}

async function reportOf(
  engine: Engine,
  servers: (() => readonly LinkStatus[]) | undefined,
): Promise<RegionsReport> {
  return { ...(await engine.replicationReport()), ...(servers !== undefined && { servers: servers() }) }
}

async function act(
  engine: Engine,
  request: HttpRequest,
  action: string,
  query: URLSearchParams,
  servers: (() => readonly LinkStatus[]) | undefined,
): Promise<HttpResponse> {
  const change = regionActions.get(action)
  if (change === undefined)
    return refusal(404, `There is no such action. The actions are ${[...regionActions.keys()].join(', ')}.`)
  if (request.method !== 'POST') return refusal(405, 'Use POST.', { Allow: 'POST' })
  const region = query.get('region') ?? ''
  const isHealingAll = action === 'heal' && region === ''
  if (!isHealingAll && !/^[a-z0-9-]{1,64}$/i.test(region)) {
    return refusal(400, 'Give the name of a region, such as region=eu-west-1.')
  }
  const ms = Number(query.get('ms') ?? '')
  if (action === 'lag' && !(query.has('ms') && ms >= 0 && ms <= mostLagMs)) {
    return refusal(400, `ms must be a number of milliseconds from 0 to ${mostLagMs}.`)
  }
  await change(engine.regions, region, ms)
  return json(200, await reportOf(engine, servers))
}
