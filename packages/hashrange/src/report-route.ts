import {
  heatReport,
  trafficReport,
  type HeatReport,
  type LinkReport,
  type ReplicationReport,
  type ReportSource,
  type Scope,
} from '@hashrange/engine'
import { readTarget, type HttpResponse, type Route } from '@hashrange/server'
import type { LinkStatus } from './regions/link-status.ts'

const root = '/_hashrange/'
/** Minutes are kept for two weeks or so; one day of them is already a large response. */
const mostMinutes = 24 * 60

/** What `hashrange top` and `hashrange cost --recorded` read from a running server:
 *
 *      GET /_hashrange/heat?account=…&region=…&table=…
 *      GET /_hashrange/traffic?account=…&region=…&minutes=60
 *
 *  Programs may ask, pages may not, not even those that may use the service. */
export function reportRoute(source: ReportSource & Replicating, servers?: () => readonly LinkStatus[]): Route {
  return async (request) => {
    const { target } = request
    if (!target.startsWith(root)) return undefined
    if (request.origin !== undefined) return refusal(403, 'Web pages are not allowed to read this.')
    if (request.method !== 'GET') return refusal(405, 'Use GET.', { Allow: 'GET' })
    const { path, query } = readTarget(target)
    const scope = scopeIn(query)
    if (scope === 'half') return refusal(400, 'Give both account and region, or neither to get all tables.')
    switch (path.slice(root.length)) {
      case 'heat':
        return json({
          ...(await heatOf(source, scope, query.get('table') ?? undefined)),
          ...(servers !== undefined && { servers: servers() }),
        } satisfies ServedHeat)
      case 'traffic': {
        const minutes = Number(query.get('minutes') ?? '60')
        if (!Number.isInteger(minutes) || minutes < 1 || minutes > mostMinutes) {
          return refusal(400, `minutes must be a whole number from 1 to ${mostMinutes}.`)
        }
        return json(await trafficReport(source, { scope, minutes }))
      }
      default:
        return refusal(404, 'There is no such report. The reports are /_hashrange/heat and /_hashrange/traffic.')
    }
  }
}

interface Replicating {
  replicationReport(): Promise<ReplicationReport>
}

/** What `hashrange top` shows. */
export interface ServedHeat extends HeatReport {
  /** What must still be sent between the replicas of global tables; absent if there are none. */
  readonly links?: readonly LinkReport[]
  /** The servers of other regions that this one is linked to, if it is. */
  readonly servers?: readonly LinkStatus[]
}

async function heatOf(
  source: ReportSource & Replicating,
  scope: Scope | undefined,
  table: string | undefined,
): Promise<ServedHeat> {
  const links = (await source.replicationReport()).links.filter(
    ({ tableName, accountId, from }) =>
      (table === undefined || table === tableName) &&
      (scope === undefined || (scope.accountId === accountId && scope.region === from)),
  )
  return { ...(await heatReport(source, scope, table)), ...(links.length > 0 && { links }) }
}

function scopeIn(query: URLSearchParams): Scope | undefined | 'half' {
  const accountId = query.get('account')
  const region = query.get('region')
  if (accountId === null && region === null) return undefined
  return accountId === null || region === null ? 'half' : { accountId, region }
}

const safetyHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

function json(answer: unknown): HttpResponse {
  return {
    status: 200,
    headers: { ...safetyHeaders, 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(answer)),
  }
}

function refusal(status: number, sentence: string, headers: Record<string, string> = {}): HttpResponse {
  return {
    status,
    headers: { ...safetyHeaders, 'Content-Type': 'text/plain; charset=utf-8', ...headers },
    body: Buffer.from(`${sentence}\n`),
  }
}
