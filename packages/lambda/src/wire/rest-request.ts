import { restRoutes } from './rest-routes.ts'

export interface RestRequest {
  readonly method: string
  /** With the query, whose names are in order. */
  readonly target: string
  readonly body: string
}

/** An operation of Lambda as the request that `findRoute` reads; undefined if there is none of that name. */
export function restRequest(operation: string, input: object): RestRequest | undefined {
  const route = restRoutes.find((one) => one.operation === operation)
  if (route === undefined) return undefined
  const left = new Map(Object.entries(input))
  const taken = (name: string): string => {
    const value = String(left.get(name) ?? '')
    left.delete(name)
    return encodeURIComponent(value)
  }
  const path = route.path.map((part) => (part.startsWith('{') ? taken(part.slice(1, -1)) : part)).join('/')
  const query = [...route.query]
    .filter(([, member]) => left.has(member))
    .map(([name, member]) => `${name}=${taken(member)}`)
    .toSorted()
    .join('&')
  const body = left.size === 0 ? '' : JSON.stringify(Object.fromEntries(left))
  return { method: route.method, target: `/${path}${query === '' ? '' : `?${query}`}`, body }
}
