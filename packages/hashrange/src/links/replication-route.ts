import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LinkRefusal, type Links } from '@hashrange/engine/links'
import type { HttpRequest, HttpResponse, Route } from '@hashrange/server'
import { refusal, safetyHeaders } from '../local-answers.ts'
import { replicationPath, zippedType } from './call-peer.ts'

const zip = promisify<Buffer, { level: number }, Buffer>(gzip)

/** Many requests that wait at once would be from somebody who is not a server of another region. */
const mostWaiting = 100

/** How the servers of other regions reach this one:
 *
 *      POST /_hashrange/replication/exchange     asks for what was written here
 *      POST /_hashrange/replication/fill         asks for a page of a table, for a new replica
 *
 *  On a closed server, these need `hashrange:Operate`. */
export function replicationRoute(links: Links, stopping: AbortSignal): Route {
  let waiting = 0
  return async (request) => {
    const path = request.target.split('?', 1)[0] ?? ''
    if (!path.startsWith(`${replicationPath}/`)) return undefined
    const action = actions.get(path.slice(replicationPath.length + 1))
    if (action === undefined) return refusal(404, 'There is no such action of replication.')
    if (request.origin !== undefined) return refusal(403, 'Web pages are not allowed to use this.')
    if (request.method !== 'POST') return refusal(405, 'Use POST.', { Allow: 'POST' })
    if (waiting >= mostWaiting) return refusal(503, 'Too many servers ask at once.')
    waiting++
    try {
      return await answer(action, links, request, stopping)
    } finally {
      waiting--
    }
  }
}

type Action = (links: Links, body: Buffer, stopping: AbortSignal) => Promise<Buffer>

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['exchange', (links, body, stopping) => links.answerExchange(body, stopping)],
  ['fill', (links, body) => links.answerFill(body)],
])

async function answer(
  action: Action,
  links: Links,
  request: HttpRequest,
  stopping: AbortSignal,
): Promise<HttpResponse> {
  try {
    const message = await action(links, request.body, stopping)
    const isSmall = message.length < 1_024
    return {
      status: 200,
      headers: { ...safetyHeaders, 'Content-Type': isSmall ? 'application/x-ndjson' : zippedType },
      body: isSmall ? message : await zip(message, { level: 1 }),
    }
  } catch (error) {
    if (!(error instanceof LinkRefusal)) throw error
    const { status, message: sentence, unlinked } = error
    return refusal(
      status,
      unlinked === undefined ? sentence : `${sentence} Start it with --replicate ${unlinked}=URL.`,
    )
  }
}
