import type { Gate } from '@hashrange/access/closed'
import type { Engine } from '@hashrange/engine'
import {
  AccessPolicy,
  consoleLogger,
  type Audit,
  type HttpRequest,
  type HttpResponse,
  type Logger,
  type Route,
  type Sharing,
} from '@hashrange/server'
import { packageVersion } from '../package-version.ts'
import { isWorkbenchToken, tokenCheck } from '../workbench-token.ts'
import type { ChangeConsumers, WorkbenchContext } from './api-handler.ts'
import { apiHandlers } from './api-handlers.ts'
import { answerApi } from './answer-api.ts'
import { readConnection } from './connections/connection.ts'
import type { DeclaredConnection } from '../config/declared-connection.ts'
import { Connections } from './connections/connections.ts'
import { Copies } from './copies/copies.ts'
import { visitorsWithSession } from './visitors/visitors-with-session.ts'
import { visitorsWithToken } from './visitors/visitors-with-token.ts'
import { ModelFiles } from './models/model-files.ts'
import type { ModelLimits } from './models/model-limits.ts'
import { plainResponse } from './page-headers.ts'
import { StaticFiles } from './static-files.ts'
import { pageFolder } from './page-folder.ts'
import type { LinkStatus } from '../regions/link-status.ts'

export interface WorkbenchOptions {
  /** The secret without which nothing is served but the empty page: see `newWorkbenchToken`. */
  readonly token: string
  /** Of a closed server: users of the page then sign in, and may do what their policies allow. */
  readonly gate?: Gate | undefined
  /** The address that the server listens on: it determines the names under which the workbench may be opened. */
  readonly host: string
  /** Further names, as in `hashrange start --allowed-hosts`. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Whether all access keys have the same tables. */
  readonly shared?: Sharing | undefined
  /** Refuses every operation that writes. */
  readonly readOnly?: boolean | undefined
  /** Where the data is; nothing means in memory. */
  readonly path?: string | undefined
  /** Model files to show, and folders from which the page may load model files and to which it may save them. */
  readonly models?: readonly string[] | undefined
  /** Lets other machines load and save model files too, which runs code here. */
  readonly remoteModels?: boolean | undefined
  /** Lets the page change model files, which are run here. */
  readonly editModels?: boolean | undefined
  /** Other databases that the page may use. */
  readonly connections?: Readonly<Record<string, DeclaredConnection>> | undefined
  /** Whether it also shows the database itself; it does by default. */
  readonly hasDatabase?: boolean | undefined
  /** How long model files may take, and how much memory. */
  readonly modelLimits?: Partial<ModelLimits> | undefined
  /** What gets the changes of tables. */
  readonly consumers?: ChangeConsumers | undefined
  /** The servers of other regions, if it is linked to any. */
  readonly linkedServers?: (() => readonly LinkStatus[]) | undefined
  readonly logger?: Logger | undefined
  /** Keeps a record of calls. */
  readonly audit?: Audit | undefined
  /** Where the built page is; found automatically by default. */
  readonly pageFolder?: string | undefined
}

const workbenchPath = '/_workbench'

/** The workbench, served beside the service's API: the page under `/_workbench/`, its API under `/_workbench/api/`,
 *  and a browser that opens `/` is redirected to it. The page is the same for everybody and contains no data; whoever
 *  has the token (`/_workbench/#token=…`) can use the API. On a closed server, users sign in. */
export function createWorkbench(engine: Engine, options: WorkbenchOptions): Route {
  if (!isWorkbenchToken(options.token)) {
    throw new TypeError(
      'The workbench needs a token of at least 16 letters and digits. newWorkbenchToken() makes one.',
    )
  }
  const { gate, audit } = options
  const isToken = tokenCheck(options.token)
  const visitors =
    gate === undefined ? visitorsWithToken(engine, isToken) : visitorsWithSession({ engine, gate, isToken, audit })
  const files = new StaticFiles(options.pageFolder ?? pageFolder(), gate === undefined ? 'open' : 'closed')
  const context: WorkbenchContext = {
    engine,
    audit,
    gate,
    consumers: options.consumers,
    linkedServers: options.linkedServers,
    version: packageVersion(),
    readOnly: options.readOnly ?? false,
    shared: options.shared ?? false,
    path: options.path,
    remoteModels: options.remoteModels ?? false,
    editModels: options.editModels ?? false,
    modelFiles: new ModelFiles(options.models ?? [], { limits: options.modelLimits }),
    hasDatabase: options.hasDatabase ?? true,
    connections: new Connections(
      Object.entries(options.connections ?? {}).map(([name, declared], position) =>
        readConnection(name, declared, position),
      ),
    ),
    copies: new Copies(),
    logger: options.logger ?? consoleLogger,
  }
  const access = new AccessPolicy(options.host, { allowedHosts: options.allowedHosts })
  return (request) => {
    const path = pathOf(request.target)
    if (path === '/') return opensPage(request) ? redirect(`${workbenchPath}/`) : undefined
    if (path === workbenchPath) return redirect(`${workbenchPath}/${queryOf(request.target)}`)
    if (!path.startsWith(`${workbenchPath}/`)) return undefined
    if (access.hostKindOf(request.host ?? '') !== 'own') return strangeHost(request)
    const inside = path.slice(workbenchPath.length)
    if (inside.startsWith('/api/')) {
      return answerApi(context, visitors, apiHandlers, request, inside.slice('/api/'.length))
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return plainResponse(405, 'Open the workbench with GET.', { Allow: 'GET, HEAD' })
    }
    return files.answer(request, inside)
  }
}

/** Health checks of clients and load balancers also request `/`, but not a page. */
function opensPage(request: HttpRequest): boolean {
  return request.method === 'GET' && (request.accept ?? '').includes('text/html')
}

function redirect(location: string): HttpResponse {
  return plainResponse(307, '', { Location: location, Vary: 'Accept' })
}

/** Stricter than the service's own endpoint: a name of this network is enough for a program, but not for what a
 *  browser opens. */
function strangeHost(request: HttpRequest): HttpResponse {
  return plainResponse(
    403,
    `The workbench is not served under the name "${(request.host ?? '').slice(0, 100)}". Open it at http://localhost or at ` +
      'the address that hashrange listens on.',
  )
}

function pathOf(target: string): string {
  const end = target.search(/[?#]/)
  return end < 0 ? target : target.slice(0, end)
}

function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start < 0 ? '' : target.slice(start)
}
