export { AccessPolicy, type AccessAdvice } from './access/access-policy.ts'
export type { AccessOptions } from './access/access-policy.ts'
export { isLoopback } from './access/host-name.ts'
export { accountIdOf } from './account-id.ts'
export type { Audit, AuditedCall } from './audit.ts'
export {
  authenticateBySignature,
  scopeOfKey,
  sharedAccountId,
  type Authenticate,
  type Sharing,
} from './authenticate.ts'
export { branchKeyPrefix, type FindBranch } from './branch-requests.ts'
export { createDispatch } from './dispatch.ts'
export { renderError } from './errors.ts'
export type { MetricFamily } from './metrics/metric-family.ts'
export { tlsDetailsOf, type TlsDetails } from './http/tls-details.ts'
export type { Executor } from './executor.ts'
export type { HttpHandler, HttpRequest, HttpResponse, ResponseSink } from './http/http-request.ts'
export { listenAt } from './http/listen-at.ts'
export { readTarget } from './http/read-target.ts'
export { assertWithinBudget } from './json-budget.ts'
export { consoleLogger } from './logger.ts'
export type { Logger } from './logger.ts'
export { metricsRoute, type MetricSource } from './metrics-page.ts'
export { decodeCbor, encodeCbor } from './protocols/cbor.ts'
export { errorAnswer, jsonProtocol } from './protocols/json-protocol.ts'
export { isQueryFor, queryProtocol } from './protocols/query-protocol.ts'
export type { ServiceAnswer, ServiceProtocol } from './protocols/service-protocol.ts'
export { xmlElements } from './protocols/xml.ts'
export type { WireService } from './protocols/wire-service.ts'
export {
  ecdsaAlgorithm,
  hmacAlgorithm,
  incompleteSignature,
  invalidSignature,
  readCredentialScope,
  readPresentedSignature,
  unrecognizedClient,
  type CredentialScope,
  type PresentedSignature,
} from './presented-signature.ts'
export { readyRoute } from './ready-route.ts'
export type { Route } from './route.ts'
export { signPost, type SigningCredentials } from './sign-request.ts'
export { serve } from './serve.ts'
export type { ServeOptions, Server } from './serve.ts'
export { TlsError } from './tls/tls-options.ts'
export type { TlsOptions } from './tls/tls-options.ts'
export { WatchedCredentials } from './tls/watched-credentials.ts'
export { Activity } from './watchdog/activity.ts'
export { Watchdog } from './watchdog/watchdog.ts'
