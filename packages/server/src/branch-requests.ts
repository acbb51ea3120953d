import { ServiceError } from '@hashrange/core'
import type { MaybePromise } from '@hashrange/engine'
import type { Executor } from './executor.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from './http/http-request.ts'

/** Finds what carries out the requests of a branch. */
export type FindBranch = (name: string) => MaybePromise<Executor | undefined>

/** An access key that begins with this is `branch:NAME:KEY`: the key `KEY`, in the branch `NAME`. `branch:NAME` is short for
 *  `branch:NAME:local`. */
export const branchKeyPrefix = 'branch:'

const signedStart = 'AWS4-HMAC-SHA256 Credential='
const branchStart = `${signedStart}${branchKeyPrefix}`

/** Passes requests that name a branch, in a header field or in their access key, to that branch, and all others to `main`. */
export function withBranches(
  main: HttpHandler,
  find: FindBranch,
  dispatchTo: (executor: Executor) => HttpHandler,
): HttpHandler {
  const handlers = new WeakMap<Executor, HttpHandler>()
  const inBranch = async ({ name, request }: BranchRequest): Promise<HttpResponse> => {
    const executor = (await find(name)) ?? noBranch(name)
    const handler = handlers.get(executor) ?? dispatchTo(executor)
    handlers.set(executor, handler)
    return handler(request)
  }
  return (request) => {
    if (request.branch === undefined && request.authorization?.startsWith(branchStart) !== true)
      return main(request)
    // What the server serves besides its APIs is not in any branch.
    return request.target.startsWith('/_') ? main(request) : inBranch(branchRequest(request))
  }
}

interface BranchRequest {
  readonly name: string
  /** Without the branch in its access key. */
  readonly request: HttpRequest
}

function branchRequest(request: HttpRequest): BranchRequest {
  const { authorization = '', branch } = request
  if (!authorization.startsWith(branchStart)) return { name: branch ?? '', request }
  const [credential = '', ...others] = authorization.slice(branchStart.length).split('/')
  const [name = '', ...key] = credential.split(':')
  // The key that is used by people who have not chosen one.
  const rest = [key.join(':') || 'local', ...others].join('/')
  // The other members stay as they are, also those that are read from the connection.
  const stripped = Object.create(request, { authorization: { value: `${signedStart}${rest}` } }) as HttpRequest
  return { name: branch ?? name, request: stripped }
}

function noBranch(name: string): Executor {
  return {
    knows: () => true,
    execute: () => {
      throw new ServiceError('ValidationException', `There is no branch named ${name}. See: hashrange branch list`)
    },
  }
}
