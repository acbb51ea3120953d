import type { Engine, Store } from '@hashrange/engine'
import { metricsRoute, readyRoute, type MetricSource, type Route } from '@hashrange/server'
import { reportRoute } from './report-route.ts'
import { storeRoutes } from './store-routes.ts'

/** What every server of ours has beside the service's API, whoever has started it. */
export function ownRoutes(engine: Engine, store: Store, ...counted: readonly MetricSource[]): Route[] {
  return [
    readyRoute(() => engine.whyNotReady()),
    metricsRoute(engine, ...counted),
    ...storeRoutes(store),
    reportRoute(engine),
  ]
}
