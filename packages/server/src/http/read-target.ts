export interface RequestTarget {
  readonly path: string
  readonly query: URLSearchParams
}

/** A request's target, with its path exactly as it was sent: what is checked and what is served must be one path, so
 *  nothing of it is decoded, and `..` stays as it is. */
export function readTarget(target: string): RequestTarget {
  const start = target.indexOf('?')
  const path = start < 0 ? target : target.slice(0, start)
  return { path, query: new URLSearchParams(start < 0 ? '' : target.slice(start + 1)) }
}
