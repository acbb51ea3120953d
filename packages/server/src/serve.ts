import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { AccessPolicy, type AccessAdvice, type AccessOptions } from './access/access-policy.ts'
import { guarded } from './access/guard.ts'
import type { Audit } from './audit.ts'
import type { Authenticate } from './authenticate.ts'
import { authenticateBySignature, type Sharing } from './authenticate.ts'
import { withBranches, type FindBranch } from './branch-requests.ts'
import { createDispatch } from './dispatch.ts'
import { renderError } from './errors.ts'
import type { Executor } from './executor.ts'
import { defaultHttpLimits, type HttpLimits } from './http/http-limits.ts'
import type { HttpRefusal } from './http/http-refusal.ts'
import type { HttpResponse } from './http/http-request.ts'
import { listenHttp, type ServedTls } from './http/http-server.ts'
import type { Logger } from './logger.ts'
import { consoleLogger } from './logger.ts'
import type { WireService } from './protocols/wire-service.ts'
import { nextRequestId } from './request-id.ts'
import type { Route } from './route.ts'
import type { TlsOptions } from './tls/tls-options.ts'
import { WatchedCredentials } from './tls/watched-credentials.ts'
import type { Activity } from './watchdog/activity.ts'

export interface ServeOptions extends AccessOptions {
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  /** Only speaks TLS, with this certificate. */
  readonly tls?: TlsOptions | undefined
  /** Whether all clients have the same tables; they do not unless told. */
  readonly shared?: Sharing | undefined
  /** Verifies requests; without it every key is accepted. */
  readonly authenticate?: Authenticate | undefined
  /** One scope for all requests, whatever their credentials say; or what to make of the scope that they name. */
  readonly scope?: Scope | ((named: Scope) => Scope) | undefined
  /** The service's own limit by default. */
  readonly maxBodyBytes?: number | undefined
  readonly limits?: Partial<HttpLimits> | undefined
  /** How long `close` waits for requests in progress. */
  readonly drainMs?: number | undefined
  readonly logger?: Logger | undefined
  /** Keeps a record of calls. */
  readonly audit?: Audit | undefined
  /** Is told what is being worked on, for a watchdog. */
  readonly activity?: Activity | undefined
  /** The services that are served beside DynamoDB; none by default. */
  readonly services?: readonly WireService[] | undefined
  /** What carries out requests that are about a branch of the data; undefined if there is no such branch. */
  readonly branches?: FindBranch | undefined
  /** What an error says about how to allow what was rejected. */
  readonly accessAdvice?: AccessAdvice | undefined
  /** What is served beside the service's API. */
  readonly routes?: readonly Route[] | undefined
}

export interface Server {
  readonly host: string
  readonly port: number
  /** Accepts no more connections, finishes what is in progress, and closes every connection. */
  close(): Promise<void>
}

/** Serves an engine over HTTP. Rejects with the system's error (`EADDRINUSE`, `EACCES`, …) if it cannot listen, and
 *  with a TlsError if it cannot use its certificate. The caller closes the engine. */
export async function serve(executor: Executor, options: ServeOptions): Promise<Server> {
  const logger = options.logger ?? consoleLogger
  const limits: HttpLimits = { ...defaultHttpLimits, ...options.limits }
  const maxBodyBytes = options.maxBodyBytes ?? limits.bodyBytes
  const dispatching = {
    authenticate: options.authenticate ?? authenticateFor(options),
    verifiesFirst: options.authenticate !== undefined,
    logger,
    maxBodyBytes,
    activity: options.activity,
    audit: options.audit,
    services: options.services,
    routes: options.routes,
  }
  const main = createDispatch(executor, dispatching)
  const dispatch =
    options.branches === undefined
      ? main
      : withBranches(main, options.branches, (branch) => createDispatch(branch, { ...dispatching, routes: [] }))
  const policy = new AccessPolicy(options.host, options, options.accessAdvice)
  const server = await listenHttp({
    host: options.host,
    port: options.port,
    handler: guarded(dispatch, policy, logger, options.services),
    refuse: (refusal, firstBytes) => answerRefusal(refusal, logger, firstBytes),
    onFailure: (error) => logger.error('hashrange: a connection failed unexpectedly:', error),
    limits: { ...limits, bodyBytes: maxBodyBytes },
    keepsFields: options.authenticate !== undefined || options.audit !== undefined,
    tls: servedTls(options.tls, logger),
  })
  return {
    host: server.address.address,
    port: server.address.port,
    close: () => server.close(options.drainMs ?? 10_000),
  }
}

function authenticateFor(options: ServeOptions): Authenticate {
  const authenticate = authenticateBySignature({ shared: options.shared ?? false })
  const { scope } = options
  if (scope === undefined) return authenticate
  return (request, service) => {
    const named = authenticate(request, service)
    return typeof scope === 'function' ? scope(named) : scope
  }
}

function servedTls(tls: TlsOptions | undefined, logger: Logger): ServedTls | undefined {
  if (tls === undefined) return undefined
  const requiresClientCertificate = tls.clientCa !== undefined
  return { credentials: new WatchedCredentials({ tls, logger }), requiresClientCertificate }
}

/** A browser, and a person with curl, get text; clients of the service get its JSON. */
function answerRefusal(refusal: HttpRefusal, logger: Logger, firstBytes?: Buffer): HttpResponse {
  if (firstBytes !== undefined && firstBytes.toString('latin1', 0, 7) !== 'POST / ') {
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
    return { status: refusal.status, headers, body: Buffer.from(`${refusal.message}\n`) }
  }
  const code = refusalCodes.get(refusal.status) ?? 'SerializationException'
  const { body } = renderError(new ServiceError(code, refusal.message), logger)
  const headers = { 'Content-Type': 'application/x-amz-json-1.0', 'x-amzn-RequestId': nextRequestId() }
  return { status: refusal.status, headers, body }
}

const refusalCodes = new Map([
  [413, 'RequestEntityTooLargeException'],
  [503, 'ServiceUnavailable'],
])
