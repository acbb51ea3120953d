import type { HttpRequest } from '../http/http-request.ts'
import type { ServiceProtocol } from './service-protocol.ts'

/** How clients communicate with a service beside DynamoDB: the part that knows the wire. The engine finds its
 *  operations, under its target. */
export interface WireService {
  readonly target: string
  /** The name under which requests to it are signed. */
  readonly signingName: string
  /** The names of its operations, for the watchdog. */
  readonly operations: readonly string[]
  /** The methods of its requests, where they are not only POST. */
  readonly methods?: ReadonlySet<string>
  /** The statuses of its errors, where they are not 400. */
  readonly statuses?: ReadonlyMap<string, number>
  /** The codes of its errors in the Query protocol, where they are not the names of its API model. */
  readonly queryCodes?: ReadonlyMap<string, string>
  /** The protocol in which a request is meant for this service; undefined if it is not. */
  protocolOf(request: HttpRequest): ServiceProtocol | undefined
}

/** The requested service, and the protocol of the request. */
export interface ServiceRequest {
  readonly service: WireService
  readonly protocol: ServiceProtocol
}

/** The service that a request is meant for, unless that is DynamoDB. Called for every request: DynamoDB's own are
 *  recognised at once. */
export function serviceAskedFor(
  services: readonly WireService[],
  request: HttpRequest,
): ServiceRequest | undefined {
  if (request.amzTarget?.startsWith('DynamoDB') === true) return undefined
  for (const service of services) {
    if (request.method !== 'POST' && service.methods?.has(request.method) !== true) continue
    const protocol = service.protocolOf(request)
    if (protocol !== undefined) return { service, protocol }
  }
  return undefined
}
