import type { Engine } from '@hashrange/engine'
import {
  AccessPolicy,
  consoleLogger,
  type HttpRequest,
  type HttpResponse,
  type Logger,
  type Route,
} from '@hashrange/server'
import { packageVersion } from '../package-version.ts'
import type { WorkbenchContext } from './api-handler.ts'
import { apiHandlers } from './api-handlers.ts'
import { answerApi } from './answer-api.ts'
import { ModelFiles } from './models/model-files.ts'
import { plainResponse } from './page-headers.ts'
import { StaticFiles } from './static-files.ts'
import { pageFolder } from './page-folder.ts'

export interface WorkbenchOptions {
  /** The address that the server listens on: it decides under which names the workbench may be opened. */
  readonly host: string
  /** The names besides, as `hashrange start --allowed-hosts` takes them. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Whether all access keys have the same tables. */
  readonly shared?: boolean | undefined
  /** Refuses every operation that writes. */
  readonly readOnly?: boolean | undefined
  /** Where the data is; nothing means in memory. */
  readonly path?: string | undefined
  /** The model files to show. */
  readonly models?: readonly string[] | undefined
  /** Below which the page may load model files; the working directory unless told. */
  readonly modelFolder?: string | undefined
  readonly logger?: Logger | undefined
  /** Where the built page is; found by itself unless told. */
  readonly pageFolder?: string | undefined
}

export const workbenchPath = '/_workbench'

/** The workbench, served beside the service's API: the page under `/_workbench/`, what it asks for under
 *  `/_workbench/api/`, and a browser that opens `/` is sent to it. */
export function createWorkbench(engine: Engine, options: WorkbenchOptions): Route {
  const files = new StaticFiles(options.pageFolder ?? pageFolder())
  const context: WorkbenchContext = {
    engine,
    version: packageVersion(),
    readOnly: options.readOnly ?? false,
    shared: options.shared ?? false,
    path: options.path,
    models: options.models ?? [],
    modelFiles: new ModelFiles(options.models ?? [], options.modelFolder),
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
    if (inside.startsWith('/api/')) return answerApi(context, apiHandlers, request, inside.slice('/api/'.length))
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return plainResponse(405, 'The workbench is opened with GET.', { Allow: 'GET, HEAD' })
    }
    return files.answer(request, inside)
  }
}

/** The health checks of clients and load balancers, which ask for `/` too, do not ask for a page. */
function opensPage(request: HttpRequest): boolean {
  return request.method === 'GET' && (request.accept ?? '').includes('text/html')
}

function redirect(location: string): HttpResponse {
  return plainResponse(307, '', { Location: location, Vary: 'Accept' })
}

/** Stricter than the service's own endpoint: a name of this network is enough for a program, but not for what a browser opens. */
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
