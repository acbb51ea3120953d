import { storeUnderneath, type Store } from '@hashrange/engine'
import type { Route } from '@hashrange/server'

/** How commands let a running server maintain its own data. Each is loaded on first use: a start need not wait for
 *  it. */
export function storeRoutes(store: Store): Route[] {
  return [
    lazyRoute('/_hashrange/snapshots', async () =>
      (await import('./archive/snapshot-route.ts')).snapshotRoute(storeUnderneath(store)),
    ),
    lazyRoute('/_hashrange/verifications', async () =>
      (await import('./verify/verify-route.ts')).verifyRoute(store),
    ),
    lazyRoute('/_hashrange/compactions', async () =>
      (await import('./compact/compact-route.ts')).compactRoute(store),
    ),
  ]
}

function lazyRoute(path: string, load: () => Promise<Route>): Route {
  let loaded: Promise<Route> | undefined
  return async (request) => {
    if (!request.target.startsWith(path)) return undefined
    loaded ??= load()
    return (await loaded)(request)
  }
}
