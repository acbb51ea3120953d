import { ServiceError } from '@hashrange/core'
import type { MaybePromise, Scope, TargetPrefix } from '@hashrange/engine'
import { crc32, toJsonBytes } from '@hashrange/engine'
import type { Audit, AuditedCall } from './audit.ts'
import type { Authenticate } from './authenticate.ts'
import { chooseCoding, compress, type ContentCoding } from './compression.ts'
import { decodeBody } from './decode-body.ts'
import { renderError } from './errors.ts'
import type { Executor } from './executor.ts'
import { defaultHttpLimits } from './http/http-limits.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from './http/http-request.ts'
import { assertWithinBudget } from './json-budget.ts'
import type { Logger } from './logger.ts'
import { answerOther, notFound, withCors } from './other-requests.ts'
import { dispatchService } from './protocols/dispatch-service.ts'
import { serviceAskedFor, type WireService } from './protocols/wire-service.ts'
import { nextRequestId } from './request-id.ts'
import { routed, type Route } from './route.ts'
import { Activity } from './watchdog/activity.ts'
import { unknownOperation } from './unknown-operation.ts'

export interface DispatchOptions {
  readonly authenticate: Authenticate
  /** Whether credentials are looked at before anything else is, because they are verified. */
  readonly verifiesFirst?: boolean | undefined
  readonly logger: Logger
  /** The services that are served beside DynamoDB; none by default. */
  readonly services?: readonly WireService[] | undefined
  /** What is served beside the service's API: asked in turn, before a request that is not an operation is rejected. */
  readonly routes?: readonly Route[] | undefined
  /** Records the calls that it wants to know about. */
  readonly audit?: Audit | undefined
  /** Is told what is being worked on. */
  readonly activity?: Activity | undefined
  /** How large a decompressed request may be. */
  readonly maxBodyBytes?: number | undefined
}

/** DynamoDB's JSON protocol: from a request to its operation, and from the result to a response. */
export function createDispatch(executor: Executor, options: DispatchOptions): HttpHandler {
  const activity = options.activity ?? new Activity()
  const operations = new OperationNames(executor, activity)
  const maxBodyBytes = options.maxBodyBytes ?? defaultHttpLimits.bodyBytes
  const routes = options.routes ?? []
  const services = options.services ?? []
  const verifiesFirst = options.verifiesFirst ?? false

  const fail = (
    request: HttpRequest,
    contentType: string,
    error: unknown,
    trace?: Trace,
  ): MaybePromise<HttpResponse> => {
    if (trace !== undefined) trace.error = error
    const { status, body } = renderError(error, options.logger)
    return respond(request, status, contentType, body)
  }

  const execute = (
    scope: Scope,
    operation: Operation,
    sent: Buffer,
    input: unknown,
    trace: Trace | undefined,
  ): MaybePromise<unknown> => {
    if (trace !== undefined) Object.assign(trace, { scope, input })
    if (sent.length === 0) throw new ServiceError('SerializationException', '')
    return executor.execute(scope, operation.target, operation.name, input)
  }

  /** The checks come in the service's order: JSON, operation, credentials. A server that knows whom to let in looks at credentials before JSON, so that
   *  strangers cannot make it parse what they send. */
  const perform = (
    request: HttpRequest,
    contentType: string,
    sent: Buffer,
    trace?: Trace,
  ): MaybePromise<HttpResponse> => {
    activity.begin(operations.numberOf(request.amzTarget))
    try {
      const input = verifiesFirst ? undefined : readJson(sent)
      const operation = operations.named(request.amzTarget)
      if (trace !== undefined) Object.assign(trace, { operation: operation.name, input })
      const scope = options.authenticate(request)
      const answer =
        scope instanceof Promise
          ? scope.then((known) => execute(known, operation, sent, verifiesFirst ? readJson(sent) : input, trace))
          : execute(scope, operation, sent, verifiesFirst ? readJson(sent) : input, trace)
      // Reads of items are synchronous, and their response is built without waiting for a promise.
      if (!(answer instanceof Promise)) return succeed(request, contentType, operation, answer, trace)
      return answer
        .then((late) => succeed(request, contentType, operation, late, trace))
        .catch((error: unknown) => fail(request, contentType, error, trace))
    } catch (error) {
      return fail(request, contentType, error, trace)
    } finally {
      activity.end()
    }
  }

  const { audit } = options
  const carryOut = audit === undefined ? perform : audited(audit, perform)

  /** Whether a compressed body is worth unpacking. If it is not, the reason is found again when the request is carried out. */
  const isVerified = (request: HttpRequest): boolean => {
    try {
      const scope = options.authenticate(request)
      if (scope instanceof Promise) scope.catch(() => undefined)
      return true
    } catch {
      return false
    }
  }

  return (request) => {
    const askedFor = serviceAskedFor(services, request)
    if (askedFor !== undefined)
      return dispatchService({ executor, ...options, activity, maxBodyBytes }, askedFor, request)
    if (request.method !== 'POST' || !isRoot(request.target)) return answerBeside(routes, request)
    const contentType = answerType(request)
    if (contentType === undefined) return notFound(request)
    const { contentEncoding, body } = request
    if (contentEncoding === undefined) return carryOut(request, contentType, body)
    if (verifiesFirst && !isVerified(request)) return carryOut(request, contentType, body)
    return decodeBody(contentEncoding, body, maxBodyBytes).then(
      (decoded) => carryOut(request, contentType, decoded),
      (error: unknown) => fail(request, contentType, error),
    )
  }
}

