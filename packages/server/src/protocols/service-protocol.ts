import type { ServiceError } from '@hashrange/core'
import type { TargetPrefix } from '@hashrange/engine'
import { defaultJsonProtocol } from './json-protocol.ts'
import { queryProtocol } from './query-protocol.ts'
import { rpcProtocol } from './rpc-protocol.ts'
import type { HttpRequest } from '../http/http-request.ts'

/** One of the forms in which clients speak to Application Auto Scaling and to CloudWatch. */
export interface ServiceProtocol {
  /** The service and operation that the request names; may throw a ServiceError. */
  call(request: HttpRequest, body: Buffer): ServiceCall
  /** An answer of the engine, in which times are `Date`s and maps are `Map`s, as bytes. */
  answer(answer: unknown, call: ServiceCall, requestId: string): ServiceAnswer
  error(error: WireError, requestId: string): ServiceAnswer
}

export interface ServiceCall {
  readonly target: TargetPrefix
  readonly operation: string
  /** In the form of parsed JSON. */
  readonly input: unknown
}

export interface ServiceAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** An error in the words that all protocols share. */
export interface WireError {
  readonly error: ServiceError
  /** The code of the Query protocol, which the other protocols tell in a header. */
  readonly queryCode: string
  readonly status: number
}

/** The name under which requests to a service are signed. */
export const signingNames: Readonly<Record<TargetPrefix, string>> = {
  DynamoDB_20120810: 'dynamodb',
  DynamoDBStreams_20120810: 'dynamodb',
  AnyScaleFrontendService: 'application-autoscaling',
  GraniteServiceVersion20100801: 'monitoring',
}

/** The protocol of a request to another service than DynamoDB. Asked on every request: DynamoDB's own are told at once. */
export function serviceProtocolOf(request: HttpRequest): ServiceProtocol | undefined {
  const { amzTarget } = request
  if (amzTarget?.startsWith('DynamoDB') === true || request.method !== 'POST') return undefined
  if (request.target.startsWith('/service/')) return rpcProtocol
  const path = request.target.split('?', 1)[0]
  if (path !== '/') return undefined
  if (amzTarget?.startsWith('AnyScaleFrontendService.') === true) return defaultJsonProtocol('1.1')
  if (amzTarget?.startsWith('GraniteServiceVersion20100801.') === true) return defaultJsonProtocol('1.0')
  const essence = request.contentType?.split(';', 1)[0]?.trim()
  return amzTarget === undefined && essence === 'application/x-www-form-urlencoded' ? queryProtocol : undefined
}
