import type { Engine, Store } from '@hashrange/engine'
import { metricsRoute, readyRoute, type Route, type Watchdog } from '@hashrange/server'
import { reportRoute } from './report-route.ts'
import { storeRoutes } from './store-routes.ts'

/** What every server of ours has beside the service's API, whoever has started it. */
export function ownRoutes(engine: Engine, store: Store, watchdog?: Watchdog): Route[] {
  return [
    readyRoute(() => engine.whyNotReady()),
    metricsRoute(engine, watchdog),
    ...storeRoutes(store),
    reportRoute(engine),
  ]
}