/** What becomes known about a call while it is handled, for recording it. */
type Trace = { -readonly [part in 'operation' | 'scope' | 'input' | 'answer' | 'error']?: AuditedCall[part] }

type Perform = (
  request: HttpRequest,
  contentType: string,
  sent: Buffer,
  trace?: Trace,
) => MaybePromise<HttpResponse>

/** A request that names no operation is not a call. */
function audited(audit: Audit, perform: Perform): Perform {
  return (request, contentType, sent) => {
    const trace: Trace = {}
    const record = (response: HttpResponse): HttpResponse => {
      const { operation } = trace
      if (operation !== undefined && audit.wants('dynamodb', operation)) {
        const requestId = response.headers['x-amzn-RequestId'] ?? ''
        audit.record({ input: undefined, ...trace, request, service: 'dynamodb', operation, requestId })
      }
      return response
    }
    const response = perform(request, contentType, sent, trace)
    return response instanceof Promise ? response.then(record) : record(response)
  }
}

async function answerBeside(routes: readonly Route[], request: HttpRequest): Promise<HttpResponse> {
  return (await routed(routes, request)) ?? answerOther(request)
}

function succeed(
  request: HttpRequest,
  contentType: string,
  { name }: Operation,
  answer: unknown,
  trace: Trace | undefined,
): MaybePromise<HttpResponse> {
  if (trace !== undefined) trace.answer = answer
  const told = name === 'DescribeEndpoints' ? ownEndpoint(request, answer) : answer
  return respond(request, 200, contentType, toJsonBytes(told))
}

/** A client that discovers endpoints must come back here: it gets the address that it has used. */
function ownEndpoint(request: HttpRequest, answer: unknown): unknown {
  if (request.host === undefined) return answer
  return { Endpoints: [{ Address: request.host, CachePeriodInMinutes: 1440 }] }
}

interface Operation {
  readonly target: TargetPrefix
  readonly name: string
  /** Among the activities. */
  readonly number: number
}

/** `DynamoDB_20120810.GetItem`, looked up rather than parsed each time. Only known names are cached. */
class OperationNames {
  readonly #executor: Executor
  readonly #activity: Activity
  readonly #known = new Map<string, Operation>()

  constructor(executor: Executor, activity: Activity) {
    this.#executor = executor
    this.#activity = activity
  }

  /** 0 for an operation that was not called before. */
  numberOf(amzTarget: string | undefined): number {
    return this.#known.get(amzTarget ?? '')?.number ?? 0
  }

  named(amzTarget: string | undefined): Operation {
    const known = this.#known.get(amzTarget ?? '')
    if (known !== undefined) return known
    const [target, name, ...rest] = (amzTarget ?? '').split('.')
    if (!isServiceTarget(target) || name === undefined || rest.length > 0 || !this.#executor.knows(target, name)) {
      throw unknownOperation(amzTarget)
    }
    const operation: Operation = { target, name, number: this.#activity.numberOf(name) }
    this.#known.set(`${target}.${name}`, operation)
    return operation
  }
}

function isServiceTarget(target: string | undefined): target is TargetPrefix {
  return target === 'DynamoDB_20120810' || target === 'DynamoDBStreams_20120810'
}

function isRoot(target: string): boolean {
  return target === '/' || target.startsWith('/?') || /^https?:\/\/[^/?]*\/?(\?|$)/i.test(target)
}

/** The content type of the response, which follows the request's; undefined if the request's is not one of
 *  DynamoDB's. */
function answerType(request: HttpRequest): string | undefined {
  const { contentType } = request
  if (contentType === 'application/x-amz-json-1.0') return contentType
  const essence = (contentType ?? '').split(';', 1)[0]?.trim()
  if (essence === 'application/x-amz-json-1.0') return essence
  return essence === 'application/json' || request.body.length === 0 ? 'application/json' : undefined
}

function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  assertWithinBudget(body)
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new ServiceError('SerializationException', '')
  }
}

function respond(
  request: HttpRequest,
  status: number,
  contentType: string,
  body: Buffer,
): MaybePromise<HttpResponse> {
  const coding = chooseCoding(request.acceptEncoding, body.length)
  if (coding !== undefined) return respondCompressed(request, status, contentType, body, coding)
  const response: HttpResponse = { status, headers: answerHeaders(contentType, body), body }
  return request.origin === undefined ? response : withCors(request, response)
}

async function respondCompressed(
  request: HttpRequest,
  status: number,
  contentType: string,
  body: Buffer,
  coding: ContentCoding,
): Promise<HttpResponse> {
  const compressed = await compress(coding, body)
  // The service's checksum covers the bytes as they are sent.
  const headers = { ...answerHeaders(contentType, compressed), 'Content-Encoding': coding }
  return withCors(request, { status, headers, body: compressed })
}

function answerHeaders(contentType: string, body: Buffer): Record<string, string> {
  return {
    Server: 'Server',
    'Content-Type': contentType,
    'x-amzn-RequestId': nextRequestId(),
    'x-amz-crc32': String(crc32(body)),
  }
}
