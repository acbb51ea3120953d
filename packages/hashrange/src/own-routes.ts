import type { Gate } from '@hashrange/access/closed'
import type { Engine, Store } from '@hashrange/engine'
import { changesRoute } from '@hashrange/kinesis'
import { metricsRoute, readyRoute, type MetricSource, type Route } from '@hashrange/server'
import type { DatabaseBranches } from './branches/database-branches.ts'
import { branchRoute } from './branches/branch-route.ts'
import type { LinkStatus } from './regions/link-status.ts'
import { regionsRoute } from './regions/regions-route.ts'
import { reportRoute } from './report-route.ts'
import { storeRoutes } from './store-routes.ts'

/** What every server of ours serves beside the service's API, however it was started. */
export function ownRoutes(
  engine: Engine,
  store: Store,
  { gate, counted = [], others = [], links, branches }: OwnRoutesOptions = {},
): Route[] {
  const routes = [
    metricsRoute(engine, ...counted),
    ...storeRoutes(store),
    ...(links === undefined ? [] : [links.route]),
    regionsRoute(engine, links?.statuses),
    ...(branches === undefined ? [] : [branchRoute(branches)]),
    changesRoute({ logs: engine.logs, scopesOf: (tableName) => engine.catalog.scopesOf(tableName) }),
    ...others,
    reportRoute(engine, links?.statuses),
  ]
  return [
    // Load balancers must learn whether a server is ready, and need no key for that.
    readyRoute(() => engine.readiness()),
    ...(gate === undefined ? routes : [gate.closeRoutes(['/metrics', '/_hashrange'], routes)]),
  ]
}

export interface OwnRoutesOptions {
  /** Of a closed server. */
  readonly gate?: Gate | undefined
  /** What has metrics besides the engine. */
  readonly counted?: readonly MetricSource[]
  readonly branches?: DatabaseBranches | undefined
  /** What services serve besides their APIs. */
  readonly others?: readonly Route[]
  /** The links to the servers of other regions. */
  readonly links?: { readonly route: Route; readonly statuses: () => readonly LinkStatus[] } | undefined
}
