import type { HttpRequest, HttpResponse } from './http/http-request.ts'

/** Answers its own requests, such as those under one path, and ignores the others. */
export type Route = (request: HttpRequest) => HttpResponse | undefined | Promise<HttpResponse | undefined>

/** The first answer that any of the routes has. */
export async function routed(routes: readonly Route[], request: HttpRequest): Promise<HttpResponse | undefined> {
  for (const route of routes) {
    const response = await route(request)
    if (response !== undefined) return response
  }
  return undefined
}
