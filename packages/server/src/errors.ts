import { ConditionFailure, ServiceError } from '@hashrange/core'
import { StorageError, toJsonBytes } from '@hashrange/engine'
import type { Logger } from './logger.ts'

export interface RenderedError {
  readonly status: number
  readonly body: Buffer
}

/** The one place that knows what an error looks like on the wire. */
export function renderError(error: unknown, logger: Logger): RenderedError {
  if (error instanceof ServiceError) return renderServiceError(error)
  if (error instanceof StorageError && error.code === 'unavailable') {
    logOutage(error, logger)
    return renderServiceError(
      new ServiceError('ServiceUnavailable', 'The service is currently unavailable or busy.'),
    )
  }
  if (error instanceof StorageError && error.code === 'io') logOutage(error, logger)
  // Our own bug: the client learns nothing about it, the log everything.
  else logger.error('hashrange: a request failed unexpectedly:', error)
  return renderServiceError(
    new ServiceError(
      'InternalServerError',
      'The request processing has failed because of an unknown error, exception or failure.',
    ),
  )
}

const toldOfOutageAtMs = new WeakMap<Logger, number>()

/** If the database is unreachable or the disk is full, every request fails: it is enough to report it now and then. */
function logOutage({ message }: StorageError, logger: Logger): void {
  const nowMs = performance.now()
  if (nowMs - (toldOfOutageAtMs.get(logger) ?? Number.NEGATIVE_INFINITY) < 10_000) return
  toldOfOutageAtMs.set(logger, nowMs)
  logger.error(`hashrange: ${message}`)
}

function renderServiceError(error: ServiceError): RenderedError {
  const { code, message, members } = error
  const body: Record<string, unknown> = { __type: `${namespaces.get(code) ?? dynamodb}#${code}` }
  const isCapitalised =
    capitalised.has(code) || (members['Item'] !== undefined && !(error instanceof ConditionFailure))
  if (message !== '') body[isCapitalised ? 'Message' : 'message'] = message
  return { status: statuses.get(code) ?? 400, body: toJsonBytes({ ...body, ...members }) }
}

const dynamodb = 'com.amazonaws.dynamodb.v20120810'
const coralService = 'com.amazon.coral.service'

/** Errors of the service's framework, rather than of DynamoDB itself. */
const namespaces = new Map<string, string>([
  ['ValidationException', 'com.amazon.coral.validate'],
  ['ThrottlingException', 'com.amazon.coral.availability'],
  ['AccessDeniedException', coralService],
  ['ExpiredTokenException', coralService],
  ['IncompleteSignatureException', coralService],
  ['InvalidSignatureException', coralService],
  ['MissingAuthenticationTokenException', coralService],
  ['RequestEntityTooLargeException', coralService],
  ['SerializationException', coralService],
  ['UnknownOperationException', coralService],
  ['UnrecognizedClientException', coralService],
])

/** Errors whose text is named `Message`: both in the API model and in the framework's responses. A failed condition that
 *  returned its item had one too, and still has where the newer layer does not answer. */
const capitalised = new Set<string>([
  'AccessDeniedException',
  'IdempotentParameterMismatchException',
  'SerializationException',
  'TransactionCanceledException',
  'TransactionInProgressException',
])

const statuses = new Map<string, number>([
  ['InternalServerError', 500],
  ['RequestEntityTooLargeException', 413],
  ['ServiceUnavailable', 503],
])
