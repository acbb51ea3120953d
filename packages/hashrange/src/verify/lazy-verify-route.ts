import type { Store } from '@hashrange/engine'
import type { Route } from '@hashrange/server'

/** The route for verifications, which is loaded when it is first asked for: a start need not wait for it. */
export function lazyVerifyRoute(store: Store): Route {
  let loaded: Promise<Route> | undefined
  return async (request) => {
    if (!request.target.startsWith('/_hashrange/verifications')) return undefined
    loaded ??= import('./verify-route.ts').then(({ verifyRoute }) => verifyRoute(store))
    return (await loaded)(request)
  }
}
